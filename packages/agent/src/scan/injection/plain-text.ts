import { type FoldedText, foldWith } from '../folded-text.ts'
import { lookAlikes } from '../look-alikes.ts'

const invisible =
  /^[\u00ad\u180e\u200b-\u200f\u2060-\u2064\ufeff\u{e0000}-\u{e007f}]$/u

// Markup, escapes, and letters that may be others. Each reads a bounded number
// of characters.
const disguise =
  /<!--[\s\S]{0,200}?-->|<\/?[a-z][^<>]{0,200}>|&(?:#\d{1,7}|#x[\da-f]{1,6}|nbsp);|\\(?:u[\da-f]{4}|[nrt])|[*~`]+|\P{ASCII}/giu

/** The text as a model reads it: without markup, in plain letters. */
export function foldMarkup(text: string): FoldedText {
  return foldWith(text, disguise, (found) => {
    if (/^[<*~`]/.test(found)) return ''
    if (found.startsWith('&')) return letterOf(entityCode(found))
    if (/^\\u/.test(found)) return letterOf(Number.parseInt(found.slice(2), 16))
    return found.startsWith('\\') ? ' ' : shownLetter(found)
  })
}

function entityCode(entity: string): number {
  const [, hex, digits] = /^&#(?:x([\da-f]+)|(\d+));$/i.exec(entity) ?? []
  if (hex !== undefined) return Number.parseInt(hex, 16)
  return digits === undefined ? 0x20 : Number(digits)
}

function letterOf(code: number): string {
  return code > 0x10_ff_ff ? '' : shownLetter(String.fromCodePoint(code))
}

function shownLetter(char: string): string {
  if (invisible.test(char)) return shownTag(char)
  return lookAlikes.get(char) ?? char.normalize('NFKC')
}

/** Tags are ASCII that is not shown. */
function shownTag(hidden: string): string {
  const code = (hidden.codePointAt(0) ?? 0) - 0xe0000
  return code >= 0x20 && code < 0x7f ? String.fromCharCode(code) : ''
}
