import { type Finding, replaceFindings } from './finding.ts'

/** Where in a text something is, as far as one look has found. */
export class Spans {
  readonly #list: Finding[] = []

  get isEmpty(): boolean {
    return this.#list.length === 0
  }

  add(start: number, end: number, kind = 'other'): void {
    if (end > start) this.#list.push({ kind, start, end })
  }

  /** As they were added. */
  get list(): readonly Finding[] {
    return this.#list
  }

  /** The text with something else in the place of each. */
  replace(text: string, replacement: (found: string) => string): string {
    return replaceFindings(text, joinFindings(this.#list), replacement)
  }
}

/** In order; what overlaps or touches is one, of the kind that began first. */
export function joinFindings(list: readonly Finding[]): readonly Finding[] {
  const joined: Finding[] = []
  for (const one of list.toSorted((a, b) => a.start - b.start)) {
    const last = joined.at(-1)
    if (last === undefined || one.start > last.end) joined.push(one)
    else if (one.end > last.end) joined.splice(-1, 1, { ...last, end: one.end })
  }
  return joined
}
