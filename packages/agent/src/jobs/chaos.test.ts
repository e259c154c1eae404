import pg from 'pg'
import { expect, test } from 'vitest'
import { makePlace, removePlace } from '../store/fixtures/places.ts'
import { startPostgres } from '../store/fixtures/postgres-server.ts'
import { type ChaosReport, runChaos } from './fixtures/chaos.ts'
import { openQueue } from './fixtures/open-queue.ts'
import { pickSeed } from './fixtures/seed.ts'
import { createJobWorker } from './job-worker.ts'

const none = { lost: 0, unexpected: 0, duplicated: 0, repeated: 0 }

function judge(name: string, report: ChaosReport): void {
  console.log(`${name}: ${JSON.stringify(report)}`)
  expect(report).toMatchObject(none)
  // Otherwise nothing was put to the test.
  expect(report.added).toBeGreaterThan(100)
  expect(report.kills).toBeGreaterThan(2)
  expect(report.stalls).toBeGreaterThan(2)
  expect(report.recovered).toBeGreaterThan(0)
}

const isLong = process.env['HOOKLINE_LONG'] === '1'

test.each([
  ['postgres', isLong ? 15_000 : 6_000, 3],
  ['sqlite', isLong ? 6_000 : 4_000, 2],
] as const)(
  'F164 F165 F166 T51 processes on %s that are killed and stalled for %i ms lose nothing and repeat nothing',
  async (dialect, runMs, workers) => {
    const place = await makePlace(dialect)
    const seed = pickSeed()
    const about = { place, seed, workers, runMs }
    judge(dialect, await runChaos({ ...about, leaseMs: 600 }))
    await removePlace(place)
  },
  120_000,
)

test('F176 on a server that is read-only nothing is claimed; then the work goes on by itself', async () => {
  const server = await startPostgres()
  const place = { dialect: 'postgres', url: server.url, schema: 's' } as const
  const { queue, close } = await openQueue(place, 'worker')
  const client = new pg.Client({ connectionString: server.url })
  await client.connect()
  await client.query('SET default_transaction_read_only = off')
  const setReadOnly = async (value: 'on' | 'off') => {
    await client.query(
      `ALTER SYSTEM SET default_transaction_read_only = ${value}`,
    )
    await client.query('SELECT pg_reload_conf()')
  }
  const job = { kind: 'letter', lane: 'a', payload: 1 }
  await queue.add([job])
  await setReadOnly('on')
  const refused = Promise.withResolvers<unknown>()
  const ended = Promise.withResolvers<string>()
  const begun: string[] = []
  await expect
    .poll(() => queue.add([job]).catch(({ code }) => code))
    .toBe('unavailable')
  const worker = createJobWorker({
    queue,
    pollMs: 50,
    async perform({ id }) {
      begun.push(id)
      return { type: 'done' }
    },
    onEnd: (_, settlement) => ended.resolve(settlement),
    onError: refused.resolve,
  })
  expect(await refused.promise).toMatchObject({ code: 'unavailable' })
  expect(begun).toEqual([])
  await setReadOnly('off')
  expect(await ended.promise).toBe('done')
  await worker.stop()
  await client.end()
  await close()
  await server.remove()
}, 60_000)
