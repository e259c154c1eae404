import { cutToWidth, textWidth } from './text-width.ts'

export interface WrapOptions {
  readonly width: number
  /** Of the lines after the first. */
  readonly indent: number
  /** What is longer ends in a mark; default: nothing is cut. */
  readonly maxLines?: number
}

/** A line of text as lines that are short enough, broken between words. */
export function wrapText(
  text: string,
  { width, indent, maxLines = Infinity }: WrapOptions,
): string {
  const room = Math.max(1, width - indent)
  const lines: string[] = []
  let line = ''
  for (const word of text.split(' ')) {
    const joined = line === '' ? word : `${line} ${word}`
    if (textWidth(joined) <= room) {
      line = joined
      continue
    }
    if (line !== '') lines.push(line)
    line = word
    // A word that fits nowhere is broken where the line ends.
    while (textWidth(line) > room) {
      const kept = cutToWidth(line, room + 1).slice(0, -1) || line.slice(0, 1)
      lines.push(kept)
      line = line.slice(kept.length)
    }
  }
  lines.push(line)
  const shown = lines.slice(0, maxLines)
  if (lines.length > maxLines) {
    const last = shown.length - 1
    shown[last] = cutToWidth(`${shown[last]} …`, room)
  }
  return shown.join(`\n${' '.repeat(indent)}`)
}
