import type { Payloads } from '../content/payloads.ts'
import type { Dialect } from '../database.ts'
import { termsOf } from './terms.ts'

/**
 * What the index holds of a text. Terms have no characters that an engine
 * reads as anything but a word.
 */
export function indexText(
  text: string,
  dialect: Dialect,
  payloads: Payloads,
): string {
  const terms = termsOf(text).flatMap((term) =>
    payloads.wordForms(term).slice(0, 1),
  )
  return dialect === 'sqlite' ? terms.join(' ') : vectorText(terms)
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
