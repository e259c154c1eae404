import { type Clock, systemClock } from 'hookline'
import {
  checkLimit,
  checkName,
  checkText,
  maxSuperseded,
  tooMany,
} from './bounds.ts'
import { sameText } from './fold-words.ts'
import type {
  FoundMemory,
  Memories,
  Memory,
  NewMemory,
  SupersededMemory,
} from './memories.ts'
import { createScorer } from './rank.ts'
import { type Space, spaceId, spaceOf } from './space.ts'
import { queryTerms, termsOf } from './terms.ts'

export interface TransientMemoriesOptions {
  /** How many a space holds; default 10 000. */
  readonly maxEntries?: number
  readonly clock?: Clock
}

interface SpaceMemories {
  readonly current: Map<string, Memory>
  readonly superseded: Map<string, readonly SupersededMemory[]>
  /** The names of what has a term. */
  readonly names: Map<string, Set<string>>
  /** The names of what says a thing. */
  readonly sayings: Map<string, Set<string>>
}

const unnamed = 'note-'
const anyName = { text: (name: string) => name }

/** Memories that are gone with the process, for runtimes without a store. */
export function createTransientMemories({
  maxEntries = 10_000,
  clock = systemClock,
}: TransientMemoriesOptions = {}): Memories {
  const spaces = new Map<string, SpaceMemories>()
  let notes = 0

  const find = (space: Space): SpaceMemories =>
    spaces.get(spaceId(space)) ?? emptySpace()

  return {
    async remember(space, given, memory) {
      checkText(memory.text)
      const home = find(space)
      spaces.set(spaceId(space), home)
      const name = given === undefined ? undefined : checkName(given, anyName)
      const now = clock.wallAt(clock.now())
      const named = name === undefined ? undefined : home.current.get(name)
      const known = named ?? sayingTheSame(home, name, memory.text)
      if (known && sameText(known.text) === sameText(memory.text)) {
        take(home, known)
        const kept = { ...known, name: name ?? known.name, updatedAt: now }
        add(home, kept)
        return { name: kept.name, outcome: 'refreshed' }
      }
      if (named !== undefined) supersede(home, named, now)
      else if (home.current.size >= maxEntries) throw tooMany(maxEntries)
      const made = madeOf(space, name ?? `${unnamed}${++notes}`, memory, now)
      add(home, made)
      const outcome = named === undefined ? 'added' : 'replaced'
      return { name: made.name, outcome }
    },
    async recall(given, query, { limit = 10 } = {}) {
      checkLimit(limit)
      const all = Array.isArray(given) ? given : [given as Space] // the rest
      const homes = all.map(find)
      return search(homes, query).slice(0, limit)
    },
    async forget(space, name) {
      const home = find(space)
      const known = home.current.get(name)
      if (known !== undefined) take(home, known)
      const hadOthers = home.superseded.delete(name)
      return known !== undefined || hadOthers
    },
    async list(space, { limit = 50, after = '' } = {}) {
      checkLimit(limit)
      const names = [...find(space).current.values()]
        .filter(({ name }) => name > after)
        .sort((a, b) => (a.name < b.name ? -1 : 1))
      return names.slice(0, limit)
    },
    superseded: async (space, name) => find(space).superseded.get(name) ?? [],
  }
}

function emptySpace(): SpaceMemories {
  return {
    current: new Map(),
    superseded: new Map(),
    names: new Map(),
    sayings: new Map(),
  }
}

/** One that was given no name yet, or any if the new one has none. */
function sayingTheSame(
  { current, sayings }: SpaceMemories,
  name: string | undefined,
  text: string,
): Memory | undefined {
  const known = [...(sayings.get(sameText(text)) ?? [])].find(
    (one) => name === undefined || one.startsWith(unnamed),
  )
  return known === undefined ? undefined : current.get(known)
}

function madeOf(
  space: Space,
  name: string,
  memory: NewMemory,
  now: number,
): Memory {
  const { agent, user = null } = spaceOf(space)
  const { text, sessionId = null, turnId = null, by = null } = memory
  const { origin = 'import' } = memory
  const about = { agent, user, name, text, sessionId, turnId, origin, by }
  return Object.freeze({ ...about, createdAt: now, updatedAt: now })
}

function add(home: SpaceMemories, memory: Memory): void {
  home.current.set(memory.name, memory)
  note(home.sayings, sameText(memory.text), memory.name)
  for (const term of wordsIn(memory)) note(home.names, term, memory.name)
}

function take(home: SpaceMemories, memory: Memory): void {
  home.current.delete(memory.name)
  strike(home.sayings, sameText(memory.text), memory.name)
  for (const term of wordsIn(memory)) strike(home.names, term, memory.name)
}

type Names = Map<string, Set<string>>

function note(names: Names, key: string, name: string): void {
  names.set(key, (names.get(key) ?? new Set<string>()).add(name))
}

function strike(names: Names, key: string, name: string): void {
  const known = names.get(key)
  known?.delete(name)
  if (known?.size === 0) names.delete(key)
}

function wordsIn({ name, text }: Memory): ReadonlySet<string> {
  return new Set(termsOf(`${name}\n${text}`))
}

function supersede(home: SpaceMemories, memory: Memory, now: number): void {
  take(home, memory)
  const { superseded } = home
  const earlier = superseded.get(memory.name) ?? []
  const all = [{ ...memory, supersededAt: now }, ...earlier]
  superseded.set(memory.name, all.slice(0, maxSuperseded))
}

function search(
  homes: readonly SpaceMemories[],
  query: string,
): readonly FoundMemory[] {
  const groups = queryTerms(query)
  const terms = groups.flat()
  const score = createScorer(groups, {
    documents: homes.reduce((sum, { current }) => sum + current.size, 0),
    frequency: (term) =>
      homes.reduce((sum, { names }) => sum + (names.get(term)?.size ?? 0), 0),
  })
  const found = homes.flatMap(({ current, names }) => {
    const any = new Set(terms.flatMap((term) => [...(names.get(term) ?? [])]))
    return [...any].flatMap((name) => current.get(name) ?? [])
  })
  return found
    .map((one) => ({ ...one, score: score(`${one.name}\n${one.text}`) }))
    .sort((a, b) => b.score - a.score || b.updatedAt - a.updatedAt)
}
