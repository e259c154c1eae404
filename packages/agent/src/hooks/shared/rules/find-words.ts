import type { FoldedText } from '../../../scan/folded-text.ts'
import { foldText } from './fold-text.ts'
import type { Found } from './found.ts'

interface Branch {
  readonly next: Map<string, Branch>
  isWord: boolean
}

const inWord = /^[\p{L}\p{N}\p{M}]$/u
// They are written without spaces, so that a word has no edges to see.
const unspaced =
  /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]$/u

/**
 * Finds whole words and phrases, whatever case, accents, invisible characters
 * or look-alike letters they are written with. Takes time in proportion to the
 * text and to the longest word.
 */
export function compileWords(
  words: readonly string[],
  rule: string,
): (text: string) => readonly Found[] {
  const root = branch()
  for (const word of words) {
    const text = foldText(word, 'letters').text.trim()
    // It would be found nowhere, and whoever wrote it relies on it.
    if (text === '') throw new Error(`The word "${word}" has no letters`)
    let here = root
    for (const char of text) {
      const next = here.next.get(char) ?? branch()
      here.next.set(char, next)
      here = next
    }
    here.isWord = true
  }
  return (text) => findIn(root, foldText(text, 'letters'), rule)
}

function branch(): Branch {
  return { next: new Map(), isWord: false }
}

function findIn(root: Branch, folded: FoldedText, rule: string): Found[] {
  const { text, starts, ends } = folded
  const chars = Array.from(text)
  const found: Found[] = []
  let unit = 0
  for (let at = 0; at < chars.length; at++) {
    const length = wordAt(root, chars, at)
    if (length > 0) {
      const units = chars.slice(at, at + length).join('').length
      const start = starts[unit] ?? 0
      found.push({ rule, start, end: ends[unit + units - 1] ?? start })
    }
    unit += chars[at]?.length ?? 0
  }
  return found
}

/** How many characters the longest word has that stands here; 0: none. */
function wordAt(root: Branch, chars: readonly string[], at: number): number {
  if (!isEdge(chars[at - 1], chars[at])) return 0
  let here: Branch | undefined = root
  let longest = 0
  for (let next = at; here !== undefined && next <= chars.length; next++) {
    const isWhole = here.isWord && isEdge(chars[next - 1], chars[next])
    if (isWhole) longest = next - at
    here = here.next.get(chars[next] ?? '')
  }
  return longest
}

function isEdge(before: string | undefined, after: string | undefined) {
  if (before === undefined || after === undefined) return true
  if (!inWord.test(before) || !inWord.test(after)) return true
  return unspaced.test(before) || unspaced.test(after)
}
