import { createHash } from 'node:crypto'
import type { Row, Statement } from '../database.ts'
import type { StoreParts } from '../parts.ts'
import { StoreError } from '../store-error.ts'
import { maxSuperseded } from './bounds.ts'
import { sameText } from './fold-words.ts'
import type { NewMemory, Remembered } from './memories.ts'
import { type MemoryPayload, openMemory } from './memory-row.ts'
import { type Space, spaceId, spaceOf } from './space.ts'
import type { SpaceRoom } from './space-room.ts'
import {
  deleteWords,
  findSame,
  insertMemory,
  insertWords,
  pruneMemories,
  refreshMemory,
  supersedeMemory,
} from './statements.ts'
import { indexText } from './words.ts'

export interface Wanted {
  readonly space: Space
  readonly name: string | undefined
  readonly memory: NewMemory
}

// Each time one of those who write at once gets through.
const maxAttempts = 32

/** Keeps something, unless it is known; again, if somebody else was faster. */
export async function writeMemory(
  parts: StoreParts,
  room: SpaceRoom,
  wanted: Wanted,
): Promise<Remembered> {
  for (let attempt = 0; attempt < maxAttempts; attempt++) {
    const { statements, isNew, ...remembered } = await planWrite(parts, wanted)
    if (isNew) await room.take(spaceId(wanted.space))
    try {
      await parts.database.write({ name: 'memory.remember', statements })
      return remembered
    } catch (error) {
      const isLate = error instanceof StoreError && error.code === 'conflict'
      if (!isLate) throw error
    }
  }
  const message = 'A memory is being changed by too many at once; try again.'
  throw new StoreError('busy', message)
}

interface PlannedWrite extends Remembered {
  readonly statements: readonly Statement[]
  readonly isNew: boolean
}

async function planWrite(
  parts: StoreParts,
  wanted: Wanted,
): Promise<PlannedWrite> {
  const { space, name: given, memory } = wanted
  const id = parts.nextId()
  const digest = digestOf(parts, memory.text)
  const name = given ?? `${unnamed}${digest?.slice(0, 20) ?? id}`
  const home = spaceId(space)
  const values = [home, name, home, digest, name]
  const rows = await parts.database.read({ sql: findSame, values })
  const named = rows.find((row) => row['name'] === name)
  if (named !== undefined) {
    if (isSame(named, memory.text, parts)) return refresh(parts, named, name)
    const statements = [
      ...supersede(named, wanted.space, name),
      ...insert(parts, wanted, { id, name, digest }),
    ]
    return { name, outcome: 'replaced', isNew: false, statements }
  }
  const known = rows.find(
    (row) => given === undefined || String(row['name']).startsWith(unnamed),
  )
  if (known !== undefined) {
    return refresh(parts, known, given ?? String(known['name']))
  }
  const statements = insert(parts, wanted, { id, name, digest })
  return { name, outcome: 'added', isNew: true, statements }
}

/** Begins the names of what was given none. */
const unnamed = 'note-'

/**
 * By what two that say the same are found. A text with a secret in it has none:
 * a digest of a secret is something to try guesses against.
 */
function digestOf(
  { payloads, redactor }: StoreParts,
  text: string,
): string | null {
  if (redactor.data(text) !== text) return null
  const hash = createHash('sha256').update(sameText(text)).digest('hex')
  return payloads.wordForms(hash)[0] ?? null
}

function isSame(row: Row, text: string, parts: StoreParts): boolean {
  return sameText(openMemory(row, parts).text) === sameText(text)
}

function refresh(parts: StoreParts, row: Row, name: string): PlannedWrite {
  const id = String(row['id'])
  const kept = { sql: refreshMemory, values: [name, id], expects: 1 }
  const { text } = openMemory(row, parts)
  // It is found by its name, too.
  const renamed =
    row['name'] === name
      ? []
      : [
          { sql: deleteWords, values: [id] },
          wordsStatement(parts, { id, name, text }),
        ]
  const statements = [kept, ...renamed]
  return { name, outcome: 'refreshed', isNew: false, statements }
}

function supersede(row: Row, space: Space, name: string): readonly Statement[] {
  const id = String(row['id'])
  const kept = [spaceId(space), name, maxSuperseded]
  return [
    { sql: supersedeMemory, values: [id], expects: 1 },
    { sql: deleteWords, values: [id] },
    { sql: pruneMemories, values: kept },
  ]
}

interface Identity {
  readonly id: string
  readonly name: string
  readonly digest: string | null
}

function insert(
  parts: StoreParts,
  { space, memory }: Wanted,
  { id, name, digest }: Identity,
): readonly Statement[] {
  const { payloads, redactor } = parts
  const { agent, user } = spaceOf(space)
  const { text, sessionId, turnId, origin = 'import', by } = memory
  const exact: MemoryPayload = { agent, user: user ?? null, text }
  const values = [
    ...[id, spaceId(space), redactor.text(agent)],
    ...[user === undefined ? null : redactor.text(user)],
    ...[sessionId ?? null, turnId ?? null, origin],
    ...[by === undefined ? null : redactor.text(by), name, digest],
    payloads.write(exact, ['memories', id]),
  ]
  return [
    { sql: insertMemory, values, expects: 1 },
    wordsStatement(parts, { id, name, text }),
  ]
}

interface Shown {
  readonly id: string
  readonly name: string
  readonly text: string
}

/** Without secrets; they are taken out of the whole, before it is cut. */
function wordsStatement(
  { database, payloads, redactor }: StoreParts,
  { id, name, text }: Shown,
): Statement {
  const shown = String(redactor.data(`${name}\n${text}`))
  const words = indexText(shown, database.dialect, payloads)
  return { sql: insertWords[database.dialect], values: [id, words] }
}
