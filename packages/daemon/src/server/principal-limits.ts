import type { Caller } from '../protocol/caller.ts'
import { ProtocolError } from '../protocol/errors.ts'
import { anybody } from './authenticate.ts'
import type { ServerLimits } from './server-limits.ts'

interface Usage {
  requests: number
  streams: number
  /** How many may still come at once, as it was at `atMs`. */
  left: number
  atMs: number
}

/** Holds every principal to its share. */
export class PrincipalLimits {
  readonly #limits: ServerLimits
  readonly #nowMs: () => number
  readonly #usage = new Map<string, Usage>()

  constructor(limits: ServerLimits, nowMs = () => performance.now()) {
    this.#limits = limits
    this.#nowMs = nowMs
  }

  /** Lets a request in, or throws. What it returns is called when it is over. */
  enter(
    caller: Caller,
    { name, isStream }: { readonly name: string; readonly isStream: boolean },
  ): () => void {
    const isAnybody = caller === anybody
    // What needs no token has a share for each operation: a colon is in no id.
    const usage = this.#of(isAnybody ? `anybody: ${name}` : caller.id)
    // Nobody can keep others from asking whether the daemon lives.
    if (!isAnybody) this.#spend(usage)
    const kind = isStream ? 'streams' : 'requests'
    const most = isStream ? this.#limits.streams : this.#limits.concurrent
    if (usage[kind] >= most) {
      const message = `${most} ${kind} of this principal are under way, which is the most there may be; wait for one to end.`
      throw new ProtocolError('too-many', message)
    }
    usage[kind]++
    let isOver = false
    return () => {
      if (isOver) return
      isOver = true
      usage[kind]--
    }
  }

  #of(principal: string): Usage {
    const known = this.#usage.get(principal)
    if (known !== undefined) return known
    const { burst } = this.#limits
    const usage = { requests: 0, streams: 0, left: burst, atMs: this.#nowMs() }
    this.#usage.set(principal, usage)
    return usage
  }

  #spend(usage: Usage): void {
    const { rate, burst } = this.#limits
    const nowMs = this.#nowMs()
    const gained = ((nowMs - usage.atMs) / 1_000) * rate
    usage.left = Math.min(burst, usage.left + gained)
    usage.atMs = nowMs
    if (usage.left < 1) {
      const message = `More than ${Math.round(rate * 60)} requests a minute came from this principal; ask less often.`
      throw new ProtocolError('too-many', message)
    }
    usage.left--
  }
}
