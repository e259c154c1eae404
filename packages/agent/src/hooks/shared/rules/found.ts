/** A stretch of a text that a rule is about. */
export interface Found {
  /** What the rule is called; never what was found. */
  readonly rule: string
  readonly start: number
  readonly end: number
}

/** The same text with something else in place of what was found. */
export function cutOut(
  text: string,
  found: readonly Found[],
  replacement: string,
): string {
  const sorted = [...found].sort((a, b) => a.start - b.start)
  const parts: string[] = []
  let at = 0
  for (const { start, end } of sorted) {
    // What overlaps with the one before is part of its gap.
    if (start >= at && end > start) {
      parts.push(text.slice(at, start), replacement)
    }
    at = Math.max(at, end)
  }
  return parts.join('') + text.slice(at)
}
