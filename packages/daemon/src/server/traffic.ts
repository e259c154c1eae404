import { type ErrorCode, ProtocolError } from '../protocol/errors.ts'
import { inTurns } from './in-turns.ts'

/** A request that is under way. */
export interface UnderWay {
  /** Ends it now: a stream with a last word, anything else with a refusal. */
  stop(): void
}

/** What is under way, so that it can be counted, and ended. */
export class Traffic {
  readonly #requests = new Set<UnderWay>()
  readonly #streams = new Set<UnderWay>()
  readonly #whenQuiet: (() => void)[] = []
  readonly #refusals: Partial<Record<ErrorCode, number>> = {}
  #answered = 0
  #isDraining = false

  get counts() {
    return {
      requests: this.#requests.size,
      streams: this.#streams.size,
      answered: this.#answered,
      refusals: { ...this.#refusals },
    }
  }

  get isDraining(): boolean {
    return this.#isDraining
  }

  /** What it returns is called when that is over. */
  enter(one: UnderWay, kind: 'request' | 'stream'): () => void {
    const set = kind === 'stream' ? this.#streams : this.#requests
    set.add(one)
    return () => {
      set.delete(one)
      if (this.#requests.size + this.#streams.size > 0) return
      for (const tell of this.#whenQuiet.splice(0)) tell()
    }
  }

  /** One more was answered, or refused. */
  count(refusal?: ErrorCode): void {
    if (refusal === undefined) this.#answered++
    else this.#refusals[refusal] = (this.#refusals[refusal] ?? 0) + 1
  }

  /** Nothing new from now on; streams end, and the rest has so long. */
  async drain(graceMs: number): Promise<void> {
    this.#isDraining = true
    await inTurns(this.#streams, stop)
    await this.#quiet(graceMs)
    await inTurns(this.#requests, stop)
    await inTurns(this.#streams, stop)
    await this.#quiet(Math.min(1_000, graceMs + 100))
  }

  #quiet(maxMs: number): Promise<void> {
    if (this.#requests.size + this.#streams.size === 0) return Promise.resolve()
    return new Promise((resolve) => {
      // A timer overflows beyond this.
      const timer = setTimeout(resolve, Math.min(maxMs, 2 ** 31 - 1))
      this.#whenQuiet.push(() => {
        clearTimeout(timer)
        resolve()
      })
    })
  }
}

const stop = (one: UnderWay) => one.stop()

export const shuttingDown = (): ProtocolError =>
  new ProtocolError(
    'shutting-down',
    'The daemon is shutting down; ask again when it has started anew.',
  )
