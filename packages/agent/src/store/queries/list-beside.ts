import type { StoreParts } from '../parts.ts'
import { runsOfDispatch } from './runs-of-dispatch.ts'
import { briefRunColumns, readRun, type StoredRun } from './stored-run.ts'

/** All runs of the dispatch of a run, itself among them, in their order. */
export async function listBeside(
  { database }: Pick<StoreParts, 'database'>,
  run: StoredRun,
): Promise<readonly StoredRun[]> {
  const rows = await database.read(runsOfDispatch(run, briefRunColumns))
  return rows.map(readRun)
}
