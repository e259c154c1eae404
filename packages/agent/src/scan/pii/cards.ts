import type { Spans } from '../spans.ts'
import { digitsOf, isLuhn } from './digits.ts'

const candidate =
  /(?<![\w./#-]|\d,)\d(?:(?:[ ./_-]| {2}|\t)?\d){12,18}(?!\w|[.-]\d)/g

const brands: readonly [RegExp, readonly number[]][] = [
  [/^4/, [13, 16, 19]],
  [/^(?:5[1-5]|2(?:22[1-9]|2[3-9]|[3-6]|7[01]|720))/, [16]],
  [/^3[47]/, [15]],
  [/^3(?:0[0-5]|[68])/, [14]],
  [/^(?:6011|65|64[4-9]|622)/, [16, 19]],
  [/^35(?:2[89]|[3-8])/, [16, 19]],
]

/** Numbers of payment cards: a known beginning, its length, and Luhn's sum. */
export function findCards(text: string, spans: Spans): void {
  for (const { index, 0: found } of text.matchAll(candidate)) {
    const digits = digitsOf(found)
    const isBrand = brands.some(
      ([start, lengths]) =>
        start.test(digits) && lengths.includes(digits.length),
    )
    if (!isBrand || !isLuhn(digits) || !isGrouped(found)) continue
    if (new Set(digits).size < 2) continue
    spans.add(index, index + found.length, 'card')
  }
}

/** In one piece, or in groups as cards have them. */
function isGrouped(found: string): boolean {
  const groups = found.split(/[ \t./_-]+/).map(({ length }) => length)
  if (groups.length === 1) return true
  const shape = groups.join()
  return /^(?:4,4,4,[1-4]|4,4,4,4,[1-3]|4,6,[45])$/.test(shape)
}
