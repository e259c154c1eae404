// C0 and C1 controls except tab and newline, and the marks that reorder text.
const unprintable =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what it removes
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g

/** What a hook says to people and models: well-formed, printable, bounded. */
export function cleanText(text: string, maxChars: number): string {
  const isCut = text.length > maxChars
  // Cut first, so that a hostile length costs nothing; not inside a character.
  const bounded = isCut
    ? text.slice(0, maxChars).replace(/[\ud800-\udbff]$/, '')
    : text
  const clean = bounded.toWellFormed().replace(unprintable, '').trim()
  return isCut ? `${clean}…` : clean
}
