import { type MaybePromise, truncate } from 'hookline'
import type {
  AgentScope,
  BoundTool,
  DelegatedTask,
  SealedCall,
  ToolContext,
} from 'hookline/lifecycle'
import { isPromiseLike } from '../data/promise-like.ts'
import { isText } from '../data/shapes.ts'
import type { Timeout } from './timeouts.ts'
import type { Turn } from './turn.ts'
import { asError } from './wait.ts'

const maxProgressPoints = 4_000

/** How a tool came back, or that it did not. */
export interface Settled {
  readonly how: 'returned' | 'threw' | 'timed-out' | 'cancelled' | 'unsettled'
  readonly value?: unknown
}

/** A call while it runs: what the tool sees of it is its context. */
export class RunningCall implements ToolContext {
  readonly timeoutMs: number
  readonly #turn: Turn
  readonly #call: SealedCall
  readonly #tool: BoundTool
  #controller: AbortController | undefined
  #isAborted = false
  /** What it does after its end concerns nobody. */
  #isOver = false

  constructor(turn: Turn, call: SealedCall, tool: BoundTool) {
    const { timeoutMs = Infinity } = tool
    this.#turn = turn
    this.#call = call
    this.#tool = tool
    this.timeoutMs = Math.min(call.grant.timeoutMs, timeoutMs)
  }

  get call(): SealedCall {
    return this.#call
  }

  get scope(): AgentScope {
    return this.#turn.progress.scope
  }

  /** Made when first asked for: most tools never do. */
  get signal(): AbortSignal {
    this.#controller ??= new AbortController()
    if (this.#isAborted) this.#controller.abort(this.#turn.signal.reason)
    return this.#controller.signal
  }

  // Functions are given out by getters, so that tools can take them apart from
  // the context and none is made that is not asked for.
  get progress() {
    return (text: string) => {
      const { events } = this.#turn
      if (this.#isOver || !events.isWatched || !isText(text)) return
      const callId = this.#call.id
      const progress = truncate(text, maxProgressPoints).text
      void events.emit({ type: 'tool-delta', callId, progress })
    }
  }

  get forward() {
    return () => {
      if (this.#isOver) return Promise.reject(new Error('The call is over.'))
      return this.#turn.session.forward(this.#call, this.signal)
    }
  }

  get delegate() {
    return (task: DelegatedTask) =>
      this.#turn.parts.delegate(this.#turn, task, this.signal)
  }

  /** Runs the tool, within its time and as long as anybody waits. */
  run<T>(conclude: (settled: Settled) => T): MaybePromise<T> {
    try {
      const given: unknown = this.#tool.dispatch(this.#call, this)
      if (isPromiseLike(given)) return this.#wait(given, conclude)
      this.#isOver = true
      return conclude({ how: 'returned', value: given })
    } catch (thrown) {
      this.#isOver = true
      return conclude({ how: 'threw', value: thrown })
    }
  }

  #wait<T>(
    given: PromiseLike<unknown>,
    conclude: (settled: Settled) => T,
  ): Promise<T> {
    const { parts, signal } = this.#turn
    const { clock, timeouts, graceMs } = parts
    return new Promise((resolve, reject) => {
      const settle = (settled: Settled) => {
        this.#isOver = true
        timeouts.remove(timeout)
        signal.removeEventListener('abort', listener)
        try {
          resolve(conclude(settled))
        } catch (error) {
          reject(asError(error))
        }
      }
      const wait = (ms: number, how: 'timed-out' | 'unsettled') => ({
        atMs: clock.now() + ms,
        expire: () => {
          this.#abort()
          settle({ how })
        },
      })
      const listener = {
        handleEvent: () => {
          this.#abort()
          timeouts.remove(timeout)
          timeout = wait(graceMs, 'unsettled')
          timeouts.add(timeout)
        },
      }
      let timeout: Timeout = wait(this.timeoutMs, 'timed-out')
      timeouts.add(timeout)
      signal.addEventListener('abort', listener)
      if (signal.aborted) listener.handleEvent()
      const fail = (thrown: unknown) => {
        const how = signal.aborted ? 'cancelled' : 'threw'
        settle({ how, value: thrown })
      }
      try {
        given.then((value) => settle({ how: 'returned', value }), fail)
      } catch (thrown) {
        fail(thrown)
      }
    })
  }

  #abort(): void {
    this.#isAborted = true
    this.#controller?.abort(this.#turn.signal.reason)
  }
}
