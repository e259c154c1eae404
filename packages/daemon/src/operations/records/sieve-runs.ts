import type { InputOf } from '../../protocol/operations.ts'
import { outcomeOfRun, type RunOutcome } from '../../protocol/run-outcome.ts'
import type { ListedRun } from '../../protocol/schemas/runs.ts'

type Sieve = (run: ListedRun) => boolean

/**
 * What no index knows of: looked at run by run, as whoever asks sees it.
 * Undefined: all are wanted.
 */
export function sieveOf({
  outcome,
  search = '',
}: Pick<InputOf<'listRuns'>, 'outcome' | 'search'>): Sieve | undefined {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean)
  if (outcome === undefined && words.length === 0) return undefined
  return (run) => {
    if (outcome !== undefined && !hasOutcome(run, outcome)) return false
    const text = textOf(run)
    return words.every((word) => text.includes(word))
  }
}

function hasOutcome(run: ListedRun, outcome: RunOutcome): boolean {
  if (outcome === 'failed_open') return run.failedOpen
  return outcomeOfRun(run) === outcome
}

function textOf(run: ListedRun): string {
  const { hook, point, id, agent, sessionId, turnId, callId } = run
  const { answer, reason, state, failure, diagnostics } = run
  const names = [hook, point, id, agent, sessionId, turnId, callId]
  const words = [answer, reason, state, failure?.code, failure?.message]
  const said = diagnostics.map((one) => JSON.stringify(one))
  return [...names, ...words, ...said].join('\n').toLowerCase()
}
