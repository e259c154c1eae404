/** Something that stands in a text. */
export interface Finding {
  readonly kind: string
  readonly start: number
  readonly end: number
}

/** What it finds is in order, and nothing overlaps. */
export type Find = (text: string) => readonly Finding[]

/** The text with something else in the place of each finding. */
export function replaceFindings(
  text: string,
  findings: readonly Finding[],
  replacement: (found: string, kind: string) => string,
): string {
  let made = ''
  let at = 0
  for (const { kind, start, end } of findings) {
    made += text.slice(at, start) + replacement(text.slice(start, end), kind)
    at = end
  }
  return made + text.slice(at)
}
