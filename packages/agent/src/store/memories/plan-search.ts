import type { Corpus } from './rank.ts'
import type { TermGroup } from './terms.ts'

/** Which memories are looked at closely. */
export interface SearchPlan {
  /** Those with any of these words, the best first. */
  readonly ranked: readonly TermGroup[]
  /**
   * If there are too few: the newest with the first of these, and any other
   * word there is. So many have them that to rank all would take too long.
   */
  readonly common: readonly TermGroup[]
}

/** How many memories an engine is to rank at most. */
const maxRanked = 2_000

/**
 * The rarest words find the candidates; common ones only help to order them
 * afterwards. Words that are nowhere are left out.
 */
export function planSearch(
  groups: readonly TermGroup[],
  corpus: Corpus,
): SearchPlan {
  const known = groups
    .map((group) => ({ group, found: foundBy(group, corpus) }))
    .filter(({ found }) => found > 0)
    .sort((a, b) => a.found - b.found)
  const all = known.map(({ group }) => group)
  let room = maxRanked
  const tooMany = known.findIndex(({ found }) => {
    room -= found
    return room < 0
  })
  const rare = tooMany < 0 ? all.length : tooMany
  return { ranked: all.slice(0, rare), common: all.slice(rare) }
}

function foundBy(group: TermGroup, corpus: Corpus): number {
  return group.reduce((sum, term) => sum + corpus.frequency(term), 0)
}
