import { type Contributions, compileCondition } from 'hookline'
import {
  type AgentConfig,
  type DelegatedResult,
  type DelegatedTask,
  mergeContext,
  promptContext,
  subagentStart,
  subagentStop,
  type TurnStatus,
  type UserContent,
} from 'hookline/lifecycle'
import { ask } from '../loop/ask.ts'
import { Conversation } from '../loop/conversation.ts'
import { tellInjected } from '../loop/edits.ts'
import { defaultMaxContinues } from '../loop/keep-going.ts'
import type { Turn } from '../loop/turn.ts'
import { AgentError } from '../ports/agent-error.ts'
import type { TurnResult } from '../ports/turn-result.ts'
import { marked } from '../prompt/marked.ts'
import type { Agents } from './agents.ts'
import type { RegisteredAgent } from './registered-agent.ts'
import { Session } from './session.ts'
import type { SessionHost } from './session-host.ts'
import { startSession, storeSession } from './start-session.ts'
import { defaultMaxDepth, type RunningTurn } from './start-turn.ts'

/** Has another agent do a task, as part of the turn that asks for it. */
export async function delegate(
  host: SessionHost,
  agents: Agents,
  turn: Turn,
  { agent: wanted, task }: DelegatedTask,
  signal: AbortSignal,
): Promise<DelegatedResult> {
  const running = host.turns.get(turn.id)
  const refusal = refusalOf(turn, wanted) ?? rivalOf(agents, wanted)
  if (running === undefined || refusal !== undefined) {
    return refused(refusal ?? 'The turn is over.')
  }
  const { agent: parent } = running
  const name = typeof wanted === 'string' ? wanted : wanted.name
  const about = { parent: parent.name, child: name, task }
  const start = await ask(turn, subagentStart, about)
  if (start.type === 'reject') return refused(start.reason)
  const { agent: child, release } = await agents.adopt(wanted, parent)
  try {
    const session = await openChild(host, child, running, start.contributions)
    const { promise: done, resolve } = Promise.withResolvers<void>()
    const delegation = { session, done }
    host.delegations.add(delegation)
    try {
      const work = () => runTask(turn, session, about, signal)
      return resultOf(await tellAround(turn, name, task, work))
    } finally {
      // Its result stands, whatever hooks make of the end.
      await session.close().catch(() => {})
      host.delegations.delete(delegation)
      resolve()
    }
  } catch (error) {
    const isRefused = error instanceof AgentError
    if (isRefused && error.code === 'session-refused') {
      return refused(error.message)
    }
    throw error
  } finally {
    await release()
  }
}

/** A session of the child's own, within the turn that it works for. */
async function openChild(
  host: SessionHost,
  child: RegisteredAgent,
  parent: RunningTurn,
  contributions: Contributions,
): Promise<Session> {
  const id = host.parts.nextId()
  // It works on behalf of whoever its parent works for.
  const { cwd = '', actor } = parent.turn.progress.scope
  const { session } = parent.turn
  const sessions = [...session.within, session.id]
  const works = { sessions, agents: child.parents }
  const started = { id, cwd, actor, source: 'new' as const, parent: works }
  const opening = await startSession(host, child, started)
  await storeSession(host, child, started)
  const { entries } = mergeContext(
    contributions.of(promptContext),
    child.config.budgets?.context,
  )
  return new Session(host, child, {
    id,
    cwd,
    conversation: new Conversation(),
    turns: 0,
    inputs: new Map(),
    opening: [{ point: subagentStart.name, entries }, ...opening],
    actor,
    parent,
    works: { sessions, limits: [], release: async () => {} },
  })
}

async function tellAround(
  { events }: Turn,
  child: string,
  task: string,
  work: () => Promise<TurnResult>,
): Promise<TurnResult> {
  if (events.isWatched) {
    await events.emit({ type: 'subagent-start', child, task })
  }
  let status: TurnStatus = 'failed'
  try {
    const result = await work()
    status = result.status
    return result
  } finally {
    if (events.isWatched) {
      await events.emit({ type: 'subagent-end', child, status })
    }
  }
}

function resultOf({ status, reply, reason, error }: TurnResult) {
  const why = reason ?? error?.message
  return why === undefined ? { status, reply } : { status, reply, reason: why }
}

/** Why an agent may not hand on work, if it may not. */
export function refusalOf(
  { agent, limits }: Turn,
  wanted: string | AgentConfig,
): string | undefined {
  const { maxDepth = defaultMaxDepth } = limits
  const name = typeof wanted === 'string' ? wanted : wanted.name
  if (agent.parents.length >= maxDepth) {
    return `Work is handed on at most ${maxDepth} agents deep.`
  }
  // Absent: any. Empty: none.
  if (agent.subagentLists.every((list) => compileCondition(list)(name))) {
    return undefined
  }
  return `Agent "${agent.config.name}" may not hand on work to "${name}".`
}

/** One made for a task does not pass itself off as one that is registered. */
function rivalOf(agents: Agents, wanted: string | AgentConfig) {
  if (typeof wanted === 'string') return undefined
  const isTaken = agents.all.some(({ config }) => {
    return config.name === wanted.name && !config.isEphemeral
  })
  if (!isTaken) return undefined
  return `There is an agent "${wanted.name}"; ask for it by its name.`
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
  const say = (words: string | UserContent) => {
    const { actor } = turn.progress.scope
    const options = { origin: 'subagent' as const, signal }
    return session.send(words, actor ? { ...options, actor } : options).result
  }
  const { maxContinues = defaultMaxContinues } = turn.limits
  let result = await say(about.task)
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
    const { by: hook, feedback: text } = stop
    const point = subagentStop.name
    tellInjected(turn, { hook, point, subject: 'feedback', text })
    const feedback = [marked('feedback', { from: hook }, text)]
    result = await say(feedback)
  }
  return result
}
