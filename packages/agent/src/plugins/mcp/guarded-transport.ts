import type { Clock } from 'hookline'
import type { RpcMessage, SendOptions, Transport } from './client-package.ts'

export interface GuardParts {
  readonly clock: Clock
  /** It has broken the rules: nothing it says is believed any more. */
  readonly violated: (what: string) => void
}

const windowMs = 10_000
const maxUnasked = 20_000

/** Whoever needs others listens to them; the rest costs nothing further. */
const heard = new Set([
  'notifications/progress',
  'notifications/cancelled',
  'notifications/tools/list_changed',
])

/** Marks that a request has lost its connection, for whoever waits for it. */
export const connectionLost = 'hookline: connection lost'

/**
 * Stands between a transport and the client: drops what nobody listens to,
 * ends a flood, and lets no request wait for a stream that is gone.
 */
export class GuardedTransport implements Transport {
  onclose: (() => void) | undefined
  onerror: ((error: Error) => void) | undefined
  onmessage: ((message: RpcMessage) => void) | undefined
  readonly #inner: Transport
  readonly #parts: GuardParts
  /** Requests that wait for an answer. */
  readonly #waiting = new Map<string | number, AbortController>()
  #unasked = 0
  #windowStart = -Infinity
  #isDeaf = false

  constructor(inner: Transport, parts: GuardParts) {
    this.#inner = inner
    this.#parts = parts
    inner.onclose = () => {
      this.#waiting.clear()
      this.onclose?.()
    }
    inner.onerror = (error) => this.onerror?.(error)
    inner.onmessage = (message) => this.#receive(message)
  }

  get setProtocolVersion() {
    return (version: string) => this.#inner.setProtocolVersion?.(version)
  }

  start(): Promise<void> {
    return this.#inner.start()
  }

  async send(message: RpcMessage, options: SendOptions = {}): Promise<void> {
    const { id, method } = message
    if (method === undefined || id === undefined) {
      await this.#inner.send(message, options)
      if (method === 'notifications/cancelled') this.#cancel(message)
      return
    }
    const controller = new AbortController()
    this.#waiting.set(id, controller)
    try {
      await this.#inner.send(message, {
        ...options,
        requestSignal: controller.signal,
        onRequestStreamEnd: () => this.#lose(id),
      })
    } catch (error) {
      this.#waiting.delete(id)
      throw error
    }
  }

  close(): Promise<void> {
    return this.#inner.close()
  }

  #receive(message: RpcMessage): void {
    if (this.#isDeaf) return
    const { id, method } = message
    if (method === undefined && id !== undefined && this.#waiting.delete(id)) {
      this.onmessage?.(message)
      return
    }
    if (!this.#countUnasked()) return
    if (method === undefined) return
    if (id !== undefined || heard.has(method)) this.onmessage?.(message)
  }

  #countUnasked(): boolean {
    const now = this.#parts.clock.now()
    if (now - this.#windowStart > windowMs) {
      this.#windowStart = now
      this.#unasked = 0
    }
    this.#unasked++
    if (this.#unasked <= maxUnasked) return true
    this.#isDeaf = true
    this.#parts.violated(
      `It sent more than ${maxUnasked} messages that nobody had asked for in ${windowMs / 1_000} s.`,
    )
    return false
  }

  /** The stream on which the answer would have come is gone. */
  #lose(id: string | number): void {
    if (!this.#waiting.delete(id)) return
    const error = { code: -32_000, message: connectionLost }
    // An answer has an error beside its id, which nobody here looks at.
    this.onmessage?.({ jsonrpc: '2.0', id, error } as RpcMessage)
  }

  /** Nobody waits any more; neither does the request that carries the stream. */
  #cancel({ params }: RpcMessage): void {
    const id = params?.['requestId']
    if (typeof id !== 'string' && typeof id !== 'number') return
    this.#waiting.get(id)?.abort()
    this.#waiting.delete(id)
  }
}
