import { englishFillers, germanFillers, japaneseFillers } from './templates.ts'

/** Words that fill the places of a template, by the name of the place. */
export interface FillerLanguage {
  readonly templates: readonly string[]
  readonly words: { readonly [place: string]: readonly string[] }
}

const languages = [englishFillers, germanFillers, japaneseFillers]

/**
 * Made-up memories that answer none of the questions, but are about the same
 * sort of things in the same words: doctors, keys, rents, backups. The same
 * ones each time, and none of them twice.
 */
export function* fillers(count: number, seed = 1): Generator<string> {
  const random = createRandom(seed)
  const pick = <T>(list: readonly T[]): T | undefined =>
    list[Math.floor(random() * list.length)]
  const made = new Set<string>()
  for (let turn = 0; made.size < count; turn++) {
    const { templates, words } = languages[turn % 3] ?? englishFillers
    const text = (pick(templates) ?? '').replaceAll(
      /\{(\w+)\}/g,
      (_, place: string) =>
        place === 'n'
          ? String(1 + Math.floor(random() * 9_000))
          : (pick(words[place] ?? []) ?? ''),
    )
    if (made.has(text)) continue
    made.add(text)
    yield text
  }
}

/** A small generator of numbers from 0 to 1 (mulberry32). */
function createRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}
