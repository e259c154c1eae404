import type { Find } from './finding.ts'
import { joinFindings } from './spans.ts'

/** A text in a form in which disguises are gone, and where its parts were. */
export interface FoldedText {
  readonly text: string
  /** For each code unit: where what it stands for begins in the original. */
  readonly starts: readonly number[]
  /** And where it ends. */
  readonly ends: readonly number[]
}

/** Something else in place of all that a pattern finds. */
export function foldWith(
  text: string,
  pattern: RegExp,
  fold: (found: string) => string,
): FoldedText {
  const parts: string[] = []
  const starts: number[] = []
  const ends: number[] = []
  const copy = (from: number, to: number) => {
    parts.push(text.slice(from, to))
    for (let at = from; at < to; at++) {
      starts.push(at)
      ends.push(at + 1)
    }
  }
  let at = 0
  for (const { index, 0: found } of text.matchAll(pattern)) {
    copy(at, index)
    at = index + found.length
    const folded = fold(found)
    parts.push(folded)
    for (let unit = 0; unit < folded.length; unit++) {
      starts.push(index)
      ends.push(at)
    }
  }
  copy(at, text.length)
  return { text: parts.join(''), starts, ends }
}

/** What is found in a text as it is, and in what it is without disguise. */
export function findThrough(
  find: Find,
  fold: (text: string) => FoldedText | undefined,
): Find {
  return (text) => {
    const found = find(text)
    const folded = fold(text)
    if (folded === undefined || folded.text === text) return found
    const mapped = find(folded.text).map(({ kind, start, end }) => ({
      kind,
      start: folded.starts[start] ?? text.length,
      end: folded.ends[end - 1] ?? text.length,
    }))
    return joinFindings([...found, ...mapped])
  }
}

// Joiners, marks of direction, selectors, fillers, soft hyphens and the like.
const unseen = /^[\p{Default_Ignorable_Code_Point}\p{Cf}]$/u
const dash = /^[\p{Pd}\u2212]$/u

/** Signs of other alphabets, and those nobody sees, as plain ones. */
export function foldSigns(text: string): FoldedText | undefined {
  if (!/\P{ASCII}/u.test(text)) return undefined
  return foldWith(text, /\P{ASCII}/gu, plainSign)
}

function plainSign(char: string): string {
  if (unseen.test(char)) return ''
  if (dash.test(char)) return '-'
  return char.normalize('NFKC').replace(/[^\P{Nd}\d]/gu, digitOf)
}

/** Every alphabet has its digits in a row. */
function digitOf(char: string): string {
  const code = char.codePointAt(0) ?? 0
  let value = 0
  while (value < 9 && /\p{Nd}/u.test(String.fromCodePoint(code - value - 1))) {
    value++
  }
  return String(value)
}
