import type { Actor } from 'hookline/lifecycle'
import type { Caller } from '../protocol/caller.ts'
import { ProtocolError } from '../protocol/errors.ts'
import type { CallerLimits } from './host-settings.ts'

/** What callers have at a time; nobody may have it all. */
export class CallerCounts {
  readonly #limits: CallerLimits
  readonly #counts: Readonly<Record<keyof CallerLimits, Map<string, number>>>

  constructor(limits: CallerLimits) {
    this.#limits = limits
    this.#counts = { sessions: new Map(), turns: new Map(), streams: new Map() }
  }

  /** Counts one more; call the result when it is one less. */
  take(what: keyof CallerLimits, caller: Caller): () => void {
    const counts = this.#counts[what]
    const name = nameOf(caller)
    const count = counts.get(name) ?? 0
    const limit = this.#limits[what]
    if (count >= limit) {
      const message = `You have ${count} ${what} at a time, which is as many as a caller may; end some first.`
      throw new ProtocolError('too-many', message)
    }
    counts.set(name, count + 1)
    let isTaken = true
    return () => {
      if (!isTaken) return
      isTaken = false
      const left = (counts.get(name) ?? 1) - 1
      if (left === 0) counts.delete(name)
      else counts.set(name, left)
    }
  }
}

export function actorOf({ kind, id }: Caller): Actor {
  return { kind, id }
}

/** One name for one caller, in records and in counts. */
export function nameOf({ kind, id }: Caller): string {
  return `${kind}:${id}`
}
