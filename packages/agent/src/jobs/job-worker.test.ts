import { createFakeClock } from 'hookline/testing'
import { expect, test } from 'vitest'
import { openPlainSqlite } from '../store/fixtures/plain-sqlite.ts'
import { faultyDatabase } from './fixtures/faulty-database.ts'
import { queueParts } from './fixtures/queue-parts.ts'
import type { NewJob } from './job-queue.ts'
import {
  createJobWorker,
  type JobOutcome,
  type JobWorkerOptions,
} from './job-worker.ts'
import { TableQueue } from './table-queue.ts'

const leaseMs = 6_000
const done: JobOutcome = { type: 'done' }

/** A worker whose time, and that of its database, stands still. */
function start(options: Partial<JobWorkerOptions> = {}) {
  const clock = createFakeClock()
  const wallNow = () => clock.wallAt(clock.now())
  const database = faultyDatabase(openPlainSqlite(wallNow))
  const queue = new TableQueue(queueParts(database, 'here', clock))
  const other = new TableQueue(queueParts(database, 'elsewhere', clock))
  const ends: string[] = []
  const errors: unknown[] = []
  const work = (settings: Partial<JobWorkerOptions> = {}) =>
    createJobWorker({
      queue,
      clock,
      leaseMs,
      perform: async () => done,
      onEnd: ({ payload }, settlement) => ends.push(`${payload} ${settlement}`),
      onError: (error) => errors.push(error),
      ...options,
      ...settings,
    })
  return { clock, database, queue, other, ends, errors, work }
}

const job = (payload: unknown, more: Partial<NewJob> = {}): NewJob => ({
  kind: 'letter',
  lane: 'ada',
  payload,
  ...more,
})

const repeatable = (payload: unknown): NewJob =>
  job(payload, {
    isIdempotent: true,
    retry: { type: 'fixed', delayMs: 0, maxAttempts: 3 },
  })

/** Jobs that go on until they are told how they end. */
function handmade() {
  const open = new Map<unknown, PromiseWithResolvers<JobOutcome>>()
  const signals = new Map<unknown, AbortSignal>()
  const perform: JobWorkerOptions['perform'] = ({ payload }, signal) => {
    const ending = Promise.withResolvers<JobOutcome>()
    open.set(payload, ending)
    signals.set(payload, signal)
    signal.addEventListener('abort', () => ending.reject(new Error('Aborted.')))
    return ending.promise
  }
  return { open, signals, perform }
}

test('jobs that are there, and jobs that are added here, are done at once', async () => {
  const { clock, queue, ends, work } = start()
  await queue.add([job('before')])
  const worker = work()
  await clock.settle()
  expect(ends).toEqual(['before done'])
  await queue.add([job('after')])
  await clock.settle()
  expect(ends).toEqual(['before done', 'after done'])
  await worker.stop()
})

test('F171 a job that nobody told of is found within the time between two looks', async () => {
  const { clock, other, ends, work } = start()
  const worker = work({ pollMs: 1_000 })
  await clock.advance(60_000)
  await other.add([job('silent')])
  await clock.settle()
  expect(ends).toEqual([])
  await clock.advance(1_000)
  expect(ends).toEqual(['silent done'])
  await worker.stop()
})

test('a worker with nothing to do looks less and less often', async () => {
  const { clock, database, work } = start()
  const worker = work({ pollMs: 1_000 })
  await clock.advance(20_000)
  const looks = database.units.length
  expect(looks).toBeGreaterThan(19)
  expect(looks).toBeLessThan(32)
  await worker.stop()
  await clock.advance(20_000)
  expect(database.units.length).toBe(looks)
  expect(clock.pending).toBe(0)
})

test('no more jobs run at the same time than are allowed', async () => {
  const { open, perform } = handmade()
  const { clock, queue, ends, work } = start({ perform })
  await queue.add(['a', 'b', 'c', 'd', 'e'].map((name) => job(name)))
  const worker = work({ concurrency: 2 })
  await clock.settle()
  expect([...open.keys()]).toEqual(['a', 'b'])
  expect(await queue.counts()).toMatchObject({ queued: 3, running: 2 })
  open.get('b')?.resolve(done)
  await clock.settle()
  expect([...open.keys()]).toEqual(['a', 'b', 'c'])
  expect(worker.running).toBe(2)
  for (const name of ['a', 'c', 'd', 'e']) {
    open.get(name)?.resolve(done)
    await clock.settle()
  }
  expect(ends).toHaveLength(5)
  await worker.stop()
})

