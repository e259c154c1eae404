/** Remembers how the last things ended, and no more than those. */
export class RecentEndings<Ending> {
  readonly #endings = new Map<string, Ending>()
  readonly #limit: number

  constructor(limit: number) {
    this.#limit = limit
  }

  get(id: string): Ending | undefined {
    return this.#endings.get(id)
  }

  add(id: string, ending: Ending): void {
    this.forget(id)
    this.#endings.set(id, ending)
    if (this.#endings.size <= this.#limit) return
    // A map gives its keys in the order in which they were added.
    for (const oldest of this.#endings.keys()) {
      this.#endings.delete(oldest)
      return
    }
  }

  forget(id: string): void {
    this.#endings.delete(id)
  }
}
