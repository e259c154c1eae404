import type { IncomingMessage } from 'node:http'
import type { Caller } from '../protocol/caller.ts'
import { callerNow } from './authenticate.ts'
import type { PreparedOperation } from './prepared-operation.ts'
import type { Tokens } from './principals.ts'

/** How long an answer holds. */
const knownMs = 100

/** Why a stream ends that somebody reads. */
export type NoLonger = 'no-token' | 'rights-changed'

export interface Reader {
  readonly request: IncomingMessage
  readonly operation: PreparedOperation
  /** As they were let in: what they are shown goes by that. */
  readonly caller: Caller
}

/**
 * Whether those who read streams may still do so, and as whom. To know that
 * takes a look at a file: it is asked once for all the streams that a token has.
 */
export class AllowedReaders {
  readonly #tokens: Tokens
  readonly #known = new Map<string, Caller | undefined>()
  #untilMs = 0

  constructor(tokens: Tokens) {
    this.#tokens = tokens
  }

  /** Undefined: they may go on. */
  whyNot({ request, operation, caller }: Reader): NoLonger | undefined {
    const now = this.#now(request, operation)
    if (now === undefined) return 'no-token'
    return isSame(now, caller) ? undefined : 'rights-changed'
  }

  #now(
    request: IncomingMessage,
    operation: PreparedOperation,
  ): Caller | undefined {
    const nowMs = performance.now()
    if (nowMs >= this.#untilMs) {
      this.#known.clear()
      this.#untilMs = nowMs + knownMs
    }
    const key = `${operation.name} ${request.headers.authorization}`
    if (this.#known.has(key)) return this.#known.get(key)
    const caller = callerNow(request, operation, this.#tokens)
    this.#known.set(key, caller)
    return caller
  }
}

function isSame(now: Caller, before: Caller): boolean {
  const { kind, id, rights } = now
  return (
    kind === before.kind &&
    id === before.id &&
    rights.size === before.rights.size &&
    [...rights].every((right) => before.rights.has(right))
  )
}
