import type { JsonObject } from 'hookline/lifecycle'
import type { CallContext, Caller } from '../protocol/caller.ts'
import { ProtocolError } from '../protocol/errors.ts'
import type { Workspace } from '../reload/workspace.ts'

/** One name for one principal, as records have it. */
export function nameOf({ kind, id }: Caller): string {
  return `${kind}:${id}`
}

interface Audited {
  readonly kind: string
  readonly sessionId?: string
  readonly body?: JsonObject
}

/** Before something is done that belongs on record: it must be possible to. */
export function needRoom({ store }: Workspace): void {
  if (store.audit.hasRoom) return
  const message =
    'The audit log cannot take another entry, because the database is away; nothing was done. Try again later.'
  throw new ProtocolError('unavailable', message)
}

/**
 * Writes down who has done something, and waits until it is on the disk. It was
 * done: where the database is away by now, the entry waits for it.
 */
export async function recordAudit(
  { store, log }: Workspace,
  { caller }: CallContext,
  entry: Audited,
): Promise<void> {
  store.audit.record({ ...entry, actor: nameOf(caller) })
  try {
    await store.audit.flush()
  } catch (error) {
    log.error('audit-delayed', { kind: entry.kind, error })
  }
}
