import type { ProtocolError } from '@hookline/daemon/client'

/** Whether the daemon can be reached, as far as the last request shows. */
export type ConnectionState =
  | 'connecting'
  | 'connected'
  /** It was lost, and is looked for again and again. */
  | 'reconnecting'
  /** It answers, but what happens is not told: too many listen already. */
  | 'crowded'

export interface ConnectionView {
  readonly state: ConnectionState
  /** How often the stream of everything was opened: what is asked from then on is kept true. */
  readonly opens: number
  /** How often something was missed, and everything read again. */
  readonly resets: number
}

/** What everybody shows of the connection. */
export class Connection {
  #view: ConnectionView = { state: 'connecting', opens: 0, resets: 0 }
  readonly #listeners = new Set<() => void>()

  get view(): ConnectionView {
    return this.#view
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  readonly current = (): ConnectionView => this.#view

  set(state: ConnectionState): void {
    if (state !== this.#view.state) this.#change({ ...this.#view, state })
  }

  /** It answers; whether it also tells is not known by that. */
  noteAnswer(): void {
    if (this.#view.state !== 'crowded') this.set('connected')
  }

  /** What happens is not told any more. */
  noteLost(error: ProtocolError | undefined): void {
    this.set(error?.code === 'too-many' ? 'crowded' : 'reconnecting')
  }

  noteOpen(): void {
    this.#change({ ...this.#view, opens: this.#view.opens + 1 })
  }

  noteReset(): void {
    this.#change({ ...this.#view, resets: this.#view.resets + 1 })
  }

  #change(view: ConnectionView): void {
    this.#view = view
    for (const listener of [...this.#listeners]) listener()
  }
}
