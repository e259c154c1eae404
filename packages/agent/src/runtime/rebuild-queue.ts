/** Runs one rebuild after the other: what was built last is the newest. */
export class RebuildQueue {
  readonly #rebuild: () => Promise<void>
  #last = Promise.resolve()
  #next: Promise<void> | undefined
  #wanted = 0

  constructor(rebuild: () => Promise<void>) {
    this.#rebuild = rebuild
  }

  /** How often one was wanted. */
  get wanted(): number {
    return this.#wanted
  }

  /** One that has not begun yet will do for all who want one. */
  want(): Promise<void> {
    this.#wanted++
    this.#next ??= this.#last.then(() => {
      this.#next = undefined
      return this.#rebuild()
    })
    this.#last = this.#next
    return this.#last
  }
}
