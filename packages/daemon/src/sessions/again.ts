/**
 * Does something once more whenever somebody has asked since it last began;
 * many who ask at once are one. Nobody who asks is overlooked.
 */
export class Again {
  readonly #work: () => Promise<void>
  #running: Promise<void> | undefined
  #isWanted = false

  constructor(work: () => Promise<void>) {
    this.#work = work
  }

  /** Settles when nothing that was asked for is left to do. */
  get running(): Promise<void> | undefined {
    return this.#running
  }

  /** Settles when all has been done that there was by now. */
  want(): Promise<void> {
    this.#isWanted = true
    this.#running ??= this.#run()
    return this.#running
  }

  async #run(): Promise<void> {
    await Promise.resolve()
    try {
      while (this.#isWanted) {
        this.#isWanted = false
        await this.#work()
      }
    } finally {
      // In the same moment: whoever asks from now on begins it anew.
      this.#running = undefined
    }
  }
}
