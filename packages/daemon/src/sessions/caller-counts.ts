import type { Actor } from 'hookline/lifecycle'
import type { Caller } from '../protocol/caller.ts'
import { ProtocolError } from '../protocol/errors.ts'
import type { CallerLimits } from './host-settings.ts'

const wordsFor: Readonly<Record<keyof CallerLimits, (n: number) => string>> = {
  sessions: (n) =>
    `${n === 1 ? 'One session that you have begun is' : `${n} sessions that you have begun are`} open in this daemon, which is as many as you may have (daemon.limits.maxSessionsPerCaller); close one, or try again when one has had nothing to do for a while.`,
  turns: (n) =>
    `${n} of your turns run in this daemon, which is as many as you may have; try again when one has ended.`,
  streams: (n) =>
    `${n} of your streams are open in this daemon, which is as many as you may have (daemon.limits.maxStreamsPerCaller); end one first.`,
}

/** What callers have here at a time; nobody may have it all. */
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
      throw new ProtocolError('too-many', wordsFor[what](count))
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
