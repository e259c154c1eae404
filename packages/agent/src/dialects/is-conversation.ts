import type { AgentScope } from 'hookline/lifecycle'

/** What hooks, plans and compactions ask of models is nobody else's business. */
export function isConversation({ origin }: AgentScope): boolean {
  return origin === 'user' || origin === 'subagent' || origin === 'background'
}
