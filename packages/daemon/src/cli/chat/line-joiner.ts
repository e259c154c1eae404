interface Key {
  readonly name?: string
}

/**
 * Makes one text of the lines of a paste, and of lines that end in a
 * backslash. Terminals say where a paste begins and ends.
 */
export class LineJoiner {
  readonly #input: NodeJS.ReadStream
  #before: string[] = []
  #isPasting = false

  constructor(input: NodeJS.ReadStream) {
    this.#input = input
    // Before whoever makes lines of keys hears of them.
    input.prependListener('keypress', this.#onKey)
  }

  /** The whole text, or nothing while it goes on. */
  add(line: string): string | undefined {
    const continues = !this.#isPasting && line.endsWith('\\')
    this.#before.push(continues ? line.slice(0, -1) : line)
    if (this.#isPasting || continues) return undefined
    const whole = this.#before.join('\n')
    this.#before = []
    return whole
  }

  clear(): void {
    this.#before = []
  }

  close(): void {
    this.#input.off('keypress', this.#onKey)
  }

  readonly #onKey = (_: unknown, key: Key | undefined) => {
    if (key?.name === 'paste-start') this.#isPasting = true
    if (key?.name === 'paste-end') this.#isPasting = false
  }
}
