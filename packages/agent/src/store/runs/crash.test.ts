import { afterAll, describe, expect, test } from 'vitest'
import { createAudit } from '../audit/create-audit.ts'
import { verifyAudit } from '../audit/verify-audit.ts'
import type { Database } from '../database.ts'
import type { UnitMoment } from '../failpoints.ts'
import { startChild } from '../fixtures/child.ts'
import { forEachDatabase } from '../fixtures/databases.ts'
import { createRetention } from '../retention/create-retention.ts'
import type { CrashInput, CrashUnit } from './fixtures/crash-program.ts'
import { makeParts } from './fixtures/make-parts.ts'
import { ended } from './fixtures/make-runs.ts'
import { readOnly } from './fixtures/read-rows.ts'
import { createRunRecords } from './run-records.ts'
import { sweepRuns } from './sweep-runs.ts'

const program = new URL('./fixtures/crash-program.ts', import.meta.url)
const moments = [
  'before-write',
  'before-commit',
  'after-commit',
  'before-notify',
] as const satisfies readonly UnitMoment[]

// At which unit, counting from 1; the long tests have six of each place.
const hits = process.env['HOOKLINE_LONG'] === '1' ? [1, 2, 4] : [2]
const patienceMs = 60_000
const kills = new Map<string, number>()

afterAll(() => {
  const counts = [...kills].map(([place, count]) => `${place} ${count}`)
  console.log(`Kills by place: ${counts.join(', ')}.`)
})

const count = async (database: Database, from: string) =>
  Number((await readOnly(database, `SELECT COUNT(*) AS n FROM ${from}`))['n'])

forEachDatabase((kit) => {
  /** Kills a process there; gives what it had said, and what it must have done. */
  async function kill(
    database: Database,
    unit: CrashUnit,
    { moment, hit }: { moment: UnitMoment; hit: number },
  ) {
    const place = `${unit}:${moment}`
    const input: CrashInput = {
      place: kit.placeOf(database),
      unit,
      failpoints: { [place]: { do: 'kill', hit } },
    }
    const child = startChild(program, input)
    const { signal, errors } = await child.ended
    expect(signal, errors).toBe('SIGKILL')
    kills.set(place, (kills.get(place) ?? 0) + 1)
    const isDone = moment === 'after-commit' || moment === 'before-notify'
    return { said: child.lines.length, done: isDone ? hit : hit - 1 }
  }

  describe.each(moments)('a process that is killed %s', (moment) => {
    test(
      'F143 has written of its runs what it was told of, and never half of it',
      async () => {
        await each(hits, async (hit) => {
          const database = await kit.open()
          const unit = 'runs.write'
          const { said, done } = await kill(database, unit, { moment, hit })
          expect(said).toBe(hit - 1)
          const isBegun = done % 2 === 1
          const whole = Math.floor(done / 2)
          const state = "runs WHERE state = 'completed' AND answer = 'proceed'"
          expect(await count(database, state)).toBe(whole)
          expect(await count(database, 'runs')).toBe(whole + (isBegun ? 1 : 0))
          // It had no lease, or none any more.
          const swept = await sweepRuns(makeParts(database, 'w2'))
          expect(swept).toBe(isBegun ? 1 : 0)
          expect(await count(database, "runs WHERE state = 'started'")).toBe(0)
          expect(await count(database, state)).toBe(whole)
        })
      },
      patienceMs,
    )

    test(
      'leaves an audit log that is whole, and goes on',
      async () => {
        await each(hits, async (hit) => {
          const database = await kit.open()
          const unit = 'audit.append'
          const { said, done } = await kill(database, unit, { moment, hit })
          expect(said).toBe(hit - 1)
          const parts = makeParts(database)
          const before = await verifyAudit(parts)
          expect(before).toMatchObject({ isIntact: true, upTo: done * 3 })
          const audit = createAudit(parts)
          audit.record({ kind: 'later' })
          await audit.flush()
          const after = await verifyAudit(parts)
          const recovered: number[] = []
          expect(after).toMatchObject({
            isIntact: true,
            upTo: done * 3 + 1,
            recovered,
          })
        })
      },
      patienceMs,
    )

    test(
      'has removed what it recorded as removed, and the rest is removed later',
      async () => {
        await each(hits, async (hit) => {
          const database = await kit.open()
          const parts = makeParts(database)
          await fillOld(parts)
          const unit = 'retention.remove'
          const { said, done } = await kill(database, unit, { moment, hit })
          expect(said).toBe(0)
          expect(await count(database, 'runs')).toBe(1_000 - done * 200)
          expect(await count(database, 'attempts')).toBe(1_000 - done * 200)
          const sum = 'SELECT SUM(rows_removed) AS n FROM removals'
          const recorded = async () =>
            Number((await readOnly(database, sum))['n'])
          expect(await recorded()).toBe(done * 200)
          await createRetention(parts, { runs: { maxAgeMs: 0 } }).run()
          expect(await count(database, 'runs')).toBe(0)
          expect(await recorded()).toBe(1_000)
        })
      },
      patienceMs,
    )
  })
})

/** All at once. */
async function each(
  numbers: readonly number[],
  check: (number: number) => Promise<void>,
) {
  await Promise.all(numbers.map(check))
}

async function fillOld(parts: ReturnType<typeof makeParts>) {
  const records = createRunRecords(parts)
  for (let at = 0; at < 1_000; at++) {
    records.end(ended({ dispatch: `d${at}`, startedAt: 1 }))
  }
  await records.flush()
  const sql = `INSERT INTO attempts (run_id, attempt, state, started_at)
SELECT id, 1, 'failed', 0 FROM runs`
  const statements = [{ sql, values: [] }]
  await parts.database.write({ name: 'test.fill', statements })
}
