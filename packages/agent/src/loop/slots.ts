/** Lets only so many run at the same time; the others wait their turn. */
export class Slots {
  #free: number
  readonly #waiting: (() => void)[] = []

  constructor(count: number) {
    this.#free = count
  }

  take(): void | Promise<void> {
    if (this.#free > 0) {
      this.#free--
      return
    }
    return new Promise((resolve) => this.#waiting.push(resolve))
  }

  free(): void {
    const next = this.#waiting.shift()
    if (next === undefined) this.#free++
    else next()
  }
}
