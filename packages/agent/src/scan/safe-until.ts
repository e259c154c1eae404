import type { SafeUntil } from 'hookline'
import type { Find } from './finding.ts'

/**
 * Lets text out as long as nothing is found in it. The last characters wait,
 * and the word that they begin in: what they become is not known yet. From the
 * first finding on all waits, until the whole is judged.
 * @param waiting more than any finding with spaces in it has characters
 */
export function createSafeUntil(find: Find, waiting: number): SafeUntil {
  return (text, from, isWhole) => {
    const first = find(text).find(({ end }) => end > from)
    const known = isWhole ? text.length : wordStart(text, from, waiting)
    return Math.min(known, first?.start ?? known)
  }
}

function wordStart(text: string, from: number, waiting: number): number {
  let at = Math.max(from, text.length - waiting)
  while (at > from && !isSpace(text.charCodeAt(at - 1))) at--
  return at
}

function isSpace(code: number): boolean {
  return code === 0x20 || (code >= 0x09 && code <= 0x0d)
}
