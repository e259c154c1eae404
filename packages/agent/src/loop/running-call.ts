import type {
  AgentScope,
  BoundTool,
  DelegatedResult,
  DelegatedTask,
  SealedCall,
  ToolContext,
  ToolResult,
} from 'hookline/lifecycle'
import type { Turn } from './turn.ts'
import { wakeAfter } from './wait.ts'

/** How a tool came back, or that it did not. */
interface Settled {
  readonly how: 'returned' | 'threw' | 'timed-out' | 'cancelled' | 'unsettled'
  readonly value?: unknown
}

/** A call while it runs: what the tool sees of it is its context. */
export class RunningCall implements ToolContext {
  readonly timeoutMs: number
  readonly #turn: Turn
  readonly #call: SealedCall
  #controller: AbortController | undefined
  #isAborted = false

  constructor(turn: Turn, call: SealedCall, { timeoutMs }: BoundTool) {
    this.#turn = turn
    this.#call = call
    this.timeoutMs = Math.min(call.grant.timeoutMs, timeoutMs ?? Infinity)
  }

  get scope(): AgentScope {
    return this.#turn.progress.scope
  }

  /** Made when first asked for: most tools never do. */
  get signal(): AbortSignal {
    this.#controller ??= new AbortController()
    if (this.#isAborted) this.#controller.abort()
    return this.#controller.signal
  }

  progress(text: string): void {
    const { events } = this.#turn
    if (!events.isWatched) return
    const callId = this.#call.id
    events.emit({ type: 'tool-delta', callId, progress: text })
  }

  forward(): Promise<ToolResult> {
    return this.#turn.session.forward(this.#call, this.signal)
  }

  delegate(task: DelegatedTask): Promise<DelegatedResult> {
    return this.#turn.parts.delegate(this.#turn, task, this.signal)
  }

  /** Runs the tool and waits, within its time and as long as anybody does. */
  async settled(run: () => unknown): Promise<Settled> {
    let given: unknown
    try {
      given = run()
    } catch (thrown) {
      return { how: 'threw', value: thrown }
    }
    if (!isThenable(given)) return { how: 'returned', value: given }
    return this.#wait(given)
  }

  #wait(given: PromiseLike<unknown>): Promise<Settled> {
    const { parts, signal } = this.#turn
    const { clock, graceMs } = parts
    return new Promise((resolve) => {
      const settle = (settled: Settled) => {
        stopWaiting()
        signal.removeEventListener('abort', onAbort)
        resolve(settled)
      }
      const onAbort = () => {
        stopWaiting()
        this.#abort()
        const giveUp = () => settle({ how: 'unsettled' })
        stopWaiting = wakeAfter(clock, graceMs, giveUp)
      }
      let stopWaiting = wakeAfter(clock, this.timeoutMs, () => {
        this.#abort()
        settle({ how: 'timed-out' })
      })
      signal.addEventListener('abort', onAbort)
      if (signal.aborted) onAbort()
      given.then(
        (value) => settle({ how: 'returned', value }),
        (thrown: unknown) => {
          const how = signal.aborted ? 'cancelled' : 'threw'
          settle({ how, value: thrown })
        },
      )
    })
  }

  #abort(): void {
    this.#isAborted = true
    this.#controller?.abort(this.#turn.signal.reason)
  }
}

function isThenable(given: unknown): given is PromiseLike<unknown> {
  const isObject = typeof given === 'object' && given !== null
  return isObject && 'then' in given && typeof given.then === 'function'
}