test('a long job keeps its lease', async () => {
  const { open, perform } = handmade()
  const { clock, queue, other, ends, work } = start({ perform })
  await queue.add([repeatable('long')])
  const worker = work()
  for (let step = 0; step < 20; step++) {
    await clock.advance(leaseMs / 2)
    expect(await other.recover(10)).toEqual([])
  }
  open.get('long')?.resolve(done)
  await clock.settle()
  expect(ends).toEqual(['long done'])
  await worker.stop()
})

test('F167 a worker that cannot keep its lease aborts the job before others may take it', async () => {
  const { signals, perform } = handmade()
  const { clock, database, queue, other, ends, errors, work } = start({
    perform,
  })
  await queue.add([repeatable('cut')])
  const worker = work()
  await clock.settle()
  for (const unit of ['job.renew', 'job.fail']) database.failing.add(unit)
  await clock.advance((leaseMs / 6) * 5 - 1)
  expect(signals.get('cut')?.aborted).toBe(false)
  await clock.advance(1)
  expect(signals.get('cut')).toMatchObject({
    aborted: true,
    reason: 'lease_expired',
  })
  expect(await other.recover(10)).toEqual([])
  expect(errors.length).toBeGreaterThan(1)
  await clock.advance(leaseMs / 6 + 1)
  expect(await other.recover(10)).toMatchObject([{ reason: 'lease_expired' }])
  expect(ends).toEqual([])
  await worker.stop()
})

test('a renewal that comes through late saves the lease', async () => {
  const { open, signals, perform } = handmade()
  const { clock, database, queue, ends, work } = start({ perform })
  await queue.add([repeatable('saved')])
  const worker = work()
  await clock.settle()
  database.failing.add('job.renew')
  await clock.advance(leaseMs / 2)
  database.failing.clear()
  await clock.advance(leaseMs * 3)
  expect(signals.get('saved')?.aborted).toBe(false)
  open.get('saved')?.resolve(done)
  await clock.settle()
  expect(ends).toEqual(['saved done'])
  await worker.stop()
})

test('F165 a job that somebody else has taken is aborted, and what becomes of it here changes nothing', async () => {
  const { signals, perform } = handmade()
  const { clock, queue, other, ends, work } = start({ perform })
  const [added] = await queue.add([job('gone')])
  const worker = work()
  await clock.settle()
  await other.cancel({ id: added?.id ?? '' }, 'unwanted')
  await clock.advance(leaseMs / 3)
  expect(signals.get('gone')).toMatchObject({
    aborted: true,
    reason: 'lost_lease',
  })
  expect(ends).toEqual(['gone lost_lease'])
  expect(await other.counts()).toMatchObject({ cancelled: 1, failed: 0 })
  await worker.stop()
})

test('what a job throws is why it failed', async () => {
  const perform = () => Promise.reject(new Error('The s3cret is out.'))
  const { clock, queue, ends, work } = start({ perform })
  await queue.add([job('broken')])
  const worker = work()
  await clock.settle()
  expect(ends).toEqual(['broken failed'])
  expect((await queue.list()).jobs).toMatchObject([
    { reason: 'threw', note: 'The [removed] is out.' },
  ])
  await worker.stop()
})

test('a queue that fails is tried again, and found when it is back', async () => {
  const { clock, database, queue, ends, errors, work } = start()
  await queue.add([job('late')])
  database.failing.add('job.claim')
  const worker = work({ pollMs: 500 })
  await clock.advance(5_000)
  expect(errors.length).toBeGreaterThan(5)
  expect(errors.length).toBeLessThan(20)
  expect(ends).toEqual([])
  database.failing.clear()
  await clock.advance(500)
  expect(ends).toEqual(['late done'])
  await worker.stop()
})

