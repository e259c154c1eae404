import { AsyncLocalStorage } from 'node:async_hooks'
import { defineHook, proceed } from 'hookline'
import { toolGuard } from 'hookline/lifecycle'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import type { InputOf, OutputOf } from '../../protocol/operations.ts'
import {
  admin,
  longMs,
  openWorld,
  runner,
  type World,
} from '../fixtures/open-world.ts'

vi.setConfig({ testTimeout: longMs })

const copied = `id, started_at, dispatch, session_id, agent, point, hook,
  visibility, mode, attempt, state, place, decided, failed_open, contributions,
  diagnostics, content`

/** As many as a busy daemon has in some hours; every tenth is for users. */
async function fill(world: World, count: number): Promise<void> {
  await world.callTool({})
  const { database } = world.workspace.store.parts
  const bulk = 'x'.repeat(2_000)
  // One row of the run that there is, again and again, each a moment later.
  const sql = `WITH RECURSIVE n(i) AS (
    SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${count})
    INSERT INTO runs (${copied})
    SELECT 'many-' || i, 1000000 + i, dispatch, session_id, agent, point, hook,
      CASE WHEN i % 10 = 0 THEN 'user_visible' ELSE 'internal' END, mode,
      attempt, state, place, decided, failed_open, contributions, diagnostics,
      '"${bulk}"' FROM n, (SELECT * FROM runs LIMIT 1) AS one`
  await database.write({ name: 'test.fill', statements: [{ sql, values: [] }] })
}

/** Whether something is done for whoever follows. */
const following = new AsyncLocalStorage<true>()

/**
 * What the store is asked for to follow runs, and how much it gives at a time.
 * Others ask it every now and then, how often is a matter of time.
 */
function watchStore({ workspace }: World) {
  const { database } = workspace.store.parts
  const real = database.read.bind(database)
  const asked: { readonly sql: string; readonly count: Promise<number> }[] = []
  const read = vi.spyOn(database, 'read').mockImplementation((query) => {
    const rows = real(query)
    if (following.getStore()) {
      asked.push({ sql: query.sql, count: rows.then(({ length }) => length) })
    }
    return rows
  })
  onTestFinished(() => read.mockRestore())
  return async () => {
    expect(asked).not.toEqual([])
    const rows = await Promise.all(asked.map(({ count }) => count))
    const texts = asked.map(({ sql }) => sql)
    return { most: Math.max(...rows), count: rows.length, texts }
  }
}

type Item = OutputOf<'watchRuns'>

async function open(
  { operations }: World,
  input: InputOf<'watchRuns'>,
  { caller } = admin,
) {
  const stop = new AbortController()
  onTestFinished(() => stop.abort())
  const stream = await operations.watchRuns(input, {
    caller,
    signal: stop.signal,
  })
  const items = stream[Symbol.asyncIterator]()
  const next = () => following.run(true, () => items.next())
  return async () => (await next()).value as Item // it does not end
}

const quick = defineHook({
  name: 'quick',
  on: toolGuard,
  run: () => proceed,
})

describe.each(['sqlite', 'postgres'] as const)('on %s', (engine) => {
  test('whoever follows runs from long ago is told of the newest, page by page, and of how many they are not', async () => {
    const world = await openWorld({ engine, hooks: [quick] })
    await fill(world, 12_000)
    const asked = watchStore(world)
    const next = await open(world, { after: '0' })
    expect(await next()).toMatchObject({ type: 'notice' })
    // With the one that was there.
    expect(await next()).toMatchObject({ type: 'lagged', missed: 2_001 })
    const starts: number[] = []
    for (let count = 0; count < 1_000; count++) {
      const item = await next()
      if (item.type === 'run') starts.push(item.run.startedAt)
    }
    expect(starts).toHaveLength(1_000)
    expect(starts[0]).toBe(1_002_002)
    expect(starts).toEqual(starts.toSorted((a, b) => a - b))
    const { most, count, texts } = await asked()
    expect(most).toBeLessThanOrEqual(1_000)
    expect(count).toBeLessThan(20)
    expect(texts.filter((sql) => /\bcontent\b/.test(sql))).toEqual([])
  })
})

test('who is told how many were left out is told of those that they may see', async () => {
  const world = await openWorld({ hooks: [quick] })
  await fill(world, 12_000)
  const next = await open(world, { after: '0' }, runner)
  expect(await next()).toMatchObject({ type: 'notice' })
  expect(await next()).toMatchObject({ type: 'lagged', missed: 200 })
  expect(await next()).toMatchObject({
    type: 'run',
    run: { visibility: 'user_visible' },
  })
})

test('whoever reads slowly holds nothing but a page, and misses nothing', async () => {
  const world = await openWorld({ hooks: [quick] })
  await fill(world, 3_000)
  const asked = watchStore(world)
  const next = await open(world, { after: '0' })
  await next()
  const cursors = new Set<string | undefined>()
  for (let count = 0; count < 500; count++) cursors.add((await next()).cursor)
  // It has read what it told, and the page that it is in.
  expect((await asked()).count).toBeLessThan(10)
  const ids = new Set<string>()
  const rest = await open(world, { after: [...cursors].at(-1) ?? '' })
  await rest()
  while (!ids.has('many-3000')) {
    const item = await rest()
    if (item.type === 'run') ids.add(item.run.id)
  }
  const missed = Array.from({ length: 2_500 }, (_, at) => `many-${at + 501}`)
  expect(missed.filter((id) => !ids.has(id))).toEqual([])
})
