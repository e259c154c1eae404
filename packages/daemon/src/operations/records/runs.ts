import { findRun, listRuns, type StoredRun } from '@hookline/agent/durable'
import type { CallContext } from '../../protocol/caller.ts'
import { ProtocolError } from '../../protocol/errors.ts'
import { stateOfOutcome } from '../../protocol/run-outcome.ts'
import type { ListedRun } from '../../protocol/schemas/runs.ts'
import type { OperationService } from '../../service/service-parts.ts'
import { maySee } from '../visibility.ts'
import { isListed, listedRun } from './listed-run.ts'
import { openRun, type RunSource } from './open-run.ts'
import { writeRunCursor } from './run-cursor.ts'
import { runFilterOf } from './run-filter.ts'
import { sieveOf } from './sieve-runs.ts'

const defaultLimit = 100
/** How often one page is filled up with what its caller may see. */
const maxRounds = 10
/** How many are looked at together where most are not wanted. */
const sieved = 1_000

export function runOperations(
  source: RunSource,
): Pick<OperationService, 'listRuns' | 'getRun'> {
  const { parts } = source.store
  return {
    async listRuns(input, context) {
      const { limit = defaultLimit, outcome, search, ...where } = input
      const state = where.state ?? (outcome && stateOfOutcome(outcome))
      const filter = runFilterOf({ ...where, ...(state && { state }) })
      const fits = sieveOf({ outcome, search })
      let after = filter.after
      const items: ListedRun[] = []
      for (let round = 0; round < maxRounds; round++) {
        context.signal.throwIfAborted()
        const page = await listRuns(parts, {
          ...filter,
          ...(after !== undefined && { after }),
          limit: fits === undefined ? limit - items.length : sieved,
          isBrief: true,
        })
        const seen = visible(page.runs, context)
          .filter((run) => isListed(run, input))
          .map((run) => listedRun(run, context.caller))
          .filter((run) => fits?.(run) ?? true)
        const room = limit - items.length
        items.push(...seen.slice(0, room))
        // Those that found no room are read again, for the next page.
        after = seen.length > room ? items.at(-1) : page.next
        if (after === undefined || items.length >= limit) break
      }
      return {
        items,
        ...(after !== undefined && { next: writeRunCursor(after) }),
      }
    },
    async getRun({ runId }, context) {
      const run = await needRun(source, runId, context)
      return await openRun(source, run, context)
    },
  }
}

/** A run that its caller may see; of any other nobody says that it is there. */
export async function needRun(
  { store }: Pick<RunSource, 'store'>,
  runId: string,
  context: CallContext,
): Promise<StoredRun> {
  const run = await findRun(store.parts, runId)
  const [seen] = run === undefined ? [] : visible([run], context)
  if (seen !== undefined) return seen
  const message = `There is no run "${runId}" that you may see; "hookline runs list" says which there are.`
  throw new ProtocolError('not-found', message)
}

function visible(
  runs: readonly StoredRun[],
  { caller }: CallContext,
): readonly StoredRun[] {
  return runs.filter(({ visibility }) => maySee(caller, visibility))
}
