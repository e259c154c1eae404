import { AgentError, type AgentErrorCode } from '@hookline/agent'
import type { InboxMessage } from '@hookline/agent/durable'
import { ProtocolError } from '../protocol/errors.ts'
import type { HeldSessions } from './held-sessions.ts'
import type { HostParts } from './host-parts.ts'
import { isInput, orderIn, outcomeTopic } from './inbox-messages.ts'
import { failureOf } from './protocol-errors.ts'

const codes: ReadonlySet<AgentErrorCode> = new Set([
  'unknown-agent',
  'session-refused',
  'session-ended',
])

/** Its agent is not here, or something is against its going on. */
export function isUnopened(error: unknown): boolean {
  return error instanceof AgentError && codes.has(error.code)
}

/** That a session is to end for good. */
export const endings: ReadonlySet<string> = new Set(['close', 'delete'])

interface EndDesk {
  readonly parts: HostParts
  readonly sessions: Pick<HeldSessions, 'end'>
}

/**
 * Ends a session that cannot be opened, if that is what was left for it: for
 * its end it need not go on. Whether it was.
 */
export async function endUnopened(
  { parts, sessions }: EndDesk,
  sessionId: string,
): Promise<boolean> {
  const { inbox, signals } = parts.store
  const messages = await inbox.read(sessionId)
  const asked = messages.find(({ kind }) => endings.has(kind))
  if (asked === undefined) return false
  const isDeleted = asked.kind === 'delete'
  await sessions.end(sessionId, isDeleted ? 'deleted' : 'closed')
  const reason = `The session was ${isDeleted ? 'deleted' : 'closed'}.`
  const others = messages.filter(({ kind }) => !endings.has(kind))
  for (const one of others) tellDropped(parts, one, reason)
  const gone = failureOf(new ProtocolError('gone', reason))
  await inbox.done(idsOf(others), { ...gone })
  const ended = messages.filter(({ kind }) => endings.has(kind))
  await inbox.done(idsOf(ended), { type: 'ok', value: {} })
  signals.tell(outcomeTopic(sessionId))
  return true
}

function tellDropped(
  { tell }: Pick<HostParts, 'tell'>,
  message: InboxMessage,
  reason: string,
): void {
  if (!isInput(message)) return
  const inputId = orderIn(message)?.inputId ?? message.id
  tell('input-dropped', { inputId, reason }, message.sessionId)
}

function idsOf(messages: readonly InboxMessage[]): readonly string[] {
  return messages.map(({ id }) => id)
}
