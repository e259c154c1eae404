/** A word of a command, without its quotes. */
export interface ShellWord {
  readonly text: string
  /** What it begins with, where the rest is known only when it runs. */
  readonly start: string | undefined
  readonly isQuoted: boolean
}

/** A word that is being read. */
export class OpenWord {
  #text = ''
  #start: string | undefined
  #isQuoted = false
  /** Where a brace was opened that may stand for several words. */
  #braceAt: number | undefined

  add(text: string, isQuoted: boolean): void {
    this.#text += text
    this.#isQuoted ||= isQuoted
  }

  /** A sign without quotes: it may stand for others. */
  addPlain(sign: string): void {
    if ('*?['.includes(sign)) this.markUnknown()
    this.#text += sign
    if (sign === '{') this.#braceAt ??= this.#text.length - 1
    if (sign !== '}' || this.#braceAt === undefined) return
    const inside = this.#text.slice(this.#braceAt)
    const isList = inside.includes(',') || inside.includes('..')
    if (isList) this.#start ??= this.#text.slice(0, this.#braceAt)
  }

  /** What follows is known only when it runs. */
  markUnknown(): void {
    this.#start ??= this.#text
  }

  end(): ShellWord {
    const text = this.#text
    const isTest = text === '[' || text === '[['
    const start = isTest ? undefined : this.#start
    return { text, start, isQuoted: this.#isQuoted }
  }
}
