import { hookFigures, listRuns, type StoredRun } from '@hookline/agent/durable'
import type { Check, CheckedHook } from './check.ts'

const dayMs = 86_400_000
const days = 7
/** So many in a row without a success are more than bad luck. */
const inARow = 5

/** How it did lately, as the records have it. */
export async function checkFailures({
  hook: { name: hook },
  workspace,
}: CheckedHook): Promise<readonly Check[]> {
  const { parts } = workspace.store
  const now = parts.clock.wallAt(parts.clock.now())
  const since = Math.floor(now - days * dayMs)
  const figures = await hookFigures(parts, { hook, since })
  const { count, failures, timeouts, failedOpen } = figures
  const name = 'failures'
  if (count === 0) {
    const message = `It has not run in the last ${days} days.`
    return [{ name, level: 'ok', message }]
  }
  const failed = failures + timeouts
  if (failed === 0) {
    const message = `It ran ${count} times in the last ${days} days, without a failure.`
    return [{ name, level: 'ok', message }]
  }
  const { runs } = await listRuns(parts, { hook, since, limit: inARow })
  const isBroken = runs.length > 0 && runs.every(isFailed)
  const opened = failedOpen > 0 ? `, ${failedOpen} of them let pass` : ''
  const message = `It failed ${failed} of ${count} times in the last ${days} days${opened}. ${await lastWords(workspace, hook, since)}`
  return [{ name, level: isBroken ? 'error' : 'warning', message }]
}

function isFailed({ state }: StoredRun): boolean {
  return state === 'failed' || state === 'timed_out'
}

async function lastWords(
  { store }: CheckedHook['workspace'],
  hook: string,
  since: number,
): Promise<string> {
  const found = await Promise.all(
    (['failed', 'timed_out'] as const).map((state) =>
      listRuns(store.parts, { hook, state, since, limit: 1 }),
    ),
  )
  const [last] = found
    .flatMap(({ runs }) => runs)
    .toSorted((one, other) => other.startedAt - one.startedAt)
  if (last === undefined) return ''
  const { failure, startedAt, id } = last
  const when = new Date(startedAt).toISOString()
  return `The last was ${id} at ${when}: ${failure?.message ?? last.state}`
}
