import type { Payloads } from '../content/payloads.ts'
import type { Dialect } from '../database.ts'

const maxWords = 10_000
const maxQueryWords = 32
const maxWordChars = 64

/** The words of a text as they are compared: letters and digits, in lower case. */
export function wordsOf(text: string): readonly string[] {
  const plain = text
    .normalize('NFKD')
    // Accents; the marks of other scripts are parts of their words.
    .replace(/[\u0300-\u036f]/g, '')
    .toLowerCase()
  const words = plain.match(/[\p{L}\p{M}\p{N}]+/gu) ?? []
  return words.slice(0, maxWords).map((word) => word.slice(0, maxWordChars))
}

/**
 * What the index holds of a text. Words have no characters that an engine
 * reads as anything but a word.
 */
export function indexText(
  text: string,
  dialect: Dialect,
  payloads: Payloads,
): string {
  const words = wordsOf(text).flatMap((word) =>
    payloads.wordForms(word).slice(0, 1),
  )
  return dialect === 'sqlite' ? words.join(' ') : vectorText(words)
}

/** A query for any of the words; undefined if there are none. */
export function queryText(
  query: string,
  dialect: Dialect,
  payloads: Payloads,
): string | undefined {
  const words = [...new Set(wordsOf(query))].slice(0, maxQueryWords)
  if (words.length === 0) return undefined
  const forms = words.flatMap((word) => payloads.wordForms(word))
  return dialect === 'sqlite'
    ? forms.map((form) => `"${form}"`).join(' OR ')
    : forms.map((form) => `'${form}'`).join(' | ')
}

// As many as Postgres keeps for one word, and as far as it counts.
const maxPlaces = 255
const maxPlace = 16_383

function vectorText(words: readonly string[]): string {
  const places = new Map<string, number[]>()
  for (const [at, word] of words.entries()) {
    const known = places.get(word) ?? []
    if (known.length < maxPlaces) known.push(Math.min(at + 1, maxPlace))
    places.set(word, known)
  }
  return [...places].map(([word, at]) => `'${word}':${at.join(',')}`).join(' ')
}
