import type { Approval } from '../../data/protocol.ts'
import type { Tone } from '../../ui/tone.ts'

const states: Readonly<Record<string, readonly [Tone, string]>> = {
  pending: ['caution', 'Waits'],
  approved: ['good', 'Approved'],
  used: ['good', 'Approved'],
  edited: ['changed', 'Modified'],
  denied: ['bad', 'Denied'],
  expired: ['neutral', 'Expired'],
  void: ['neutral', 'Void'],
}

/** What became of a question, in a word and its colour. */
export function stateWords({
  state,
}: Pick<Approval, 'state'>): readonly [Tone, string] {
  return states[state] ?? ['neutral', state]
}

const lasting: Readonly<Record<string, string>> = {
  session: ' for the session',
  always: ' always',
}

/** The same with who said so. */
export function answerText({ state, lasts, decidedBy }: Approval): string {
  const [, word] = stateWords({ state })
  const by = decidedBy === undefined ? '' : ` by ${decidedBy}`
  return `${word}${lasting[lasts ?? ''] ?? ''}${by}`
}
