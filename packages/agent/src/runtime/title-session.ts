import type { AgentScope } from 'hookline/lifecycle'
import { AgentError } from '../ports/agent-error.ts'
import type { AnyContext } from './runtime.ts'
import type { SessionHost } from './session-host.ts'

// A title is a line; whoever has more to say has something else to say.
const maxChars = 10_000

/** Whether a title that a session is given would be there afterwards. */
export function keepsTitles({ parts }: Pick<SessionHost, 'parts'>): boolean {
  return parts.store?.title !== undefined
}

/**
 * Calls the session that a hook runs in something. When and what is the hook's
 * to say; what of it is kept, the store's.
 */
export async function titleSession(
  { parts }: Pick<SessionHost, 'parts'>,
  context: AnyContext,
  title: string,
): Promise<string | null> {
  // Hooks of an agent's life are given its scope.
  const { sessionId } = context.scope as AgentScope
  if (sessionId === undefined) {
    const message = `Hook "${context.hook}" is not part of a session.`
    throw new AgentError('invalid-call', message)
  }
  if (title.length > maxChars || title.trim() === '') {
    const message = `A title has between 1 and ${maxChars} characters.`
    throw new AgentError('invalid-call', message)
  }
  const kept = (await parts.store?.title?.(sessionId, title)) ?? null
  if (kept !== null) {
    context.emit({ type: 'session-title', sessionId, title: kept })
  }
  return kept
}
