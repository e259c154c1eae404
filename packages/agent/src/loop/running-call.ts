import type { MaybePromise } from 'hookline'
import type {
  Actor,
  AgentScope,
  BoundTool,
  DelegatedTask,
  SealedCall,
  ToolContext,
} from 'hookline/lifecycle'
import { asError } from '../data/as-error.ts'
import { cutText } from '../data/cut-text.ts'
import { isPromiseLike } from '../data/promise-like.ts'
import { isText } from '../data/shapes.ts'
import { joinIn } from './join-in.ts'
import { type Settled, ToolWait } from './tool-wait.ts'
import type { Turn } from './turn.ts'

const maxProgressPoints = 4_000

/** A call while it runs: what the tool sees of it is its context. */
export class RunningCall implements ToolContext {
  readonly timeoutMs: number
  readonly #turn: Turn
  readonly #call: SealedCall
  readonly #tool: BoundTool
  #controller: AbortController | undefined
  /** Whom it had handed tasks to: they end with it, if not before. */
  #delegations: AbortController | undefined
  #waiting: ToolWait | undefined
  /** How much of what it waits for has limits of its own. */
  #holds = 0
  #asking: Set<() => void> | undefined
  #isAborted = false
  /** What it does after its end concerns nobody. */
  #isOver = false

  constructor(turn: Turn, call: SealedCall, tool: BoundTool) {
    const { timeoutMs = Infinity, waitsForPeople } = tool
    this.#turn = turn
    this.#call = call
    this.#tool = tool
    this.timeoutMs = waitsForPeople
      ? Infinity
      : Math.min(call.grant.timeoutMs, timeoutMs)
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
      const progress = cutText(text, maxProgressPoints)
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
    return (task: DelegatedTask) => {
      if (this.#isOver) return Promise.reject(new Error('The call is over.'))
      this.#delegations ??= new AbortController()
      const { signal } = this.#delegations
      if (this.#isAborted) this.#delegations.abort(this.#turn.signal.reason)
      // Turns have limits of their own, and stand still where people are asked.
      this.#hold()
      const done = this.#turn.parts.delegate(this.#turn, task, signal)
      const go = () => this.#go()
      void done.then(go, go)
      return done
    }
  }

  get handOn() {
    return (task: DelegatedTask) => {
      if (this.#isOver) return Promise.reject(new Error('The call is over.'))
      return this.#turn.parts.handOn(this.#turn, task)
    }
  }

  get beginWait() {
    return () => {
      if (this.#isOver) return () => {}
      const { tally, parts } = this.#turn
      const end = () => {
        if (!asking.delete(end)) return
        tally.endWait(parts.clock.now(), 'tool')
        this.#go()
      }
      const asking = this.#asking ?? new Set()
      this.#asking = asking.add(end)
      tally.beginWait(parts.clock.now(), 'tool')
      this.#hold()
      return end
    }
  }

  get joinIn() {
    return (by: Actor) => {
      if (!this.#isOver) joinIn(this.#turn, by)
    }
  }

  /** Runs the tool, within its time and as long as anybody waits. */
  run<T>(conclude: (settled: Settled) => T): MaybePromise<T> {
    try {
      const given: unknown = this.#tool.dispatch(this.#call, this)
      if (isPromiseLike(given)) return this.#wait(given, conclude)
      this.#end()
      return conclude({ how: 'returned', value: given })
    } catch (thrown) {
      this.#end()
      return conclude({ how: 'threw', value: thrown })
    }
  }

  #wait<T>(
    given: PromiseLike<unknown>,
    conclude: (settled: Settled) => T,
  ): Promise<T> {
    if (this.#tool.waitsForPeople) this.beginWait()
    return new Promise((resolve, reject) => {
      const settle = (settled: Settled) => {
        this.#end()
        try {
          resolve(conclude(settled))
        } catch (error) {
          reject(asError(error))
        }
      }
      const abort = () => this.#abort()
      const call = { timeoutMs: this.timeoutMs, abort, settle }
      this.#waiting = new ToolWait(this.#turn, call)
      this.#waiting.begin(given)
      if (this.#holds > 0) this.#waiting.hold()
    })
  }

  #hold(): void {
    this.#holds++
    if (this.#holds === 1) this.#waiting?.hold()
  }

  #go(): void {
    this.#holds--
    if (this.#holds === 0) this.#waiting?.go()
  }

  /** Nobody waits for it any more. */
  #abort(): void {
    this.#isAborted = true
    this.#controller?.abort(this.#turn.signal.reason)
    this.#delegations?.abort(this.#turn.signal.reason)
  }

  #end(): void {
    this.#isOver = true
    if (this.#asking !== undefined) for (const end of this.#asking) end()
    this.#delegations?.abort(new Error('The call that it works for is over.'))
  }
}
