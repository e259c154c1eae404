// C0 and C1 controls except tab and newline, and the marks that reorder text.
const unprintable =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what it removes
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g

/** What a hook says to people and models: well-formed, printable, bounded. */
export function cleanText(text: string, maxChars: number): string {
  // Cut first, so that a hostile length costs nothing.
  const bounded = text.slice(0, maxChars).toWellFormed()
  const clean = bounded.replace(unprintable, '').trim()
  return text.length > maxChars ? `${clean}…` : clean
}
