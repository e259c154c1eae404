import type { Finding } from '../finding.ts'

// Of no width; joiners are part of some scripts and of emoji, where they stand
// alone between two letters or signs.
const invisible =
  /[\u00ad\u180e\u200b-\u200f\u2060-\u2064\ufeff\u{e0000}-\u{e007f}]/gu
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

/** The text as a model reads it, and where its characters stood. */
export function withoutHidden(text: string): {
  readonly plain: string
  readonly placeOf: (at: number) => number
} {
  const places: number[] = []
  let plain = ''
  let at = 0
  for (const { index, 0: hidden } of text.matchAll(invisible)) {
    for (let place = at; place < index; place++) places.push(place)
    plain += text.slice(at, index) + shownTag(hidden)
    if (shownTag(hidden) !== '') places.push(index)
    at = index + hidden.length
  }
  if (at === 0) return { plain: text, placeOf: (place) => place }
  for (let place = at; place < text.length; place++) places.push(place)
  plain += text.slice(at)
  return { plain, placeOf: (place) => places[place] ?? text.length }
}

/** Tags are ASCII that is not shown. */
function shownTag(hidden: string): string {
  const code = (hidden.codePointAt(0) ?? 0) - 0xe0000
  return code >= 0x20 && code < 0x7f ? String.fromCharCode(code) : ''
}
