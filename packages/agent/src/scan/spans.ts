/** Where in a text secrets are, as far as one look has found. */
export class Spans {
  readonly #list: Span[] = []

  get isEmpty(): boolean {
    return this.#list.length === 0
  }

  add(start: number, end: number): void {
    if (end > start) this.#list.push({ start, end })
  }

  /** The text with something else in the place of each secret. */
  replace(text: string, replacement: (secret: string) => string): string {
    let made = ''
    let at = 0
    for (const { start, end } of this.#merged()) {
      made += text.slice(at, start) + replacement(text.slice(start, end))
      at = end
    }
    return made + text.slice(at)
  }

  /** In order; what overlaps is one. */
  #merged(): readonly Span[] {
    const merged: Span[] = []
    for (const { start, end } of this.#list.sort((a, b) => a.start - b.start)) {
      const last = merged.at(-1)
      if (last === undefined || start > last.end) merged.push({ start, end })
      else last.end = Math.max(last.end, end)
    }
    return merged
  }
}

interface Span {
  readonly start: number
  end: number
}
