import type { IncomingMessage } from 'node:http'
import { isStillAllowed } from './authenticate.ts'
import type { PreparedOperation } from './prepared-operation.ts'
import type { Tokens } from './principals.ts'

/** How long an answer holds. */
const knownMs = 100

/**
 * Whether those who read streams may still do so. To know that takes a look at
 * a file: it is asked once for all the streams that a token has.
 */
export class AllowedReaders {
  readonly #tokens: Tokens
  readonly #known = new Map<string, boolean>()
  #untilMs = 0

  constructor(tokens: Tokens) {
    this.#tokens = tokens
  }

  has(request: IncomingMessage, operation: PreparedOperation): boolean {
    const nowMs = performance.now()
    if (nowMs >= this.#untilMs) {
      this.#known.clear()
      this.#untilMs = nowMs + knownMs
    }
    const key = `${operation.name} ${request.headers.authorization}`
    const known = this.#known.get(key)
    if (known !== undefined) return known
    const isAllowed = isStillAllowed(request, operation, this.#tokens)
    this.#known.set(key, isAllowed)
    return isAllowed
  }
}