test('that a job is done is said until it is heard, while the lease lasts', async () => {
  const { clock, database, queue, ends, work } = start()
  database.failing.add('job.complete')
  await queue.add([job('heard')])
  const worker = work()
  await clock.advance(leaseMs / 2)
  expect(ends).toEqual([])
  database.failing.clear()
  await clock.advance(leaseMs / 6)
  expect(ends).toEqual(['heard done'])
  await worker.stop()
})

test('a worker that stops waits for what runs, and takes nothing more', async () => {
  const { open, perform } = handmade()
  const { clock, queue, ends, work } = start({ perform })
  await queue.add([job('a'), job('b')])
  const worker = work({ concurrency: 1 })
  await clock.settle()
  const stopped = worker.stop({ deadlineMs: 1_000 })
  await clock.advance(500)
  open.get('a')?.resolve(done)
  await stopped
  expect(ends).toEqual(['a done'])
  expect(await queue.counts()).toMatchObject({ queued: 1, running: 0 })
  expect(clock.pending).toBe(0)
})

test('what is not done when a worker must stop goes back, if it may be repeated', async () => {
  const { signals, perform } = handmade()
  const { clock, queue, other, ends, work } = start({ perform })
  await queue.add([repeatable('again'), job('once', { lane: 'bob' })])
  const worker = work()
  await clock.settle()
  const stopped = worker.stop({ deadlineMs: 1_000 })
  await clock.advance(999)
  expect(signals.get('again')?.aborted).toBe(false)
  await clock.advance(1)
  await stopped
  expect(ends.sort()).toEqual(['again delayed', 'once failed'])
  const [back] = await other.claim({ limit: 5, leaseMs })
  expect(back).toMatchObject({ payload: 'again', attempt: 2 })
  expect((await other.list({ state: 'failed' })).jobs).toMatchObject([
    { reason: 'unknown_outcome' },
  ])
})

test('jobs that arrive while a worker stops are given back as they were', async () => {
  const { clock, queue, other, ends, work } = start()
  await queue.add([job('early')])
  const worker = work()
  const stopped = worker.stop()
  await clock.settle()
  await stopped
  expect(ends).toEqual(['early delayed'])
  expect(await other.claim({ limit: 1, leaseMs })).toMatchObject([
    { payload: 'early', attempt: 1 },
  ])
})

test('a job that does not heed its signal holds nobody up for long', async () => {
  const perform = () => Promise.withResolvers<JobOutcome>().promise
  const { clock, queue, ends, work } = start({ perform })
  await queue.add([repeatable('deaf')])
  const worker = work({ graceMs: 2_000 })
  await clock.settle()
  const stopped = worker.stop({ deadlineMs: 1_000 })
  await clock.advance(2_999)
  expect(ends).toEqual([])
  await clock.advance(1)
  await stopped
  expect(ends).toEqual(['deaf delayed'])
})

test('a job that was done although it was to stop is done', async () => {
  const perform: JobWorkerOptions['perform'] = (_, signal) =>
    new Promise((resolve) => {
      signal.addEventListener('abort', () => resolve(done))
    })
  const { clock, queue, ends, work } = start({ perform })
  await queue.add([job('quick')])
  const worker = work()
  await clock.settle()
  const stopped = worker.stop({ deadlineMs: 0 })
  await clock.advance(0)
  await stopped
  expect(ends).toEqual(['quick done'])
})

test('T32 where the disk is nearly full no job is begun, and it is said once', async () => {
  const { clock, queue, ends, errors, work } = start()
  await queue.add([job('waits')])
  const folder = import.meta.dirname
  const full = work({ disk: { folder, minFreeBytes: Number.MAX_VALUE } })
  for (let look = 0; look < 5; look += 1) {
    await clock.advance(1_000)
    await clock.settle()
  }
  expect(ends).toEqual([])
  expect(errors).toEqual([
    expect.objectContaining({
      message: expect.stringContaining('no background job is begun'),
    }),
  ])
  await full.stop()
  const roomy = work({ disk: { folder, minFreeBytes: 1 } })
  await clock.settle()
  expect(ends).toEqual(['waits done'])
  await roomy.stop()
})
