import type { StoredRun } from '@hookline/agent/durable'
import type { Caller } from '../../protocol/caller.ts'
import type { ListedRun } from '../../protocol/schemas/runs.ts'
import { plainData } from '../plain-data.ts'
import { diagnosticsFor } from '../visibility.ts'

interface Wanted {
  readonly hook?: string | undefined
  readonly point?: string | undefined
  readonly search?: string | undefined
}

/**
 * What is for debugging, and went well, is in no list but that of whoever asks
 * for its hook, its point or its words.
 */
export function isListed(
  { visibility, state }: Pick<StoredRun, 'visibility' | 'state'>,
  { hook, point, search }: Wanted,
): boolean {
  if (visibility !== 'debug' || state !== 'completed') return true
  return (hook ?? point ?? search) !== undefined
}

/** A run as somebody may see it. */
export function listedRun(run: StoredRun, caller: Caller): ListedRun {
  const diagnostics = diagnosticsFor(caller, run.diagnostics)
  const { said: _, ...rest } = run
  // A stored run has these very names; what is undefined is left out.
  return plainData({ ...rest, diagnostics }) as unknown as ListedRun
}
