/** Something that has to say now and then that it lives. */
export interface Beating {
  beat(): void
}

/** In how many parts an interval is cut. */
const parts = 32

/**
 * Has each of many streams beat once in an interval: a few at a time, with one
 * timer for all of them.
 */
export class Heartbeats {
  readonly #intervalMs: number
  readonly #all = new Set<Beating>()
  #round: Iterator<Beating> = [].values()
  #timer: NodeJS.Timeout | undefined

  constructor(intervalMs: number) {
    this.#intervalMs = intervalMs
  }

  add(one: Beating): void {
    this.#all.add(one)
    this.#timer ??= setInterval(() => this.#beat(), this.#intervalMs / parts)
  }

  remove(one: Beating): void {
    this.#all.delete(one)
    if (this.#all.size > 0) return
    clearInterval(this.#timer)
    this.#timer = undefined
  }

  #beat(): void {
    for (let left = Math.ceil(this.#all.size / parts); left > 0; left--) {
      let next = this.#round.next()
      if (next.done === true) {
        this.#round = this.#all.values()
        next = this.#round.next()
      }
      if (next.done !== true) next.value.beat()
    }
  }
}
