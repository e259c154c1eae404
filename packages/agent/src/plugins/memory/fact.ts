import { countCodePoints } from 'hookline'
import { subjectOf } from './subject.ts'

/** Something that a turn told, worth to be kept. */
export interface Fact {
  readonly text: string
  /** What it is about; facts about one subject replace each other. */
  readonly subject?: string
}

export const maxFacts = 5
const maxFactPoints = 500

/**
 * Of what an extractor says, the facts that can be kept: of a size to be one,
 * and with a word that the user said. The rest is counted.
 */
export function checkFacts(
  found: unknown,
  said: string,
): { readonly facts: readonly Fact[]; readonly refused: number } {
  const all = Array.isArray(found) ? found : []
  const facts = all.slice(0, maxFacts).flatMap((one) => {
    const fact = readFact(one)
    return fact !== undefined && sharesWord(fact.text, said) ? [fact] : []
  })
  return { facts, refused: all.length - facts.length }
}

function readFact(value: unknown): Fact | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  const { text, subject } = value as Record<string, unknown> // an object
  if (typeof text !== 'string' || text.trim() === '') return undefined
  if (countCodePoints(text) > maxFactPoints) return undefined
  if (subject === undefined) return { text: text.trim() }
  if (typeof subject !== 'string') return undefined
  const name = subjectOf(subject)
  return name === undefined ? undefined : { text: text.trim(), subject: name }
}

/** Whoever makes things up seldom says them in the user's own words. */
function sharesWord(text: string, said: string): boolean {
  const words = new Set(longWords(said))
  return longWords(text).some((word) => words.has(word))
}

const unspaced = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u

/** Words of some length; of scripts without spaces, two characters each. */
function longWords(text: string): readonly string[] {
  const plain = text.normalize('NFKC').toLowerCase()
  const words = plain.match(/[\p{L}\p{M}\p{N}]+/gu) ?? []
  return words.flatMap((word) => {
    if (!unspaced.test(word)) return word.length > 3 ? [word] : []
    const signs = Array.from(word)
    return signs.slice(1).map((sign, at) => `${signs[at]}${sign}`)
  })
}
