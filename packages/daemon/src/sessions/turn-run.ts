import { Suspension, type TurnResult } from '@hookline/agent'
import type { AgentEvent } from 'hookline/lifecycle'

/** How a turn left this process. */
export type RunEnd =
  | { readonly type: 'ended'; readonly result: TurnResult }
  /** It goes on elsewhere, or later. */
  | { readonly type: 'suspended' }
  /** The session began it by itself, and has ended it. */
  | { readonly type: 'unknown' }
  | { readonly type: 'failed'; readonly error: unknown }

interface RunFacts {
  readonly inputId: string | undefined
  /** What tells another input with that id from the same one. */
  readonly digest: string | undefined
  /** How many wakes led to it. */
  readonly depth: number
  /** Ends it, with the reason of the abort. */
  readonly controller: AbortController
}

/** A turn that runs in this process, as far as its events tell. */
export class TurnRun {
  readonly turnId: string
  readonly inputId: string | undefined
  readonly digest: string | undefined
  readonly depth: number
  /** Settles when the journal has it, or it is over. */
  readonly kept: Promise<void>
  readonly end: Promise<RunEnd>
  readonly #controller: AbortController
  readonly #questions = new Set<string>()
  readonly #calls = new Set<string>()
  readonly #settleKept: () => void
  #isKept = false
  #isSuspended = false

  constructor(
    handle: {
      readonly id: string
      readonly result: Promise<TurnResult | undefined>
    },
    { inputId, digest, depth, controller }: RunFacts,
  ) {
    this.turnId = handle.id
    this.inputId = inputId
    this.digest = digest
    this.depth = depth
    this.#controller = controller
    const { promise, resolve } = Promise.withResolvers<void>()
    this.kept = promise
    this.#settleKept = resolve
    this.end = handle.result.then(
      (result) => this.#endOf(result),
      (error: unknown) => ({ type: 'failed', error }),
    )
    void this.end.then(() => resolve())
  }

  /** It does nothing but wait for people, who may take days. */
  get isWaiting(): boolean {
    return this.#questions.size > 0 && this.#calls.size === 0
  }

  /** Whoever takes the session over finds it. */
  get isKept(): boolean {
    return this.#isKept
  }

  note(event: AgentEvent): void {
    // What is done on its behalf ends with its own call.
    if (event.turnId !== this.turnId) return
    if (event.type === 'turn-input') this.#keep()
    if (event.type === 'turn-start' && event.isResumed) this.#keep()
    if (event.type === 'tool-start') this.#calls.add(event.call.id)
    if (event.type === 'tool-end') this.#calls.delete(event.callId)
    if (event.type === 'permission-start') {
      this.#questions.add(event.question.id)
      this.#keep()
    }
    if (event.type === 'permission-end') {
      this.#questions.delete(event.questionId)
    }
  }

  #keep(): void {
    this.#isKept = true
    this.#settleKept()
  }

  /** Ends it for good. */
  cancel(reason: string): void {
    this.#controller.abort(reason)
  }

  /** Stops it here, as if the process had: the journal has it as it is. */
  suspend(): void {
    this.#isSuspended = true
    this.#controller.abort(new Suspension())
  }

  #endOf(result: TurnResult | undefined): RunEnd {
    const isOver = result !== undefined && result.status !== 'cancelled'
    if (this.#isSuspended && !isOver) return { type: 'suspended' }
    return result === undefined
      ? { type: 'unknown' }
      : { type: 'ended', result }
  }
}
