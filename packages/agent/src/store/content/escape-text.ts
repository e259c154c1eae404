// Controls, ends of lines, and the marks that reorder text.
const unsafe =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what it escapes
  /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g

const short: Readonly<Record<string, string>> = {
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
}

/** One line that neither forges another nor steers a terminal. */
export function escapeText(text: string): string {
  return text.toWellFormed().replace(unsafe, (char) => {
    const code = char.charCodeAt(0).toString(16)
    return (
      short[char] ??
      (code.length > 2
        ? `\\u${code.padStart(4, '0')}`
        : `\\x${code.padStart(2, '0')}`)
    )
  })
}
