import type { AgentConfig } from 'hookline/lifecycle'

/** Tells hooks what an agent is; throws if they are against it. */
export type AskAgent = (config: AgentConfig) => Promise<unknown>

/** What hooks know of an agent is what it is, also where they refuse. */
export async function announceAgain(
  ask: AskAgent,
  before: AgentConfig,
  next: AgentConfig,
): Promise<void> {
  try {
    await ask(next)
  } catch (error) {
    await ask(before).catch(() => {})
    throw error
  }
}
