import type { CancelListener } from 'hookline'
import type { Timeout } from './timeouts.ts'
import type { Turn } from './turn.ts'

/** How a tool came back, or that it did not. */
export interface Settled {
  readonly how: 'returned' | 'threw' | 'timed-out' | 'cancelled' | 'unsettled'
  readonly value?: unknown
}

/** A call that somebody waits for. */
interface WaitedCall {
  readonly timeoutMs: number
  /** Tells the tool that nobody waits any more. */
  abort(): void
  settle(settled: Settled): void
}

/**
 * Waits for a tool, within its time and as long as anybody wants its result;
 * settles the call once. One object for all that may happen: every call of a
 * tool makes one.
 */
export class ToolWait implements Timeout, CancelListener {
  atMs: number
  place = -1
  readonly #turn: Turn
  readonly #call: WaitedCall
  #leftMs = 0
  #isOver = false

  constructor(turn: Turn, call: WaitedCall) {
    this.#turn = turn
    this.#call = call
    this.atMs = turn.parts.clock.now() + call.timeoutMs
  }

  begin(given: PromiseLike<unknown>): void {
    const { parts, signal } = this.#turn
    parts.timeouts.add(this)
    signal.addEventListener('abort', this)
    if (signal.aborted) this.handleEvent()
    const fail = (thrown: unknown) =>
      this.#settle(signal.aborted ? 'cancelled' : 'threw', thrown)
    try {
      given.then((value) => this.#settle('returned', value), fail)
    } catch (thrown) {
      fail(thrown)
    }
  }

  /** Its time stands still. */
  hold(): void {
    const { clock, timeouts } = this.#turn.parts
    if (this.#isOver || this.#turn.signal.aborted) return
    timeouts.remove(this)
    this.#leftMs = this.atMs - clock.now()
  }

  /** Its time goes on, unless it ends by now for another reason. */
  go(): void {
    const { clock, timeouts } = this.#turn.parts
    if (this.#isOver || this.#turn.signal.aborted) return
    this.atMs = clock.now() + this.#leftMs
    timeouts.add(this)
  }

  /** Its time is up, or it had some left to end by itself. */
  expire(): void {
    this.#call.abort()
    this.#settle(this.#turn.signal.aborted ? 'unsettled' : 'timed-out')
  }

  /** The turn was cancelled. */
  handleEvent(): void {
    const { clock, timeouts, graceMs } = this.#turn.parts
    this.#call.abort()
    timeouts.remove(this)
    this.atMs = clock.now() + graceMs
    timeouts.add(this)
  }

  #settle(how: Settled['how'], value?: unknown): void {
    if (this.#isOver) return
    this.#isOver = true
    this.#turn.parts.timeouts.remove(this)
    this.#turn.signal.removeEventListener('abort', this)
    this.#call.settle({ how, value })
  }
}
