import type { Clock, Timer } from 'hookline'
import type { ClientPackage } from './client-package.ts'
import { Connection } from './connection.ts'
import { reasonOf, Unreachable } from './failures.ts'
import { createRedact } from './redact.ts'
import type { ResolvedServer } from './resolve-server.ts'
import { type AskUser, type Caller, ServerRequests } from './server-requests.ts'
import { heed, TimeLimit } from './time-limit.ts'

export type McpServerState = 'connecting' | 'ready' | 'failed' | 'stopped'

export interface ServerState {
  readonly state: McpServerState
  /** Why it failed or was stopped. */
  readonly reason?: string
}

export interface SharedServerParts {
  readonly clock: Clock
  readonly load: () => Promise<ClientPackage>
  readonly askUser: AskUser | undefined
  readonly onState: () => void
  /** It is stopped, and nobody waits for it. */
  readonly onUnused: () => void
}

export interface UseOptions {
  readonly caller: Caller
  /** How long it may wait until a failed server is tried again. */
  readonly maxBackOffMs: number
}

const firstBackOffMs = 100
const maxBackOffMs = 30_000

/** A server for everybody who has it configured alike. */
export class SharedServer {
  readonly #server: ResolvedServer
  readonly #parts: SharedServerParts
  readonly #callers = new Set<Caller>()
  /** Lost connections of which something is left. */
  readonly #leaving = new Set<Promise<void>>()
  #state: ServerState = { state: 'stopped' }
  #connection: Connection | undefined
  #connecting: Promise<Connection> | undefined
  #limit: TimeLimit | undefined
  #stopping: Promise<void> | undefined
  #idle: Timer | undefined
  #isRetired = false
  #failures = 0
  #readyAt = 0
  #retryAt = -Infinity

  constructor(server: ResolvedServer, parts: SharedServerParts) {
    this.#server = server
    this.#parts = parts
  }

  get state(): ServerState {
    return this.#state
  }

  get calls(): number {
    return this.#callers.size
  }

  get pid(): number | undefined {
    return this.#connection?.pid
  }

  get stderr(): string {
    return this.#connection?.stderr ?? ''
  }

  /** Has work done with a connection, which is made if there is none. */
  async use<T>(
    { caller, maxBackOffMs: patienceMs }: UseOptions,
    work: (connection: Connection, signal: AbortSignal) => Promise<T>,
  ): Promise<T> {
    const { signal } = caller.limit
    this.#idle?.stop()
    this.#callers.add(caller)
    try {
      const connection = await this.#ready(signal, patienceMs)
      return await heed(work(connection, signal), signal)
    } finally {
      this.#callers.delete(caller)
      if (this.#callers.size === 0) this.#rest()
    }
  }

  /** Ends for good: whoever comes later is refused. */
  retire(reason: string): Promise<void> {
    this.#isRetired = true
    return this.stop(reason)
  }

  /** Ends the connection; the next use makes another. */
  stop(reason: string): Promise<void> {
    this.#idle?.stop()
    this.#stopping ??= this.#stop(reason).finally(() => {
      this.#stopping = undefined
    })
    return this.#stopping
  }

  async #stop(reason: string): Promise<void> {
    const connection = this.#connection
    const connecting = this.#connecting
    this.#limit?.expire()
    this.#connection = undefined
    await connection?.close(reason)
    await connecting?.then(
      (late) => late.close(reason),
      () => {},
    )
    await Promise.all(this.#leaving)
    this.#connection = undefined
    this.#idle?.stop()
    this.#enter('stopped', reason)
    if (this.#callers.size === 0) this.#parts.onUnused()
  }

  async #ready(signal: AbortSignal, patienceMs: number): Promise<Connection> {
    for (;;) {
      if (this.#stopping) await heed(this.#stopping, signal)
      if (this.#isRetired) throw new Unreachable('The runtime was closed.')
      if (this.#connection) return this.#connection
      if (!this.#connecting) await this.#backOff(signal, patienceMs)
      // Others may have begun, or ended it, meanwhile.
      if (this.#stopping) continue
      this.#connecting ??= this.#connect()
      await heed(this.#connecting, signal)
    }
  }

  async #backOff(signal: AbortSignal, patienceMs: number): Promise<void> {
    const { clock } = this.#parts
    const waitMs = this.#retryAt - clock.now()
    if (waitMs <= 0) return
    if (waitMs > patienceMs) {
      throw new Unreachable(this.#state.reason ?? 'It has failed.')
    }
    let timer: Timer | undefined
    const over = new Promise<void>((resolve) => {
      timer = clock.after(waitMs, resolve)
    })
    await heed(over, signal).finally(() => timer?.stop())
  }

  #connect(): Promise<Connection> {
    this.#enter('connecting')
    const connecting = this.#open().finally(() => {
      this.#connecting = undefined
    })
    // Whoever waits hears of it; nobody need wait.
    connecting.catch(() => {})
    return connecting
  }

  async #open(): Promise<Connection> {
    const { clock } = this.#parts
    const limitMs = this.#server.connectTimeoutMs
    const limit = new TimeLimit({ clock, limitMs })
    this.#limit = limit
    try {
      const sdk = await this.#parts.load()
      const connection: Connection = new Connection({
        server: this.#server,
        sdk,
        clock,
        requests: new ServerRequests({
          sdk,
          callers: () => [...this.#callers],
          askUser: this.#parts.askUser,
          redact: createRedact(this.#server.secrets),
          roots: this.#server.roots,
        }),
        onClosed: (reason) => this.#lost(connection, reason),
      })
      await connection.open(limit.signal)
      this.#connection = connection
      this.#readyAt = clock.now()
      this.#enter('ready')
      return connection
    } catch (error) {
      this.#fail(reasonOf(error))
      throw error instanceof Unreachable
        ? error
        : new Unreachable(reasonOf(error))
    } finally {
      limit.end()
    }
  }

  #lost(connection: Connection, reason: string): void {
    if (this.#connection !== connection) return
    this.#connection = undefined
    const gone = connection.drop(reason)
    this.#leaving.add(gone)
    void gone.then(() => this.#leaving.delete(gone))
    const lastedMs = this.#parts.clock.now() - this.#readyAt
    // One that has worked for long is not on its way down.
    if (lastedMs >= maxBackOffMs) this.#failures = 0
    this.#fail(reason)
  }

  #fail(reason: string): void {
    // An attempt that was cut short is no failure.
    if (this.#stopping) return
    const backOffMs = firstBackOffMs * 2 ** Math.min(this.#failures, 20)
    this.#retryAt = this.#parts.clock.now() + Math.min(backOffMs, maxBackOffMs)
    this.#failures++
    this.#enter('failed', reason)
  }

  /** Nobody waits for it: it stays for a while. */
  #rest(): void {
    this.#idle?.stop()
    if (this.#state.state === 'stopped') {
      this.#parts.onUnused()
      return
    }
    const { clock } = this.#parts
    this.#idle = clock.after(this.#server.idleMs, () => {
      void this.stop('Nobody has asked it anything for a while.')
    })
    this.#idle.hold(false)
  }

  #enter(state: McpServerState, reason?: string): void {
    this.#state = { state, ...(reason !== undefined && { reason }) }
    this.#parts.onState()
  }
}
