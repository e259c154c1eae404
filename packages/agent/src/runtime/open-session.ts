import type { MaybePromise } from 'hookline'
import { subagentStart } from 'hookline/lifecycle'
import { settled } from '../data/promise-like.ts'
import { attempt, chain } from '../loop/chain.ts'
import { Conversation } from '../loop/conversation.ts'
import { AgentError } from '../ports/agent-error.ts'
import type { SessionInfo, StoredSession } from '../ports/store.ts'
import { checkSessionId } from '../store/check-session-id.ts'
import type { Agents } from './agents.ts'
import { endOrphans } from './end-orphans.ts'
import { keptResult } from './kept-result.ts'
import type { KnownInput } from './known-inputs.ts'
import { letGo } from './let-go.ts'
import type { RegisteredAgent } from './registered-agent.ts'
import type { SessionOptions } from './runtime.ts'
import { Session } from './session.ts'
import type { SessionHost } from './session-host.ts'
import type { SessionWork } from './session-start.ts'
import {
  type OpeningContext,
  startSession,
  storeSession,
} from './start-session.ts'

/** Begins a session, or goes on with one that is kept. */
export function openSession(
  host: SessionHost,
  agents: Agents,
  options: SessionOptions,
): MaybePromise<Session> {
  const { parts } = host
  const agent = agents.get(options.agent)
  const id = options.id ?? parts.nextId()
  // Before anything is asked: a hook is told of no session that cannot be.
  checkSessionId(id)
  const loaded = parts.store && settled(parts.store.load(id))
  const given = { ...options, id }
  return chain(loaded, (stored) => {
    if (stored === undefined) {
      return beginSession(host, agent, given, undefined)
    }
    return attempt(
      () => resumeSession(host, agents, { agent, given, stored }),
      (session) => session,
      async (error) => {
        // Whoever loads it has taken it: it could go on nowhere else.
        await letGo(host, id)
        throw error
      },
    )
  })
}

function resumeSession(
  host: SessionHost,
  agents: Agents,
  { agent, given, stored }: Resumed,
): MaybePromise<Session> {
  if (stored.info.parent !== undefined && !stored.isEnded) {
    return openTask(host, agents, given, stored)
  }
  const begin = () => beginSession(host, agent, given, stored)
  const isOpen = stored.openTurn !== undefined
  return isOpen ? chain(endOrphans(host, agents, given.id), begin) : begin()
}

interface Resumed {
  readonly agent: RegisteredAgent
  readonly given: SessionOptions & { readonly id: string }
  readonly stored: StoredSession
}

/** It has no more than those it works for, whoever opens it. */
async function openTask(
  host: SessionHost,
  agents: Agents,
  options: SessionOptions & { readonly id: string },
  stored: StoredSession,
): Promise<Session> {
  const { id } = options
  const { agent: name, parent } = stored.info
  const { task, sessions = [], agents: above = [] } = parent ?? {}
  if (task === undefined) {
    const message = `Session "${id}" worked for another one, which has gone on without it.`
    throw new AgentError('session-ended', message)
  }
  await endOrphans(host, agents, id)
  const { agent, release } = agents.adoptFor(name, above)
  try {
    const limits = above.map((one) => agents.get(one).config.limits ?? {})
    const works = { sessions, limits, release }
    const context = { point: subagentStart.name, entries: task.context }
    const begun = { ...options, works, context: [context] }
    return await beginSession(host, agent, begun, stored)
  } catch (error) {
    await release()
    throw error
  }
}

/** Its first turn is still to come, or to go on. */
function isFirst(stored: StoredSession | undefined): boolean {
  const { turns = 0, openTurn } = stored ?? {}
  return turns === 0 || (turns === 1 && openTurn !== undefined)
}

interface BeginOptions extends SessionOptions {
  readonly id: string
  readonly works?: SessionWork
  /** What hooks wanted it to know when it was handed on. */
  readonly context?: readonly OpeningContext[]
}

function beginSession(
  host: SessionHost,
  agent: RegisteredAgent,
  options: BeginOptions,
  stored: StoredSession | undefined,
): MaybePromise<Session> {
  const { id, actor, works, context = [] } = options
  if (stored === undefined && options.isKept === true) {
    const message = `There is no session "${id}".`
    throw new AgentError('unknown-session', message)
  }
  if (stored !== undefined && stored.info.agent !== agent.name) {
    const message = `Session "${id}" belongs to agent "${stored.info.agent}".`
    throw new AgentError('unknown-session', message)
  }
  if (stored?.isEnded) {
    const message = `Session "${id}" has ended, and cannot go on.`
    throw new AgentError('session-ended', message)
  }
  // What people and gates agreed to there is meant for that folder.
  const cwd = stored?.info.cwd ?? options.cwd ?? ''
  if (stored !== undefined && (options.cwd ?? cwd) !== cwd) {
    throw new AgentError('unknown-session', staysIn(stored.info))
  }
  const source = stored === undefined ? 'new' : 'resume'
  const started = startSession(host, agent, {
    ...{ id, cwd, source, actor },
    parent: stored?.info.parent,
  })
  return chain(started, (opening) => {
    const kept = stored ? undefined : storeSession(host, agent, { id, cwd })
    const begin = () =>
      new Session(host, agent, {
        id,
        cwd,
        conversation: new Conversation(stored?.messages),
        turns: stored?.turns ?? 0,
        inputs: stored === undefined ? noInputs : resultsOf(stored),
        opening: isFirst(stored) ? [...context, ...opening] : opening,
        openTurn: stored?.openTurn,
        actor,
        works,
      })
    return chain(kept, begin)
  })
}

function staysIn({ id, cwd }: SessionInfo): string {
  const where = cwd === '' ? 'was begun without a folder' : `stays in "${cwd}"`
  return `Session "${id}" ${where}, and works in no other; open it without \`cwd\`, or begin another one.`
}

const noInputs: ReadonlyMap<string, KnownInput> = new Map()

function resultsOf({ inputs }: StoredSession) {
  const ended = [...inputs]
  return new Map(
    ended.map(([id, entry]) => {
      const result = Promise.resolve(keptResult(entry))
      return [id, { result, digest: entry.digest }]
    }),
  )
}
