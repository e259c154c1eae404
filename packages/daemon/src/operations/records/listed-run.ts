import type { StoredRun } from '@hookline/agent/durable'
import type { Caller } from '../../protocol/caller.ts'
import type { ListedRun } from '../../protocol/schemas/runs.ts'
import { plainData } from '../plain-data.ts'
import { diagnosticsFor } from '../visibility.ts'

/** A run as somebody may see it. */
export function listedRun(run: StoredRun, caller: Caller): ListedRun {
  const diagnostics = diagnosticsFor(caller, run.diagnostics)
  const { said: _, ...rest } = run
  // A stored run has these very names; what is undefined is left out.
  return plainData({ ...rest, diagnostics }) as unknown as ListedRun
}
