import { expect, test } from 'vitest'
import { makePlace, removePlace } from '../store/fixtures/places.ts'
import { startPostgres } from '../store/fixtures/postgres-server.ts'
import { type ChaosReport, runChaos } from './fixtures/chaos.ts'
import { killAtAll } from './fixtures/kill-at.ts'
import { pickSeed } from './fixtures/seed.ts'

const minuteMs = 60_000

function judge(name: string, report: ChaosReport): void {
  console.log(`${name}: ${JSON.stringify(report)}`)
  const none = { lost: 0, unexpected: 0, duplicated: 0, repeated: 0 }
  expect(report).toMatchObject(none)
  expect(report.added).toBeGreaterThan(1_000)
  expect(report.kills).toBeGreaterThan(20)
  expect(report.stalls).toBeGreaterThan(20)
  expect(report.recovered).toBeGreaterThan(0)
}

test.each(['fast', 'kill'] as const)(
  'F157 F164 F165 T51 processes on Postgres lose and repeat nothing for minutes, with a restart of the server (%s) in the middle',
  async (how) => {
    const server = await startPostgres()
    const place = {
      dialect: 'postgres',
      url: server.url,
      schema: 'chaos',
    } as const
    const seed = pickSeed()
    const report = await runChaos({
      place,
      seed,
      workers: 4,
      runMs: 2 * minuteMs,
      leaseMs: 1_000,
      async inTheMiddle() {
        await server.halt(how)
        await server.start()
      },
    })
    await server.remove()
    judge(`postgres, ${how} restart`, report)
  },
  10 * minuteMs,
)

test(
  'F164 F165 T51 processes on SQLite lose and repeat nothing for minutes',
  async () => {
    const place = await makePlace('sqlite')
    const about = {
      place,
      seed: pickSeed(),
      workers: 3,
    } as const
    const report = await runChaos({ ...about, runMs: minuteMs, leaseMs: 1_000 })
    await removePlace(place)
    judge('sqlite', report)
  },
  10 * minuteMs,
)

test.each(['sqlite', 'postgres'] as const)(
  'F166 a process on %s that is killed five times at any moment of any step of a job loses nothing, and nothing is done twice',
  async (dialect) => {
    const { kills, problems } = await killAtAll(dialect, 5)
    console.log(`${dialect}: killed ${kills} times at 24 places of jobs.`)
    expect(problems).toEqual([])
    expect(kills).toBe(120)
  },
  10 * minuteMs,
)
