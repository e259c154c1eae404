import type { OpenedRun } from '../../data/protocol.ts'

const deeds: Readonly<Record<string, string>> = {
  proceed: 'let it go on as it was',
  transform: 'changed what it was given',
  replace: 'replaced what it was given',
  reject: 'refused it',
  respond: 'gave the outcome itself',
  ask: 'wanted somebody asked',
  endTurn: 'ended the turn',
  keepGoing: 'kept the turn going',
}

const endings: Readonly<Record<string, string>> = {
  started: 'has not answered yet',
  skipped: 'was not asked',
  cancelled: 'was cancelled',
  backgrounded: 'was queued, and has not begun',
  timed_out: 'took too long',
  failed: 'failed',
}

const notes: Readonly<Record<string, string>> = {
  'chain-ended': 'another hook had decided before it',
  'caller-cancelled': 'whoever waited for it gave up',
  superseded: 'another answer came first',
}

/** What a run did, as the end of a sentence that begins with its hook. */
export function deedOf(run: OpenedRun): string {
  const { state, mode, decided, note, failedOpen } = run
  const ended = endings[state]
  if (ended !== undefined) {
    const why = note === undefined ? undefined : (notes[note] ?? note)
    const open = failedOpen ? ', and all went on as if it were not there' : ''
    return `${ended}${why === undefined ? '' : `: ${why}`}${open}`
  }
  const deed = deedWords(run)
  if (mode === 'evaluate')
    return `would have said: ${deed}. It is only evaluated`
  return decided ? `${deed}, which decided it` : deed
}

function deedWords({ answer, contributions }: OpenedRun): string {
  if (answer === 'proceed' && contributions.length > 0) {
    const kinds = new Set(contributions.map(({ kind }) => kind))
    return `added to it (${[...kinds].join(', ')}), and let it go on`
  }
  return deeds[answer ?? ''] ?? 'looked on'
}
