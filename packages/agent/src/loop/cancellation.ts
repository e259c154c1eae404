import type { CancelListener, CancelSignal } from 'hookline'

/**
 * A turn's own signal. To listen and stop listening costs next to nothing, and
 * a turn does that for every hook, call and tool; the platform's signal is
 * made for whoever asks for one.
 */
export class Cancellation implements CancelSignal {
  aborted = false
  reason: unknown
  /** None yet, as a rule: most of what happens waits for nobody. */
  #listeners: CancelListener[] | undefined
  #controller: AbortController | undefined

  /** The same as the platform knows it. */
  get signal(): AbortSignal {
    this.#controller ??= new AbortController()
    if (this.aborted) this.#controller.abort(this.reason)
    return this.#controller.signal
  }

  abort(reason?: unknown): void {
    if (this.aborted) return
    this.aborted = true
    this.reason = reason
    this.#controller?.abort(reason)
    const listeners = this.#listeners ?? []
    this.#listeners = undefined
    for (const listener of listeners) listener.handleEvent()
  }

  /** Is aborted when another is; returns how to stop following it. */
  follow(other: CancelSignal): () => void {
    const listener = { handleEvent: () => this.abort(other.reason) }
    if (other.aborted) listener.handleEvent()
    else other.addEventListener('abort', listener)
    return () => other.removeEventListener('abort', listener)
  }

  addEventListener(_type: 'abort', listener: CancelListener): void {
    this.#listeners ??= []
    this.#listeners.push(listener)
  }

  removeEventListener(_type: 'abort', listener: CancelListener): void {
    const listeners = this.#listeners
    if (listeners === undefined) return
    // As a rule, whoever came last leaves first.
    if (listeners.at(-1) === listener) listeners.pop()
    else this.#listeners = listeners.filter((one) => one !== listener)
  }
}
