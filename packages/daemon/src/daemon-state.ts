import type { Caller } from './protocol/caller.ts'
import { protocolVersion } from './protocol/http-input.ts'
import type { OutputOf } from './protocol/operations.ts'
import type { Workspace } from './reload/workspace.ts'
import { hooklineVersion } from './version.ts'

interface Running {
  readonly startedAt: number
  readonly counts: OutputOf<'info'>['counts']
  /** Of the pages, if there are any. */
  readonly url: string | undefined
}

/** What a daemon is, and who asks. */
export function infoOf(
  { root, store, isSafe }: Workspace,
  { kind, id, rights }: Caller,
  { startedAt, counts, url }: Running,
): OutputOf<'info'> {
  return {
    version: hooklineVersion(),
    protocol: protocolVersion,
    worker: store.parts.worker,
    pid: process.pid,
    startedAt,
    root,
    store: store.parts.database.dialect,
    isSafe,
    ...(url !== undefined && { inspector: url }),
    caller: { kind, id, rights: [...rights] },
    counts,
  }
}
