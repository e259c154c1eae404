import { expect, test } from 'vitest'
import type { Database } from '../database.ts'
import { forEachDatabase } from '../fixtures/databases.ts'
import { makeParts } from '../runs/fixtures/make-parts.ts'
import { sweepRunBatch } from '../runs/sweep-runs.ts'
import { analyze, firstTime, makeRuns } from './fixtures/many-runs.ts'
import { hookFigures, listHookNames } from './hook-figures.ts'
import { listRuns } from './list-runs.ts'
import { whyCall } from './why-call.ts'

// On Postgres fewer, so that the disk of a small machine is enough.
const largest = { sqlite: 10_000_000, postgres: 2_000_000 }
const rounds = 41

type Ask = (database: Database, random: number) => Promise<unknown>

/** What people ask for: anywhere among so many runs. */
function questions(count: number): Record<string, Ask> {
  const somewhere = (random: number) => Math.floor(random * count)
  const before = (random: number) => ({ until: firstTime + somewhere(random) })
  return {
    'runs by time': (database, random) =>
      listRuns({ database }, before(random)),
    'runs by session': (database, random) =>
      listRuns(
        { database },
        { sessionId: `s${(somewhere(random) / 1_000) | 0}` },
      ),
    'runs by hook': (database, random) =>
      listRuns({ database }, { hook: 'hook-7', ...before(random) }),
    'runs by point': (database, random) =>
      listRuns({ database }, { point: 'tool.guard', ...before(random) }),
    'runs by state': (database, random) =>
      listRuns({ database }, { state: 'failed', ...before(random) }),
    'why a call': (database, random) => {
      const call = Math.floor(somewhere(random) / 10)
      const turnId = `t${Math.floor(call / 10)}`
      return whyCall(makeParts(database), { turnId, callId: `c${call}` })
    },
    'names of hooks': (database) => listHookNames({ database }),
    'a sweep': (database) => sweepRunBatch(makeParts(database, 'w2'), 500),
  }
}

const figures = (database: Database, random: number) =>
  hookFigures({ database }, { hook: `hook-${Math.floor(random * 20)}` })

/** How long each takes, in the middle of many, by turns. */
async function measure(database: Database, all: Record<string, Ask>) {
  const times: Record<string, number[]> = {}
  for (let round = 0; round < rounds; round++) {
    for (const [name, ask] of Object.entries(all)) {
      const random = (round * 0.618) % 1
      const before = performance.now()
      await ask(database, random)
      const elapsed = performance.now() - before
      times[name] = [...(times[name] ?? []), elapsed]
    }
  }
  return Object.fromEntries(
    Object.entries(times).map(([name, list]) => {
      const sorted = list.toSorted((one, other) => one - other)
      return [name, sorted[rounds >> 1] ?? 0]
    }),
  )
}

forEachDatabase((kit) => {
  test('F161 what is asked takes as long with millions of runs as with a thousand', async () => {
    const database = await kit.open()
    await makeRuns(database, 1_000)
    await fillCalls(database)
    await analyze(database)
    const few = await measure(database, questions(1_000))

    // As many as the figures of a hook look at, of every hook.
    await makeRuns(database, 300_000, 1_000)
    await analyze(database)
    const some = await measure(database, { figures })

    const count = largest[kit.name]
    const began = performance.now()
    await makeRuns(database, count, 300_000)
    await analyze(database)
    const fillSeconds = Math.round((performance.now() - began) / 1_000)
    const many = await measure(database, { ...questions(count), figures })
    console.log(
      `${database.version}: ${count} runs, filled in ${fillSeconds} s`,
    )
    for (const [name, ms] of Object.entries(many)) {
      const less = few[name] ?? some[name] ?? 0
      const ratio = ms / less
      console.log(`  ${name}: ${less.toFixed(2)} → ${ms.toFixed(2)} ms`)
      // What takes a millisecond either way is not told apart by its share.
      if (ms > 5) expect(ratio, name).toBeLessThan(5)
    }
  }, 3_600_000)
})

/** The calls that are asked about. */
async function fillCalls(database: Database): Promise<void> {
  const sql = `INSERT INTO calls (turn_id, call_id, session_id, tool, owner,
  safety, state, verdicts, started_at)
SELECT DISTINCT turn_id, call_id, session_id, 'read', 'runtime', 'read_only',
  'ended', '[]', 0 FROM runs`
  const statements = [{ sql, values: [] }]
  await database.write({ name: 'test.fill', statements })
}
