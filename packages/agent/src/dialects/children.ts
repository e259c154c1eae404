import { randomBytes } from 'node:crypto'
import { defineCell } from 'hookline'
import type {
  AgentScope,
  SubagentStartInput,
  SubagentStopInput,
} from 'hookline/lifecycle'
import { keep } from './keep.ts'

/** Work that was handed on, as scripts are told of it. */
interface Child {
  readonly agentId: string
  readonly agent: string
  readonly task: string
  readonly parent: Pick<AgentScope, 'sessionId' | 'turnId'>
  readonly root: string
  /** Known once it has been given its task. */
  session?: string
}

/** A session that works for another one. */
interface Worker {
  readonly agent: string
  readonly root: string
  /** Which of those that were begun it is. */
  child?: Child
}

/** The session that the user speaks to, as all that work for it find it. */
export const rootCell = defineCell('dialects:root-session', {
  initial: () => '',
  scope: 'tree',
})

/**
 * Which sessions work for which. A sub-agent is begun in a turn of its parent,
 * then has a session, then its task: no point has all three, and several may
 * begin at the same time.
 */
export class Children {
  readonly #begun = new Map<string, Child>()
  readonly #workers = new Map<string, Worker>()
  readonly #asked = new WeakMap<SubagentStartInput, Child>()

  /** A sub-agent is about to begin; its session comes next. */
  begin(input: SubagentStartInput, scope: AgentScope): void {
    const { child: agent, task } = input
    const { sessionId = '', turnId } = scope
    const agentId = randomBytes(8).toString('hex')
    const parent = { sessionId, ...(turnId !== undefined && { turnId }) }
    const root = this.rootOf(sessionId)
    const child = { agentId, agent, task, parent, root }
    keep(this.#begun, agentId, child)
    this.#asked.set(input, child)
  }

  /** The one that hooks are asked about. */
  begunBy(input: SubagentStartInput): Child | undefined {
    return this.#asked.get(input)
  }

  /** A session begins that works for the one at the root. */
  enter({ agent, sessionId = '' }: AgentScope, root: string): void {
    if (root === '' || this.#workers.has(sessionId)) return
    keep(this.#workers, sessionId, { agent, root })
  }

  /**
   * A session is given its task, which tells whose it is. Of several with the
   * same task it is the newest: older ones may have been refused.
   */
  bind({ sessionId = '' }: AgentScope, task: string): void {
    const worker = this.#workers.get(sessionId)
    if (worker === undefined || worker.child !== undefined) return
    const { agent, root } = worker
    const child = [...this.#begun.values()].findLast(
      (one) =>
        one.session === undefined &&
        one.root === root &&
        one.agent === agent &&
        one.task === task,
    )
    if (child === undefined) return
    child.session = sessionId
    worker.child = child
  }

  childOf(sessionId: string): Child | undefined {
    return this.#workers.get(sessionId)?.child
  }

  /** Who is about to hand over a reply, unless there are two that it may be. */
  handingOver(
    { child, task }: SubagentStopInput,
    { sessionId = '', turnId }: AgentScope,
  ): Child | undefined {
    const [one, ...others] = [...this.#begun.values()].filter(
      ({ session, agent, parent, ...begun }) =>
        session !== undefined &&
        agent === child &&
        begun.task === task &&
        parent.sessionId === sessionId &&
        // Whoever works in the background outlives the turn.
        (turnId === undefined || parent.turnId === turnId),
    )
    return others.length === 0 ? one : undefined
  }

  /** The session that the user speaks to. */
  rootOf(sessionId: string): string {
    return this.#workers.get(sessionId)?.root ?? sessionId
  }

  /** Those that were refused will not come any more. */
  endTurn({ turnId = '' }: AgentScope): void {
    for (const child of this.#begun.values()) {
      if (child.parent.turnId === turnId) this.#forgetRefused(child)
    }
  }

  endSession(sessionId: string): void {
    const child = this.childOf(sessionId)
    this.#workers.delete(sessionId)
    if (child !== undefined) this.#begun.delete(child.agentId)
    for (const [id, worker] of this.#workers) {
      const isIdle = worker.child === undefined
      if (isIdle && worker.root === sessionId) this.#workers.delete(id)
    }
    for (const one of this.#begun.values()) {
      const above = [one.parent.sessionId, one.root]
      if (above.includes(sessionId)) this.#forgetRefused(one)
    }
  }

  /** One in the background may be given its task later. */
  #forgetRefused({ agentId, agent, root, session }: Child): void {
    const isAwaited = [...this.#workers.values()].some(
      (worker) =>
        worker.child === undefined &&
        worker.agent === agent &&
        worker.root === root,
    )
    if (session === undefined && !isAwaited) this.#begun.delete(agentId)
  }
}
