import { systemClock } from 'hookline'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createRedactor } from '../content/create-redactor.ts'
import { plainPayloads } from '../content/payloads.ts'
import type { Database } from '../database.ts'
import {
  type DatabasePlace,
  makePlace,
  openPlace,
  removePlace,
} from '../fixtures/places.ts'
import { namesOf } from './fixtures/memories-kit.ts'
import { createMemories, type Memories } from './memories.ts'
import { spaceId } from './space.ts'
import { countTerms, findNewest } from './statements.ts'

const count = 2_000
let place: DatabasePlace
let database: Database
let memories: Memories

beforeAll(async () => {
  place = await makePlace('postgres')
  database = await openPlace(place)
  let ids = 0
  memories = createMemories({
    database,
    payloads: plainPayloads,
    redactor: createRedactor(),
    nextId: () => String(ids++).padStart(8, '0'),
    clock: systemClock,
    worker: 'w1',
  })
  const numbers = Array.from({ length: count }, (_, number) => number)
  await Promise.all(
    numbers.map(async (number) => {
      const text = `the invoice ${number} of a customer was paid in advance`
      await memories.remember('main', `invoice-${number}`, { text })
    }),
  )
}, 60_000)

afterAll(async () => {
  await database.close()
  await removePlace(place)
})

const common = ['invoice', 'customer', 'paid', 'advance']

interface Plan {
  readonly Plans?: readonly Plan[]
  readonly 'Relation Name'?: string
  readonly 'Shared Hit Blocks': number
  readonly 'Shared Read Blocks': number
}

/** Pages of words and of their index; those of a catalogue come and go. */
function pagesOf(plan: Plan): number {
  const own = plan['Shared Hit Blocks'] + plan['Shared Read Blocks']
  if (plan['Relation Name'] === 'memory_words') return own
  return (plan.Plans ?? []).reduce((sum, part) => sum + pagesOf(part), 0)
}

/** Pages that the count of words looks at, and how many the rarest is in. */
async function counted(
  words: readonly string[],
): Promise<{ pages: number; least: number }> {
  const values = [JSON.stringify(words)]
  const sql = countTerms.postgres
  const explain = `EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ${sql}`
  const [told] = await database.read({ sql: explain, values })
  const [{ Plan: plan }] = JSON.parse(String(told?.['QUERY PLAN']))
  const pages = pagesOf(plan)
  const rows = await database.read({ sql, values })
  const found = rows.filter((row) => words.includes(String(row['term'])))
  return {
    pages,
    least: Math.min(...found.map((row) => Number(row['documents']))),
  }
}

async function analyze(): Promise<void> {
  const statements = [{ sql: 'ANALYZE memory_words', values: [] }]
  await database.write({ name: 'analyze', statements })
}

test('what was just remembered does not make every search slower', async () => {
  const { pages, least } = await counted(['nowhere'])
  expect(least).toBe(0)
  expect(pages).toBeLessThan(10)
})

test('common words are counted no more once Postgres has noted how common they are', async () => {
  await analyze()
  const { pages, least } = await counted(common)
  expect(pages).toBe(0)
  expect(least).toBeGreaterThan(0.9 * count)
})

test('the newest with common words are found by the index, not by looking through all', async () => {
  const match = `'${spaceId('main')}' & 'invoice' & ('nowhere' | 'neither')`
  const query = findNewest.postgres.replace('?', '$1').replace('?', '$2')
  const results = await database.write({
    name: 'explain',
    statements: [
      // As on a table that is too large to be looked through.
      `SELECT set_config('enable_seqscan', 'off', true),
        set_config('plan_cache_mode', 'force_generic_plan', true)`,
      `PREPARE newest (text, int) AS ${query}`,
      `EXPLAIN EXECUTE newest ('${match.replaceAll("'", "''")}', 64)`,
      'DEALLOCATE newest',
    ].map((sql) => ({ sql, values: [] })),
  })
  const plan = (results[2]?.rows ?? []).map((row) => row['QUERY PLAN'])
  expect(plan.join('\n')).toContain('on memory_words_index')
  expect(plan.join('\n')).not.toContain('memory_words_pkey')
})

test('what Postgres noted may be old: all is found that is there', async () => {
  await analyze()
  await memories.remember('main', 'rare', { text: 'Penelope paid in advance' })
  const rare = await memories.recall('main', 'Has Penelope paid in advance?')
  expect(namesOf(rare)[0]).toBe('rare')
  const statements = [
    { sql: "DELETE FROM memory_words WHERE id < '00001990'", values: [] },
    { sql: "DELETE FROM memories WHERE id < '00001990'", values: [] },
  ]
  await database.write({ name: 'delete', statements })
  const options = { limit: 100 }
  const left = await memories.recall('main', 'customer invoice', options)
  expect(left).toHaveLength(10)
  await analyze()
  const anew = await memories.recall('main', 'customer invoice', options)
  expect(namesOf(anew).toSorted()).toEqual(namesOf(left).toSorted())
})
