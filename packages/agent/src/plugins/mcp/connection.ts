import type { Clock } from 'hookline'
import type {
  AnyResult,
  Client,
  ClientPackage,
  HttpTransport,
  Progress,
  RpcRequest,
  ServerCapabilities,
} from './client-package.ts'
import { ConnectionLost, failureOf, reasonOf, Unreachable } from './failures.ts'
import { GuardedTransport } from './guarded-transport.ts'
import { createHttpTransport } from './http-transport.ts'
import { ownVersion } from './own-version.ts'
import { createRedact, type Redact } from './redact.ts'
import type { ResolvedServer } from './resolve-server.ts'
import type { ServerRequests } from './server-requests.ts'
import { StdioTransport } from './stdio-transport.ts'
import { TimeLimit } from './time-limit.ts'
import { listTools, type ToolListing } from './tool-listing.ts'

export interface ConnectionParts {
  readonly server: ResolvedServer
  readonly sdk: ClientPackage
  readonly clock: Clock
  readonly requests: ServerRequests
  /** It was lost; called once, also when it was closed. */
  readonly onClosed: (reason: string) => void
}

export interface AskOptions {
  readonly signal: AbortSignal
  readonly onprogress?: ((progress: Progress) => void) | undefined
}

// The package has timers of its own; ours end a request before.
const longestTimerMs = 2_147_483_647
const goodbyeMs = 1_000

/** One connection to a server, from its start to its end. */
export class Connection {
  readonly redact: Redact
  readonly #parts: ConnectionParts
  readonly #client: Client
  readonly #inner: StdioTransport | HttpTransport
  readonly #guard: GuardedTransport
  #tools: Promise<ToolListing> | undefined
  #problem: string | undefined
  #isClosed = false
  #dropped: Promise<void> | undefined

  constructor(parts: ConnectionParts) {
    const { server, sdk, clock, requests } = parts
    const violated = (what: string) => this.#kill(what)
    this.#parts = parts
    this.redact = createRedact(server.secrets)
    this.#inner =
      server.kind === 'stdio'
        ? new StdioTransport(server)
        : createHttpTransport(sdk, server, violated)
    this.#guard = new GuardedTransport(this.#inner, { clock, violated })
    this.#client = new sdk.Client(
      { name: 'hookline', version: ownVersion() },
      { capabilities: requests.capabilities },
    )
    this.#client.onclose = () => this.#finish()
    this.#client.onerror = (error) => this.#noteError(error)
    this.#client.fallbackRequestHandler = ({ method, params }, { mcpReq }) =>
      requests.answer({ method, params: params ?? {} }, mcpReq.signal)
    this.#client.fallbackNotificationHandler = async ({ method }) => {
      if (method === 'notifications/tools/list_changed') this.#tools = undefined
    }
  }

  get pid(): number | undefined {
    return 'pid' in this.#inner ? this.#inner.pid : undefined
  }

  get stderr(): string {
    return 'stderr' in this.#inner ? this.#inner.stderr : ''
  }

  get capabilities(): ServerCapabilities {
    return this.#client.getServerCapabilities() ?? {}
  }

  async open(signal: AbortSignal): Promise<void> {
    try {
      const options = { signal, timeout: longestTimerMs }
      await this.#client.connect(this.#guard, options)
    } catch (error) {
      const why = signal.aborted
        ? `It was not ready within ${this.#parts.server.connectTimeoutMs} ms.`
        : (this.#problem ?? reasonOf(error))
      await this.drop(why)
      throw new Unreachable(why)
    }
  }

  /** Asks; what comes is as the server gave it. */
  async ask(request: RpcRequest, options: AskOptions): Promise<unknown> {
    const { signal, onprogress } = options
    try {
      return await this.#client.request(request, anyResult, {
        signal,
        timeout: longestTimerMs,
        ...(onprogress && { onprogress }),
      })
    } catch (error) {
      if (signal.aborted) throw error
      const failure = failureOf(error, this.#parts.sdk)
      if (!(failure instanceof ConnectionLost)) throw failure
      const why = this.#problem ?? failure.message
      void this.drop(why)
      throw new ConnectionLost(why)
    }
  }

  /** Its tools as they are now; asked for again once it says they changed. */
  tools(): Promise<ToolListing> {
    if (this.capabilities.tools === undefined) {
      return Promise.resolve({ tools: [], problems: [] })
    }
    const asked = this.#tools ?? this.#listTools()
    this.#tools = asked
    asked.catch(() => {
      if (this.#tools === asked) this.#tools = undefined
    })
    return asked
  }

  /** For everybody who waits for it, so that nobody of them can cancel it. */
  async #listTools(): Promise<ToolListing> {
    const { clock, server } = this.#parts
    const limit = new TimeLimit({ clock, limitMs: server.requestTimeoutMs })
    try {
      return await listTools(this, {
        signal: limit.signal,
        redact: this.redact,
      })
    } catch (error) {
      if (!limit.isExpired) throw error
      throw new Unreachable('It does not list its tools.')
    } finally {
      limit.end()
    }
  }

  /** Takes leave, where there is anybody to take leave of. */
  async close(why: string): Promise<void> {
    if ('terminateSession' in this.#inner && !this.#isClosed) {
      this.#problem ??= why
      const said = this.#inner.terminateSession().catch(() => {})
      const { promise: late, resolve } = Promise.withResolvers<void>()
      const timer = setTimeout(resolve, goodbyeMs)
      await Promise.race([said, late]).finally(() => clearTimeout(timer))
    }
    await this.drop(why)
  }

  /** Is no longer used from now on; settles when nothing of it is left. */
  drop(why: string): Promise<void> {
    this.#problem ??= why
    this.#finish()
    this.#dropped ??= this.#guard.close().catch(() => {})
    return this.#dropped
  }

  /** It has broken the rules. */
  #kill(what: string): void {
    this.#problem ??= what
    if (this.#inner instanceof StdioTransport) this.#inner.kill()
    else void this.drop(what)
  }

  #noteError(error: Error): void {
    // Of ours alone; in what others say may be what must not be told.
    if (error instanceof Unreachable) this.#problem ??= error.message
  }

  #finish(): void {
    if (this.#isClosed) return
    this.#isClosed = true
    this.#parts.onClosed(this.#problem ?? 'It ended by itself.')
  }
}

const anyResult: AnyResult = {
  '~standard': {
    version: 1,
    vendor: 'hookline',
    validate: (value) => ({ value }),
  },
}
