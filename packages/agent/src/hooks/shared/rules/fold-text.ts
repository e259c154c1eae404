import type { FoldedText } from '../../../scan/folded-text.ts'
import { lookAlikes } from '../../../scan/look-alikes.ts'

/**
 * `plain`: without what nobody sees, in compatible characters. `letters`: also
 * without case, accents and letters that only look like others.
 */
export type Fold = 'plain' | 'letters'

// Joiners, marks of direction, selectors, fillers, soft hyphens and the like.
const unseen = /^[\p{Default_Ignorable_Code_Point}\p{Cf}]$/u
const accents =
  /[\u0300-\u036f\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f]/g
const space = /^\s+$/

/** Folds a text; white space of any length becomes one space. */
export function foldText(text: string, fold: Fold): FoldedText {
  const parts: string[] = []
  const starts: number[] = []
  const ends: number[] = []
  let at = 0
  let isSpace = false
  for (const char of text) {
    const end = at + char.length
    const folded = foldChar(char, fold)
    const isNowSpace = folded !== '' && space.test(folded)
    if (isNowSpace && isSpace) ends[ends.length - 1] = end
    else if (folded !== '') {
      const shown = isNowSpace && fold === 'letters' ? ' ' : folded
      parts.push(shown)
      for (let unit = 0; unit < shown.length; unit++) {
        starts.push(at)
        ends.push(end)
      }
    }
    if (folded !== '') isSpace = isNowSpace && fold === 'letters'
    at = end
  }
  return { text: parts.join(''), starts, ends }
}

function foldChar(char: string, fold: Fold): string {
  if (char < '\u0080') {
    if (fold === 'plain') return char
    // Words of a phrase are also written with these between them.
    return char === '-' || char === '_' ? ' ' : char.toLowerCase()
  }
  if (unseen.test(char)) return ''
  if (fold === 'letters' && /^\p{Pd}$/u.test(char)) return ' '
  if (fold === 'plain') return char.normalize('NFKC')
  const bare = char.normalize('NFKD').replace(accents, '')
  return Array.from(bare, (one) => lookAlikes.get(one) ?? caseless(one)).join(
    '',
  )
}

/** By way of capitals, so that ß, ſ and final sigma are what they stand for. */
function caseless(char: string): string {
  const small = char.toUpperCase().toLowerCase()
  return Array.from(small, (one) => lookAlikes.get(one) ?? one).join('')
}
