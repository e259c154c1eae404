import type { Row, Statement } from '../database.ts'
import type { StoreParts } from '../parts.ts'
import { StoreError } from '../store-error.ts'
import {
  deleteMemory,
  deleteWords,
  findMemory,
  findWords,
  forgetWords,
  insertMemory,
  insertWords,
  listMemories,
  updateMemory,
} from './statements.ts'
import { indexText, queryText } from './words.ts'

/** Something that an agent has been told to keep, beyond its sessions. */
export interface Memory {
  readonly agent: string
  readonly name: string
  readonly text: string
  /** Where it was remembered. */
  readonly sessionId: string | null
  readonly createdAt: number
  readonly updatedAt: number
}

export interface Memories {
  /** What is remembered under a known name takes the place of what was. */
  remember(
    agent: string,
    name: string,
    memory: { readonly text: string; readonly sessionId?: string },
  ): Promise<void>
  /** What has any of the words of the query, the best first. */
  recall(
    agent: string,
    query: string,
    options?: { readonly limit?: number },
  ): Promise<readonly Memory[]>
  /** Whether there was something to forget. */
  forget(agent: string, name: string): Promise<boolean>
  /** By name, from after the given one on. */
  list(
    agent: string,
    options?: { readonly limit?: number; readonly after?: string },
  ): Promise<readonly Memory[]>
}

const maxNameChars = 200
const maxTextChars = 100_000
const maxLimit = 1_000
const maxAttempts = 5

/** Memories of agents, found by their words. */
export function createMemories(parts: StoreParts): Memories {
  const { database, payloads, redactor, nextId } = parts
  const { dialect } = database
  const agentText = (agent: string) => redactor.text(agent)
  const open = (row: Row) => openMemory(row, parts)

  /** Undefined if somebody else has just done the same, or undone it. */
  async function write(
    agent: string,
    name: string,
    { text, sessionId }: { text: string; sessionId?: string },
  ): Promise<true | undefined> {
    const find = { sql: findMemory, values: [agentText(agent), name] }
    const [row] = await database.read(find)
    const id = row === undefined ? nextId() : String(row['id'])
    const session = sessionId ?? null
    const payload = payloads.write({ agent, text }, ['memories', id])
    const kept: Statement =
      row === undefined
        ? {
            sql: insertMemory,
            values: [id, agentText(agent), session, name, payload],
            expects: 1,
          }
        : { sql: updateMemory, values: [session, payload, id], expects: 1 }
    // Whole, before it is cut into words.
    const shown = String(redactor.data(`${name}\n${text}`))
    const words = indexText(shown, dialect, payloads)
    const statements = [
      kept,
      { sql: deleteWords, values: [id] },
      { sql: insertWords[dialect], values: [id, words] },
    ]
    try {
      await database.write({ name: 'memory.remember', statements })
      return true
    } catch (error) {
      if (error instanceof StoreError && error.code === 'conflict') return
      throw error
    }
  }

  return {
    async remember(agent, name, memory) {
      checkMemory(name, memory.text, redactor.text(name) === name)
      for (let attempt = 0; attempt < maxAttempts; attempt++) {
        if (await write(agent, name, memory)) return
      }
      const message = `Memory "${name}" is being changed by too many at once; try again.`
      throw new StoreError('busy', message)
    },
    async recall(agent, query, { limit = 10 } = {}) {
      const wanted = queryText(query, dialect, payloads)
      if (wanted === undefined) return []
      const values = [wanted, agentText(agent), checkLimit(limit)]
      const rows = await database.read({ sql: findWords[dialect], values })
      return rows.map(open)
    },
    async forget(agent, name) {
      const values = [agentText(agent), name]
      const [, forgotten] = await database.write({
        name: 'memory.forget',
        statements: [
          { sql: forgetWords, values },
          { sql: deleteMemory, values },
        ],
      })
      return (forgotten?.changes ?? 0) > 0
    },
    async list(agent, { limit = 50, after = '' } = {}) {
      const values = [agentText(agent), after, checkLimit(limit)]
      const rows = await database.read({ sql: listMemories, values })
      return rows.map(open)
    },
  }
}

function openMemory(row: Row, { payloads }: StoreParts): Memory {
  const { id, name, session_id: sessionId } = row
  const place = ['memories', String(id)] as const
  // Only `write` above writes there.
  const exact = payloads.read(String(row['payload']), place) as {
    readonly agent: string
    readonly text: string
  }
  return {
    ...exact,
    name: String(name),
    sessionId: sessionId === null ? null : String(sessionId),
    createdAt: Number(row['created_at']),
    updatedAt: Number(row['updated_at']),
  }
}

/** A name is seen by people, so that it must be fit to be shown. */
function checkMemory(name: string, text: string, isShowable: boolean): void {
  const isName = name !== '' && name.length <= maxNameChars && isShowable
  if (isName && text.length <= maxTextChars) return
  const message = isName
    ? `A memory has at most ${maxTextChars} characters.`
    : `The name of a memory is one line of at most ${maxNameChars} characters, and no secret.`
  throw new StoreError('invalid-options', message)
}

function checkLimit(limit: number): number {
  if (Number.isInteger(limit) && limit > 0 && limit <= maxLimit) return limit
  const message = `A limit is a whole number from 1 to ${maxLimit}.`
  throw new StoreError('invalid-options', message)
}
