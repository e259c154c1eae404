import type { JsonObject } from 'hookline/lifecycle'
import { failed } from './handler-ends.ts'
import type { Printed } from './printed.ts'
import { type Verdict, withLapse } from './verdict.ts'

type PrintedDocument = Extract<Printed, { type: 'document' | 'broken' }>

/**
 * What a document says. One that is broken can only refuse, and one that stands
 * among other things cannot allow.
 */
export function verdictIn(
  printed: PrintedDocument,
  read: (document: JsonObject) => Verdict,
): Verdict {
  if (printed.document === undefined) return failed(printed.problem)
  const verdict = read(printed.document)
  if (printed.type === 'broken') return refusalIn(verdict, printed.problem)
  return printed.isNoisy ? fromNoise(verdict) : verdict
}

function refusalIn(verdict: Verdict, problem: string): Verdict {
  const { decision, reason, keepGoing } = verdict
  if (decision === 'deny' || decision === 'ask') {
    const refusal = { decision, ...(reason !== undefined && { reason }) }
    return withLapse(refusal, 'sloppy-output', problem)
  }
  return keepGoing === undefined
    ? failed(problem)
    : withLapse({ keepGoing }, 'sloppy-output', problem)
}

function fromNoise(verdict: Verdict): Verdict {
  const message =
    'There is more than one document in what it has printed; the last one counts.'
  const { decision, ...rest } = verdict
  const kept = decision === 'allow' ? rest : verdict
  return withLapse(kept, 'sloppy-output', message)
}
