/** How to let go of what was opened, the last first. */
export class UndoList {
  readonly #undos: (() => Promise<void> | void)[] = []

  add(undo: () => Promise<void> | void): void {
    this.#undos.push(undo)
  }

  /** All of it, whatever fails; the first failure is thrown in the end. */
  async close(): Promise<void> {
    const failures: unknown[] = []
    for (const undo of this.#undos.splice(0).reverse()) {
      try {
        await undo()
      } catch (error) {
        failures.push(error)
      }
    }
    if (failures.length > 0) throw failures[0]
  }
}
