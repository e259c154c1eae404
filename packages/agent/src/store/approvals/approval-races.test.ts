import fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import type { Database } from '../database.ts'
import { forEachDatabase } from '../fixtures/databases.ts'
import { openPlainSqlite } from '../fixtures/plain-sqlite.ts'
import { approvalOf, benchOn, day, key } from './fixtures/approval-bench.ts'
import {
  type RaceOptions,
  race,
  type Step,
  steps,
  violations,
} from './fixtures/race.ts'

const start = Date.UTC(2026, 0, 1)
const isLong = process.env['HOOKLINE_LONG'] === '1'
const orders = isLong ? 1_000 : 300
const someSteps = fc.shuffledSubarray([...steps], { minLength: 1 })

interface Tried {
  readonly numRuns: number
  /** Default: some of all, another choice each time. */
  readonly steps?: readonly Step[]
}

/** What went wrong in any of many orders of the same things. */
async function wrongs(
  given: Omit<RaceOptions, 'steps'>,
  { numRuns, steps: fixed }: Tried,
): Promise<string> {
  const taken = fixed ? fc.constant(fixed) : someSteps
  const property = fc.asyncProperty(
    fc.scheduler(),
    taken,
    async (scheduler, chosen) => {
      const history = await race(scheduler, { ...given, steps: chosen })
      const found = violations(history)
      if (found.length > 0) throw new Error(`wrong: ${found.join('; ')}`)
    },
  )
  const result = await fc.check(property, { numRuns })
  const { failed, errorInstance } = result
  return failed ? `${errorInstance} ${fc.defaultReportMessage(result)}` : ''
}

function plain() {
  let now = start
  const database = openPlainSqlite(() => now)
  const advance = async (ms: number) => {
    now += ms
  }
  return { databases: [database, database], advance } as const
}

/** As it would be if nothing were compared before it is set. */
function withoutComparing(database: Database): Database {
  return {
    ...database,
    write({ name, statements }) {
      const careless = statements.map(({ sql, values }) => {
        const [before = '', after = ''] = sql.split(/WHERE id = \?(.*)/s)
        const isCompared = /^UPDATE approvals/.test(sql) && after !== ''
        if (!isCompared) return { sql, values }
        const extra = (after.match(/\?/g) ?? []).length
        const kept = values.slice(0, values.length - extra)
        return { sql: `${before}WHERE id = ?`, values: kept }
      })
      return database.write({ name, statements: careless })
    },
  }
}

describe('in whatever order things happen, there is one winner and one use', () => {
  test(`F177 F178 F179 F180 over ${orders} orders`, async () => {
    expect(await wrongs(plain(), { numRuns: orders })).toBe('')
  }, 60_000)

  test('F178 with two people and a key', async () => {
    const given = { ...plain(), approvers: 2, options: { key } } as const
    expect(await wrongs(given, { numRuns: orders / 2 })).toBe('')
  }, 60_000)

  test.each<[string, readonly Step[], string]>([
    ['a yes and a no', ['ann-allows', 'bob-denies'], 'two answers'],
    ['a yes and the expiry', ['ann-allows', 'time-passes'], 'too late'],
    ['a yes and its use', ['ann-allows', 'use'], 'used twice'],
  ])(
    'a test of the test: without comparing, %s go wrong',
    async (_, taken, wrong) => {
      const { databases, advance } = plain()
      const careless = withoutComparing(databases[0])
      const given = { databases: [careless, careless], advance } as const
      const found = await wrongs(given, { numRuns: 300, steps: taken })
      expect(found).toMatch(/Error: wrong: /)
      expect(found).toContain(wrong)
    },
  )
})

test('F185 over simulated years no question ends early, and none late', async () => {
  const days = fc.integer({ min: 1, max: 400 })
  const property = fc.asyncProperty(
    fc.array(days, { minLength: 1, maxLength: 5 }),
    fc.array(fc.integer({ min: 0, max: 60 * day }), { maxLength: 20 }),
    async (lengths, jumps) => {
      let now = start
      const database = openPlainSqlite(() => now)
      const open = lengths.map(async (length) => {
        const bench = benchOn(database, { expiresMs: length * day })
        const question = bench.question()
        const { answered } = await bench.ask(question)
        const seen = {
          bench,
          id: question.id,
          due: start + length * day,
          told: '',
        }
        void answered.then(({ by }) => {
          seen.told = by
        })
        return seen
      })
      const all = await Promise.all(open)
      for (const jump of [...jumps, 400 * day]) {
        now += jump
        for (const { bench, id, due } of all) {
          await bench.clock.advance(1_000)
          const isDue = now >= due
          expect((await approvalOf(bench, id)).state === 'expired').toBe(isDue)
        }
        for (const { told, due } of all) {
          expect(told).toBe(now >= due ? 'expiry' : '')
        }
      }
      expect(await all[0]?.bench.approvals.sweep()).toMatchObject({
        expired: 0,
      })
    },
  )
  await fc.assert(property, { numRuns: orders / 10 })
}, 60_000)

forEachDatabase((kit) => {
  let one: Database
  let other: Database
  beforeAll(async () => {
    one = await kit.open()
    other = await kit.reopen(one)
    await kit.setNow(one, start)
  })

  test.each([1, 2] as const)(
    'F178 F179 with %d to agree, on two connections, one wins and one uses it',
    async (approvers) => {
      const advance = (ms: number) => kit.advance(one, ms)
      const databases = [one, other] as const
      const given = { databases, advance, approvers, options: { key } }
      expect(await wrongs(given, { numRuns: isLong ? 60 : 20 })).toBe('')
    },
    60_000,
  )
})
