import {
  type HandlerPlace,
  type Handlers,
  mustNameRun,
  type OpenedHandler,
} from '../handlers/create-handlers.ts'
import type { HookDefinition } from '../handlers/definition.ts'
import { canonicalJson } from '../seal/canonical-json.ts'
import { CountedHandler } from './counted-handler.ts'

export interface KeptPlace extends HandlerPlace {
  /** What of it is trusted: with other bytes, it is another handler. */
  readonly hash?: string | undefined
  /** Nothing is made of the definition before somebody asks. */
  readonly isHeld: boolean
}

/**
 * Handlers that stay as long as a table names them: a process that serves a
 * hook goes on over a reload that leaves the hook as it is.
 */
export class KeptHandlers {
  readonly #handlers: Handlers
  #kept = new Map<string, CountedHandler>()
  #next = new Map<string, CountedHandler>()
  readonly #leaving = new Set<CountedHandler>()

  constructor(handlers: Handlers) {
    this.#handlers = handlers
  }

  /** A handler for the next table: the one there is, or a new one. */
  async open(
    definition: HookDefinition,
    { hash, isHeld, ...place }: KeptPlace,
  ): Promise<OpenedHandler> {
    const { handler: asked, on, timeoutMs, writes, capabilities } = definition
    const { folder, isTrusted } = place
    const about = { handler: asked, on, timeoutMs, writes, capabilities }
    // What runs while it is held is what was trusted before, and not this.
    const key = canonicalJson({ ...about, folder, isTrusted, hash, isHeld })
    const make = async () =>
      (await this.#handlers.open(definition, place)).handler
    const handler =
      this.#next.get(key) ?? this.#kept.get(key) ?? new CountedHandler(make)
    this.#next.set(key, handler)
    if (!isHeld) await handler.prepare()
    return { handler, mustNameRun: mustNameRun(asked) }
  }

  /** The next table is in place: what only the last one named is let go of. */
  async settle(): Promise<void> {
    const dropped = [...this.#kept].filter(([key]) => !this.#next.has(key))
    this.#kept = this.#next
    this.#next = new Map()
    await this.#drop(dropped.map(([, handler]) => handler))
  }

  /** The next table did not get in: the last one stays. */
  async abandon(): Promise<void> {
    const made = [...this.#next].filter(([key]) => !this.#kept.has(key))
    this.#next = new Map()
    await this.#drop(made.map(([, handler]) => handler))
  }

  async close(): Promise<void> {
    const all = [...this.#kept.values(), ...this.#next.values()]
    await Promise.all(
      [...all, ...this.#leaving].map((handler) => handler.close()),
    )
  }

  async #drop(handlers: readonly CountedHandler[]): Promise<void> {
    const left = handlers.map((handler) => {
      this.#leaving.add(handler)
      return handler.leave(() => this.#leaving.delete(handler))
    })
    await Promise.all(left)
  }
}
