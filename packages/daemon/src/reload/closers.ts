/** What was opened, and is closed once, the last one first. */
export class Closers {
  readonly #closers: (() => Promise<unknown>)[] = []
  #closed: Promise<void> | undefined

  add(close: () => Promise<unknown>): void {
    this.#closers.push(close)
  }

  /** All of them, whatever fails; then what failed first is told. */
  close(): Promise<void> {
    this.#closed ??= this.#close()
    return this.#closed
  }

  async #close(): Promise<void> {
    const failures: unknown[] = []
    for (const close of this.#closers.toReversed()) {
      try {
        await close()
      } catch (error) {
        failures.push(error)
      }
    }
    if (failures.length > 0) throw failures[0]
  }
}
