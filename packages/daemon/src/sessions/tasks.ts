import { AgentError, type BackgroundTask } from '@hookline/agent'
import {
  joinActors,
  type OpenTask,
  StoreError,
  taskEvent,
} from '@hookline/agent/durable'
import type { Actor, JsonObject } from 'hookline/lifecycle'
import { isElsewhere } from './hand-over.ts'
import type { HeldSessions } from './held-sessions.ts'
import type { HostParts } from './host-parts.ts'
import { bodyOf, inboxTopic } from './inbox-messages.ts'
import { type Offered, Rounds } from './rounds.ts'
import { Setbacks } from './setbacks.ts'
import {
  continueId,
  resultData,
  type TaskOutcome,
  taskOutcome,
} from './task-outcome.ts'
import { tasksName, type WakeDesk } from './wakes.ts'

const limit = 200
const by = tasksName
const prompt = 'A task that you handed on in the background has ended.'

/**
 * Work that agents hand on and do not wait for. A task is a session of its own,
 * made in one with what is said to it and with what wakes whoever handed it on.
 * From then on all that is left to do is seen from what the store has, by any
 * daemon: what has ended is told, then closed, then marked as told.
 */
export class TaskDesk {
  readonly #parts: HostParts
  readonly #sessions: HeldSessions
  readonly #wakes: WakeDesk
  readonly #seeing = new Map<string, Promise<void>>()
  readonly #setbacks: Setbacks
  readonly #rounds: Rounds<OpenTask>

