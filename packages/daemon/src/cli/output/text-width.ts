const graphemes = new Intl.Segmenter()
const ascii = /^[\x20-\x7e]*$/

/** Ideographs, kana, hangul, full-width forms and what is drawn like them. */
const wide =
  /^[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\ua960-\ua97f\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6\u{1b000}-\u{1b2ff}\u{20000}-\u{3fffd}]/u
const emoji = /^\p{Emoji_Presentation}|\ufe0f/u
const empty = /^[\p{Mn}\p{Me}\p{Cf}]+$/u

/** How many columns a terminal needs for it; of styled text, without styles. */
export function textWidth(text: string): number {
  if (ascii.test(text)) return text.length
  let width = 0
  for (const { segment } of graphemes.segment(text)) width += widthOf(segment)
  return width
}

/** The text in so many columns at most; what is cut ends in a mark. */
export function cutToWidth(text: string, width: number): string {
  if (textWidth(text) <= width) return text
  let kept = ''
  let used = 0
  for (const { segment } of graphemes.segment(text)) {
    used += widthOf(segment)
    if (used > width - 1) break
    kept += segment
  }
  return width < 1 ? '' : `${kept}…`
}

/** The text filled up with spaces. */
export function padToWidth(
  text: string,
  width: number,
  side: 'left' | 'right' = 'left',
): string {
  const space = ' '.repeat(Math.max(0, width - textWidth(text)))
  return side === 'left' ? text + space : space + text
}

function widthOf(grapheme: string): number {
  if (wide.test(grapheme) || emoji.test(grapheme)) return 2
  return empty.test(grapheme) ? 0 : 1
}
