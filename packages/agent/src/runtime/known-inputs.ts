import type { TurnResult } from '../ports/turn-result.ts'

const maxInputs = 1_000

/** The newest inputs that had an id, and what they were answered with. */
export class KnownInputs {
  readonly #results = new Map<string, Promise<TurnResult>>()

  constructor(earlier: ReadonlyMap<string, TurnResult>) {
    for (const [id, result] of earlier) {
      this.#results.set(id, Promise.resolve(result))
    }
  }

  /** What the same input was answered with; undefined for a new one. */
  find(id: string | undefined): Promise<TurnResult> | undefined {
    if (id === undefined) return undefined
    const known = this.#results.get(id)
    return known?.then((result) => ({ ...result, isDuplicate: true }))
  }

  add(id: string, result: Promise<TurnResult>): void {
    const [oldest] = this.#results.keys()
    if (this.#results.size >= maxInputs && oldest !== undefined) {
      this.#results.delete(oldest)
    }
    this.#results.set(id, result)
  }
}