  constructor(parts: HostParts, sessions: HeldSessions, wakes: WakeDesk) {
    this.#parts = parts
    this.#sessions = sessions
    this.#wakes = wakes
    const { clock, store } = parts
    this.#setbacks = new Setbacks(clock)
    this.#rounds = new Rounds({
      limit,
      read: (count, skip) => store.tasks.open(count, skip),
    })
  }

  async begin({ task, parent, ...session }: BackgroundTask): Promise<void> {
    const { store, tell, lookSoon } = this.#parts
    const depth = task.depth + 1
    if (depth > store.wakes.maxDepth) {
      const message = `${task.depth} wakes in a row led to this turn, which is as many as may: nothing more is handed on before somebody says something.`
      throw new AgentError('limit-reached', message)
    }
    const order = { ...orderOf({ ...task, depth }), input: task.text }
    await store.tasks.begin({
      session: { ...session, parent: { ...parent, task: { ...task, depth } } },
      body: bodyOf({ ...order, inputId: session.id }),
      prompt,
      by,
    })
    const about = { taskId: session.id, agent: session.agent }
    tell('task-begun', about, parent.sessions.at(-1))
    lookSoon()
  }

  /** Sees to what has ended, and to what nobody wants any more. */
  async look(): Promise<void> {
    const { tasks, wakes } = this.#parts.store
    await this.#rounds.go((task) => this.#seeSoon(task))
    for (const id of await tasks.lost(limit)) {
      const reason = 'Its session was deleted.'
      const data = { task: id, status: 'cancelled', reason }
      await this.#fire(id, { data, depth: wakes.maxDepth })
    }
  }

  /** Its session may not go on: that is what it comes to, if it is a task. */
  async refuse(id: string, reason: string): Promise<boolean> {
    const task = await this.#parts.store.tasks.get(id)
    if (task === undefined) return false
    const outcome = { status: 'rejected', reply: [], reason, continues: 0 }
    const end = () => this.#sessions.end(id, 'closed')
    return await this.#tell(task, outcome, end)
  }

  async idle(): Promise<void> {
    await Promise.all(this.#seeing.values())
  }

  #seeSoon(task: OpenTask): Offered {
    const { id, isOver, isOrphan } = task
    if (this.#seeing.has(id)) return 'taken'
    if (!(isOver || isOrphan) || this.#setbacks.isResting(id)) return 'left'
    if (this.#seeing.size >= this.#parts.settings.takeAtOnce) return 'full'
    const seeing = this.#seeNow(task).finally(() => this.#seeing.delete(id))
    this.#seeing.set(id, seeing)
    return 'taken'
  }

  async #seeNow(task: OpenTask): Promise<void> {
    const { id } = task
    try {
      if (await this.#see(task)) this.#setbacks.passed(id)
      else this.#setbacks.failed(id)
    } catch (error) {
      // Whoever has it sees to it.
      if (isElsewhere(error)) return
      const againMs = this.#setbacks.failed(id)
      const data = { sessionId: id, error, againMs }
      this.#parts.log.warn('task-not-seen', data)
    }
  }

  /** What could not be done may go well now. */
  tryAgain(): void {
    this.#setbacks.forget()
  }

  /** False: whoever handed it on has not heard of it yet. */
  async #see(task: OpenTask): Promise<boolean> {
    const { store } = this.#parts
    if (!task.isOver) {
      await this.#close(task)
      return true
    }
    if (task.isEnded) {
      return await this.#tell(task, await taskOutcome(store, task.id))
    }
    try {
      return await this.#sessions.use(task.id, async (held) => {
        const now = await store.tasks.get(task.id)
        if (!now?.isOver || held.run !== undefined) return true
        const outcome = await taskOutcome(store, task.id)
        if (await this.#goesOn(now, outcome)) return true
        return await this.#tell(now, outcome, () => this.#sessions.close(held))
      })
    } catch (error) {
      const isRefused =
        error instanceof AgentError && error.code === 'session-refused'
      if (!isRefused) throw error
      const outcome = await taskOutcome(store, task.id)
      return await this.#tell(task, outcome, () =>
        this.#sessions.end(task.id, 'closed'),
      )
    }
  }

  /** Whoever wanted it is over: what it does ends. */
  async #close({ id }: OpenTask): Promise<void> {
    const { store, lookSoon } = this.#parts
    const message = { sessionId: id, kind: 'close', key: 'parent-gone' }
    await store.inbox.put({ ...message, body: {}, by })
    store.signals.tell(inboxTopic(id))
    lookSoon()
  }

  /** Hooks may not be content with it, as with one that is waited for. */
  async #goesOn(
    { id, agent, cwd, parent, isOrphan }: OpenTask,
    { status, reply, continues, actor }: TaskOutcome,
  ): Promise<boolean> {
    if (status !== 'succeeded' || isOrphan) return false
    const { store, runtime, lookSoon } = this.#parts
    const { task } = parent
    const about = { agent, cwd, parent, task: task.text, reply }
    const more = await runtime.judgeTask({
      ...about,
      continuesSoFar: continues,
    })
    if (more === undefined) return false
    const inputId = continueId(id, continues + 1)
    const body = bodyOf({ ...orderOf(task, actor), input: more, inputId })
    const message = { sessionId: id, kind: 'send', key: inputId }
    await store.inbox.put({ ...message, body, by })
    store.signals.tell(inboxTopic(id))
    lookSoon()
    return true
  }

  /** In this order: whoever comes after a crash does the rest. */
  async #tell(
    task: OpenTask,
    outcome: TaskOutcome,
    close: () => Promise<void> = async () => {},
  ): Promise<boolean> {
    const { store, tell } = this.#parts
    const { id, agent, parent, isOrphan } = task
    const { depth, actor } = parent.task
    if (!isOrphan) {
      const data = resultData(task, outcome)
      const all = joinActors(actor, outcome.actor)
      const onBehalfOf = all && { onBehalfOf: { ...all } }
      const fired = { data: { ...data, ...onBehalfOf }, depth }
      // The wake is tried again; until then nothing has been told.
      if (!(await this.#fire(id, fired))) return false
    }
    await close()
    await store.tasks.told(id)
    const told = { taskId: id, agent, status: outcome.status }
    tell('task-ended', told, parent.sessions.at(-1))
    return true
  }

  /** Whether whoever waits for it has heard of it. */
  async #fire(
    id: string,
    event: { readonly data: JsonObject; readonly depth: number },
  ): Promise<boolean> {
    try {
      const told = { ...event, name: taskEvent(id), key: id, by }
      const { left } = await this.#wakes.emit(told)
      return left === 0
    } catch (error) {
      // Something else was told of it before, and that stands.
      const isTold = error instanceof StoreError && error.code === 'conflict'
      if (!isTold) throw error
      return true
    }
  }
}

function orderOf(task: OpenTask['parent']['task'], others?: Actor) {
  const actor = joinActors(task.actor, others)
  const { depth } = task
  return { origin: 'background' as const, depth, ...(actor && { actor }) }
}
