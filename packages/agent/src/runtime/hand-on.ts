import type { Contributions } from 'hookline'
import {
  type DelegatedTask,
  type HandedOn,
  mergeContext,
  promptContext,
  subagentStart,
} from 'hookline/lifecycle'
import { ask } from '../loop/ask.ts'
import type { Turn } from '../loop/turn.ts'
import { AgentError } from '../ports/agent-error.ts'
import type { BackgroundPort } from '../ports/background.ts'
import type { HandedTask } from '../ports/store.ts'
import type { Agents } from './agents.ts'
import { refusalOf } from './delegate.ts'
import type { SessionHost } from './session-host.ts'
import { startSession, storeSession } from './start-session.ts'
import type { RunningTurn } from './start-turn.ts'

/** Has another agent do a task in a session of its own, which nobody waits for. */
export async function handOn(
  host: SessionHost,
  agents: Agents,
  turn: Turn,
  { agent: wanted, task: text }: DelegatedTask,
): Promise<HandedOn> {
  const { background, turns } = host
  const running = turns.get(turn.id)
  if (background === undefined || running === undefined) {
    return refused('Nobody here would bring the result; wait for it instead.')
  }
  if (typeof wanted !== 'string') {
    return refused(
      'An agent that is made for a task cannot work in the background; name one that there is, or wait for it.',
    )
  }
  const refusal = placeRefusal(running) ?? refusalOf(turn, wanted)
  if (refusal !== undefined) return refused(refusal)
  const about = { parent: running.agent.name, child: wanted, task: text }
  const start = await ask(turn, subagentStart, about)
  if (start.type === 'reject') return refused(start.reason)
  // It works on behalf of whoever its parent works for.
  const { actor } = turn.progress.scope
  const task = { text, depth: turn.depth, ...(actor && { actor }) }
  const { contributions } = start
  try {
    const id = await begin(host, agents, {
      ...{ background, running, wanted, task, contributions },
    })
    return { type: 'begun', id }
  } catch (error) {
    if (error instanceof AgentError) return refused(error.message)
    throw error
  }
}

/** Why nothing may be handed on from there. */
function placeRefusal({ agent, isWaited }: RunningTurn): string | undefined {
  if (isWaited) {
    return 'Another agent waits for you, and could not get what comes later; wait for it instead.'
  }
  if (!agent.config.isEphemeral) return undefined
  return 'An agent that will not be there later could not get the result; wait for it instead.'
}

interface Beginning {
  readonly background: BackgroundPort
  readonly running: RunningTurn
  readonly wanted: string
  readonly task: Omit<HandedTask, 'context'>
  readonly contributions: Contributions
}

async function begin(
  host: SessionHost,
  agents: Agents,
  { background, running, wanted, task, contributions }: Beginning,
): Promise<string> {
  const { turn, agent: parent } = running
  const { agent: child, release } = await agents.adopt(wanted, parent)
  try {
    const id = host.parts.nextId()
    const { cwd = '', actor } = turn.progress.scope
    const { session } = turn
    const sessions = [...session.within, session.id]
    const works = { sessions, agents: child.parents }
    const started = { id, cwd, actor, source: 'new' as const, parent: works }
    // What hooks contribute is asked for again where it goes on.
    await startSession(host, child, started)
    const { entries: context } = mergeContext(
      contributions.of(promptContext),
      child.config.budgets?.context,
    )
    await storeSession(host, child, started, (info) =>
      background.begin({ ...info, parent: works, task: { ...task, context } }),
    )
    return id
  } finally {
    await release()
  }
}

function refused(reason: string): HandedOn {
  return { type: 'refused', reason }
}
