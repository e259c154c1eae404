import { subagentStop, type UserContent } from 'hookline/lifecycle'
import { defaultMaxContinues } from '../loop/keep-going.ts'
import { marked } from '../prompt/marked.ts'
import type { Agents } from './agents.ts'
import { askOutside } from './ask-outside.ts'
import type { EndedTask } from './runtime.ts'
import type { SessionHost } from './session-host.ts'

/** Asks hooks of whoever handed a task on whether its reply will do. */
export async function judgeTask(
  host: SessionHost,
  agents: Agents,
  { agent, cwd, parent, task, reply, continuesSoFar }: EndedTask,
): Promise<UserContent | undefined> {
  const name = parent.agents.at(-1)
  const sessionId = parent.sessions.at(-1)
  if (name === undefined || sessionId === undefined) return undefined
  const above = agents.adoptFor(name, parent.agents.slice(0, -1))
  try {
    const { limits = {} } = above.agent.config
    const { maxContinues = defaultMaxContinues } = limits
    if (continuesSoFar >= maxContinues) return undefined
    const about = { parent: name, child: agent, task, reply, continuesSoFar }
    const input = { ...about, status: 'succeeded' as const }
    const [tree] = parent.sessions
    const place = { sessionId, cwd, tree, origin: 'background' as const }
    const stop = await askOutside(host, above.agent, subagentStop, input, place)
    if (stop.type !== 'keepGoing') return undefined
    return [marked('feedback', { from: stop.by }, stop.feedback)]
  } finally {
    await above.release()
  }
}
