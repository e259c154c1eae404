import type { Runtime } from '@hookline/agent'
import type { AgentConfig } from 'hookline/lifecycle'
import type { Log } from '../log/log.ts'

type AgentRuntime = Pick<Runtime, 'register' | 'update' | 'unregister'>

export interface AgentSetOptions {
  readonly log: Log
  /** An agent that is wanted again has left: it can be put back by `want`. */
  readonly onFree: () => void
}

/**
 * The agents that files hold, on a runtime. Turns that run go on with what they
 * began with; an agent that goes takes no more of them, and leaves after them.
 */
export class AgentSet {
  readonly #runtime: AgentRuntime
  readonly #log: Log
  readonly #onFree: () => void
  /** What each was made from, by name. */
  readonly #made = new Map<string, string>()
  readonly #leaving = new Map<string, Promise<void>>()
  #wanted: readonly AgentConfig[] = []
  #work: Promise<readonly string[]> = Promise.resolve([])
  #isClosed = false

  constructor(runtime: AgentRuntime, { log, onFree }: AgentSetOptions) {
    this.#runtime = runtime
    this.#log = log
    this.#onFree = onFree
  }

  /** Has these agents there, and no others; says what could not be done. */
  want(agents: readonly AgentConfig[]): Promise<readonly string[]> {
    this.#wanted = agents
    this.#work = this.#work.then(() => this.#apply())
    return this.#work
  }

  async close(): Promise<void> {
    this.#isClosed = true
    await this.#work
  }

  async #apply(): Promise<readonly string[]> {
    if (this.#isClosed) return []
    const agents = this.#wanted
    const names = new Set(agents.map(({ name }) => name))
    for (const name of this.#made.keys()) {
      if (!names.has(name)) this.#leave(name)
    }
    const problems: string[] = []
    for (const agent of agents) {
      if (this.#isClosed) return problems
      const problem = await this.#put(agent)
      if (problem !== undefined) problems.push(problem)
    }
    return problems
  }

  async #put(agent: AgentConfig): Promise<string | undefined> {
    const { name } = agent
    const text = JSON.stringify(agent)
    const before = this.#made.get(name)
    if (before === text) return undefined
    if (this.#leaving.has(name)) {
      return `The agent "${name}" was taken out and still has turns that run; it is put back when they have ended.`
    }
    try {
      if (before === undefined) await this.#runtime.register(agent)
      else await this.#runtime.update(agent)
      this.#made.set(name, text)
      this.#log.info(before ? 'agent-updated' : 'agent-registered', {
        agent: name,
      })
      return undefined
    } catch (error) {
      this.#log.error('agent-refused', { agent: name, error })
      return error instanceof Error
        ? error.message
        : `The agent "${name}" cannot be made.`
    }
  }

  #leave(name: string): void {
    this.#made.delete(name)
    const left = this.#runtime
      .unregister(name, { waits: true })
      .then(() => this.#log.info('agent-left', { agent: name }))
      .catch((error: unknown) =>
        this.#log.error('agent-not-left', { agent: name, error }),
      )
      .finally(() => {
        this.#leaving.delete(name)
        const isWanted = this.#wanted.some((agent) => agent.name === name)
        if (isWanted && !this.#isClosed) this.#onFree()
      })
    this.#leaving.set(name, left)
  }
}
