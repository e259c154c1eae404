import type { Finding } from '../finding.ts'

// Of no width; joiners are part of some scripts and of emoji, where they stand
// alone between two letters or signs.
const runs =
  /[\u200b-\u200d\u2060-\u2064\ufeff]{3,}|[\u{e0020}-\u{e007f}]{4,}|[\u202a-\u202e\u2066-\u2069]/gu

// The flags of England, Scotland and Wales are made of tags.
const flag = /\u{1f3f4}$/u

/** Characters that say something to a model and nothing to a reader. */
export function findHidden(text: string): readonly Finding[] {
  return Array.from(text.matchAll(runs), ({ index, 0: { length } }) => ({
    kind: 'hidden-text',
    start: index,
    end: index + length,
  })).filter(
    ({ start }) => !flag.test(text.slice(Math.max(0, start - 2), start)),
  )
}
