import type { CallEnd } from '../../data/protocol.ts'
import type { Tone } from '../../ui/tone.ts'

export interface CallLook {
  readonly tone: Tone
  readonly word: string
}

/** How the end of a call looks; the sentence about it is the daemon's. */
export const callLooks: Readonly<Record<CallEnd, CallLook>> = {
  allowed: { tone: 'good', word: 'Allowed' },
  failed: { tone: 'bad', word: 'Failed' },
  withheld: { tone: 'caution', word: 'Result withheld' },
  denied: { tone: 'bad', word: 'Denied' },
  answered: { tone: 'changed', word: 'Answered by a hook' },
  cancelled: { tone: 'neutral', word: 'Cancelled' },
  unknown: { tone: 'caution', word: 'Unknown outcome' },
  waiting: { tone: 'caution', word: 'Waits for a yes' },
  running: { tone: 'noted', word: 'Running' },
}
