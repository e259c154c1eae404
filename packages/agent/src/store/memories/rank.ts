import type { TermGroup } from './terms.ts'
import { termsOf } from './terms.ts'

/** What is known of the memories among which one is looked for. */
export interface Corpus {
  /** About how many there are. */
  readonly documents: number
  /** In how many of them a term is. */
  frequency(term: string): number
}

/** The usual constants of BM25. */
const saturation = 1.2
const lengthShare = 0.75
/** A memory is a sentence or two; to know the mean would cost a scan. */
const usualTerms = 24
/** What is found by its stem may be another word. */
const stemWeight = 0.8

/** How much a term tells: the rarer it is, the more. */
export function weightOf(term: string, corpus: Corpus): number {
  const known = corpus.frequency(term)
  const all = Math.max(corpus.documents, known)
  return Math.log(1 + (all - known + 0.5) / (known + 0.5))
}

/**
 * How well a text fits what is looked for: BM25, but that each word counts by
 * the best of its forms. The same for every place where memories are kept.
 */
export function createScorer(
  groups: readonly TermGroup[],
  corpus: Corpus,
): (text: string) => number {
  const weighed = groups.map((group) =>
    group.map((term, index) => ({
      term,
      weight: weightOf(term, corpus) * (index === 0 ? 1 : stemWeight),
    })),
  )
  return (text) => {
    const terms = termsOf(text)
    const counts = new Map<string, number>()
    for (const term of terms) counts.set(term, (counts.get(term) ?? 0) + 1)
    const length = terms.length / usualTerms
    const norm = saturation * (1 - lengthShare + lengthShare * length)
    let score = 0
    for (const forms of weighed) {
      let best = 0
      for (const { term, weight } of forms) {
        const count = counts.get(term) ?? 0
        const share = (count * (saturation + 1)) / (count + norm)
        best = Math.max(best, weight * share)
      }
      score += best
    }
    return score
  }
}
