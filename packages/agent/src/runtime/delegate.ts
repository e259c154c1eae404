import {
  type AgentConfig,
  type DelegatedResult,
  type DelegatedTask,
  subagentStart,
  subagentStop,
} from 'hookline/lifecycle'
import { ask } from '../loop/ask.ts'
import { Conversation } from '../loop/conversation.ts'
import { readContext } from '../loop/edits.ts'
import type { Turn } from '../loop/turn.ts'
import type { TurnResult } from '../ports/turn-result.ts'
import { renderFeedback } from '../prompt/render-feedback.ts'
import type { Agents } from './agents.ts'
import { Session } from './session.ts'
import type { SessionHost } from './session-host.ts'

const defaultMaxDepth = 3
const maxContinues = 3

/** Has another agent do a task, as part of the turn that asks for it. */
export async function delegate(
  host: SessionHost,
  agents: Agents,
  turn: Turn,
  { agent: wanted, task }: DelegatedTask,
  signal: AbortSignal,
): Promise<DelegatedResult> {
  const running = host.turns.get(turn.id)
  const parent = agents.get(turn.agent.config.name)
  const refusal = refusalOf(turn, wanted)
  if (running === undefined || refusal !== undefined) {
    return refused(refusal ?? 'The turn is over.')
  }
  const name = typeof wanted === 'string' ? wanted : wanted.name
  const about = { parent: parent.name, child: name, task }
  const start = await ask(turn, subagentStart, about)
  if (start.type === 'reject') return refused(start.reason)
  const { agent: child, release } = await agents.adopt(wanted, parent)
  const context = readContext(turn, subagentStart.name, start.contributions)
  const session = new Session(host, child, {
    id: host.parts.nextId(),
    cwd: turn.progress.scope.cwd ?? '',
    conversation: new Conversation(),
    turns: 0,
    inputs: new Map(),
    context,
    parent: running,
  })
  const { events } = turn
  if (events.isWatched)
    await events.emit({ type: 'subagent-start', child: name, task })
  try {
    const result = await runTask(turn, session, about, signal)
    const { status, reply, reason, error } = result
    const why = reason ?? error?.message
    if (events.isWatched)
      await events.emit({ type: 'subagent-end', child: name, status })
    return why === undefined
      ? { status, reply }
      : { status, reply, reason: why }
  } finally {
    await session.close()
    await release()
  }
}

/** Why an agent may not hand on work, if it may not. */
function refusalOf({ agent, limits }: Turn, wanted: string | AgentConfig) {
  const { maxDepth = defaultMaxDepth } = limits
  const { subagents } = agent.config
  const name = typeof wanted === 'string' ? wanted : wanted.name
  if (agent.parents.length >= maxDepth) {
    return `Work is handed on at most ${maxDepth} agents deep.`
  }
  // Absent: any. Empty: none.
  if (subagents === undefined || subagents.includes(name)) return undefined
  return `Agent "${agent.config.name}" may not hand on work to "${name}".`
}

function refused(reason: string): DelegatedResult {
  return { status: 'rejected', reply: [], reason }
}

/** Runs the task, again as often as hooks are not content with it. */
async function runTask(
  turn: Turn,
  session: Session,
  about: { parent: string; child: string; task: string },
  signal: AbortSignal,
): Promise<TurnResult> {
  const options = { origin: 'subagent' as const, signal }
  let result = await session.send(about.task, options).result
  for (let continues = 0; continues < maxContinues; continues++) {
    const { status, reply } = result
    if (status !== 'succeeded') return result
    const stop = await ask(turn, subagentStop, {
      ...about,
      status,
      reply,
      continuesSoFar: continues,
    })
    if (stop.type !== 'keepGoing') return result
    const feedback = [renderFeedback(stop.by, stop.feedback)]
    result = await session.send(feedback, options).result
  }
  return result
}
