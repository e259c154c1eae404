import type { ConfigLayer } from './layer.ts'
import { startOfFile } from './node.ts'
import { type ConfigProblem, type Found, nearest, pathText } from './problem.ts'

const maxProblems = 100
/** To look for the word that was meant takes time, and a file can have many. */
const maxHints = 20

/** Collects what is wrong with one file. */
export class Report {
  readonly file: string
  readonly layer: ConfigLayer
  readonly #problems: ConfigProblem[] = []
  readonly #refused = new Set<string>()
  #left = 0

  constructor(file: string, layer: ConfigLayer) {
    this.file = file
    this.layer = layer
  }

  add({ at, path, suggestion, severity = 'error', ...found }: Found): void {
    const place = pathText(path)
    if (found.code === 'refused-key') this.#refused.add(place)
    // Who may not say it need not hear how it is spelt.
    if (found.code === 'unknown-key' && this.#refused.has(place)) return
    if (this.#problems.length >= maxProblems) {
      this.#left++
      return
    }
    this.#problems.push(
      Object.freeze({
        ...found,
        ...at,
        severity,
        layer: this.layer,
        file: this.file,
        path: place,
        ...(suggestion !== undefined && { suggestion }),
      }),
    )
  }

  /** How many there are so far: a mark to go back to. */
  get count(): number {
    return this.#problems.length + this.#left
  }

  /** The known word that was most likely meant, for the first problems. */
  nearest(word: string, known: readonly string[]): string | undefined {
    return this.count < maxHints ? nearest(word, known) : undefined
  }

  get hasErrors(): boolean {
    if (this.#left > 0) return true
    return this.#problems.some(({ severity }) => severity === 'error')
  }

  /** Those from a mark on only cost the entry that they are about. */
  soften(mark: number, what: string): void {
    for (const [index, problem] of this.#problems.entries()) {
      if (index < mark || problem.code === 'refused-key') continue
      const message = `${problem.message} ${what}`
      const severity = 'warning'
      this.#problems[index] = Object.freeze({ ...problem, severity, message })
    }
  }

  /** In the order of the file. */
  problems(): readonly ConfigProblem[] {
    const sorted = this.#problems.toSorted(
      (one, other) => one.line - other.line || one.column - other.column,
    )
    if (this.#left === 0) return sorted
    const message = `There are ${this.#left} more problems in this file; mend these first.`
    const more: ConfigProblem = {
      code: 'too-many-problems',
      severity: 'error',
      layer: this.layer,
      file: this.file,
      path: '',
      message,
      ...startOfFile,
    }
    return [...sorted, Object.freeze(more)]
  }
}
