/**
 * What moves the cursor, changes the screen or turns the direction of writing,
 * and halves of characters. Line breaks and tabs are left to the functions.
 */
const unsafe =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: They are what it is about.
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff\ufff9-\ufffb]|\p{Cs}/gu

/** Text of others for a screen: its lines are kept, its controls are shown. */
export function plainText(text: string): string {
  return text.replaceAll('\r\n', '\n').replace(unsafe, shown)
}

/** Text of others as a single line. */
export function plainLine(text: string): string {
  return text
    .trim()
    .replace(/[\r\n\t]+\s*/g, ' ')
    .replace(unsafe, shown)
}

/** JSON that shows on a screen just what it is, and is read as before. */
export function plainJson(json: string): string {
  return json.replace(
    unsafe,
    (character) =>
      `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}

/** Text that comes in pieces, where a character may be in two of them. */
export function createPlainStream(): (piece: string) => string {
  let rest = ''
  return (piece) => {
    const text = rest + piece
    rest = /[\ud800-\udbff\r]$/.exec(text)?.[0] ?? ''
    return plainText(text.slice(0, text.length - rest.length))
  }
}

function shown(character: string): string {
  const point = character.codePointAt(0) ?? 0
  return `\\u{${point.toString(16).padStart(2, '0')}}`
}
