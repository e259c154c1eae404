/** What shows nothing, or turns text around; but for what joins letters. */
const unseen =
  /[[\p{Cs}\p{Default_Ignorable_Code_Point}\ufff9-\ufffb]--[\u200c\u200d\ufe0e\ufe0f]]+/gv

const breaks = /\r\n|\p{Zl}|\p{Zp}|[\n\r\v\f\u0085]/u

/** Controls, and spaces of every kind. */
const gaps = /[\p{Cc}\p{Z}\u2800]+/gu

const seen = /[\p{L}\p{N}\p{P}\p{S}\p{Co}\p{Cn}]/u

/** A text as one line of what can be seen; empty if nothing can. */
export function oneLine(text: string): string {
  const line = text.replaceAll(unseen, '').replaceAll(gaps, ' ').trim()
  return seen.test(line) ? line : ''
}

/** The lines of a text in which something can be seen. */
export function visibleLines(text: string): readonly string[] {
  return text
    .split(breaks)
    .map(oneLine)
    .filter((line) => line !== '')
}
