import type { StoreParts } from '../parts.ts'
import { checkLimit, checkName, checkText, maxSuperseded } from './bounds.ts'
import { openMemory } from './memory-row.ts'
import { searchMemories } from './search-memories.ts'
import { type Space, spaceId } from './space.ts'
import { SpaceRoom } from './space-room.ts'
import {
  deleteMemory,
  forgetWords,
  listMemories,
  listSuperseded,
} from './statements.ts'
import { writeMemory } from './write-memory.ts'

/** Something that an agent has been told to keep, beyond its sessions. */
export interface Memory extends Provenance {
  readonly agent: string
  /** Whose it is; null: the agent's own. */
  readonly user: string | null
  /** What it is about: there is one of each name in a space. */
  readonly name: string
  readonly text: string
  readonly createdAt: number
  /** When it was last said. */
  readonly updatedAt: number
}

/** Where a memory comes from. */
interface Provenance {
  readonly sessionId: string | null
  readonly turnId: string | null
  readonly origin: MemoryOrigin
  /** The hook or model that wrote it. */
  readonly by: string | null
}

export type MemoryOrigin = 'tool' | 'extractor' | 'import'

export interface FoundMemory extends Memory {
  /** Higher fits better; comparable within one search. */
  readonly score: number
}

/** One that a newer one of the same name has taken the place of. */
export interface SupersededMemory extends Memory {
  readonly supersededAt: number
}

export interface NewMemory {
  readonly text: string
  readonly sessionId?: string
  readonly turnId?: string
  /** Default: `import`. */
  readonly origin?: MemoryOrigin
  readonly by?: string
}

/**
 * `refreshed`: it was known already. `replaced`: something else was known under
 * the name, which is kept as superseded.
 */
export interface Remembered {
  readonly name: string
  readonly outcome: 'added' | 'refreshed' | 'replaced'
}

/** Memories of agents and users, found by their words. */
export interface Memories {
  /**
   * Keeps something under a name; without a name it is known by what it says.
   * What says the same as before is not kept twice; what says something else
   * under a known name supersedes that.
   */
  remember(
    space: Space,
    name: string | undefined,
    memory: NewMemory,
  ): Promise<Remembered>
  /** What has any of the words of the query, the best first. */
  recall(
    spaces: Space | readonly Space[],
    query: string,
    options?: { readonly limit?: number },
  ): Promise<readonly FoundMemory[]>
  /** Whether there was something to forget; what it superseded goes, too. */
  forget(space: Space, name: string): Promise<boolean>
  /** By name, from after the given one on. */
  list(
    space: Space,
    options?: { readonly limit?: number; readonly after?: string },
  ): Promise<readonly Memory[]>
  /** What was known under a name before, the latest first. */
  superseded(space: Space, name: string): Promise<readonly SupersededMemory[]>
}

export interface MemoriesOptions {
  /** How many a space holds, about; default 200 000. */
  readonly maxEntries?: number
}

export function createMemories(
  parts: StoreParts,
  { maxEntries = 200_000 }: MemoriesOptions = {},
): Memories {
  const { database, redactor } = parts
  const room = new SpaceRoom(database, maxEntries)
  return {
    async remember(space, name, memory) {
      const known = name === undefined ? undefined : checkName(name, redactor)
      checkText(memory.text)
      return await writeMemory(parts, room, { space, name: known, memory })
    },
    async recall(spaces, query, { limit = 10 } = {}) {
      const all = Array.isArray(spaces) ? spaces : [spaces as Space] // the rest
      return await searchMemories(parts, query, {
        spaces: all.map(spaceId),
        limit: checkLimit(limit),
      })
    },
    async forget(space, name) {
      const values = [spaceId(space), name]
      const [, forgotten] = await database.write({
        name: 'memory.forget',
        statements: [
          { sql: forgetWords, values },
          { sql: deleteMemory, values },
        ],
      })
      return (forgotten?.changes ?? 0) > 0
    },
    async list(space, { limit = 50, after = '' } = {}) {
      const values = [spaceId(space), after, checkLimit(limit)]
      const rows = await database.read({ sql: listMemories, values })
      return rows.map((row) => openMemory(row, parts))
    },
    async superseded(space, name) {
      const values = [spaceId(space), name, maxSuperseded]
      const rows = await database.read({ sql: listSuperseded, values })
      return rows.map((row) => ({
        ...openMemory(row, parts),
        supersededAt: Number(row['superseded_at']),
      }))
    },
  }
}
