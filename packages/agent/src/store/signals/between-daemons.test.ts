import { createFakeClock } from 'hookline/testing'
import { afterEach, beforeAll, expect, test } from 'vitest'
import { createJobWorker } from '../../jobs/job-worker.ts'
import { createJobQueue } from '../../jobs/table-queue.ts'
import {
  ann,
  questionOf,
  scopeOf,
} from '../approvals/fixtures/approval-bench.ts'
import { textEvent } from '../events/fixtures/text-event.ts'
import {
  type DatabasePlace,
  makePlace,
  removePlace,
} from '../fixtures/places.ts'
import { openStore, type Store } from '../open-store.ts'
import { topics } from './signals.ts'

let place: DatabasePlace
const opened: Store[] = []
beforeAll(async () => {
  place = await makePlace('postgres')
  return () => removePlace(place)
}, 60_000)
afterEach(async () => {
  await Promise.all(opened.splice(0).map((store) => store.close()))
})

/**
 * A store whose clock stands still: nobody in it looks for themselves, so
 * that what is heard of, is told.
 */
async function open(): Promise<Store> {
  if (place.dialect !== 'postgres') throw new Error('This is about Postgres.')
  const { url, schema } = place
  const database = { url, schema }
  const store = await openStore({ database, clock: createFakeClock() })
  opened.push(store)
  return store
}

/** Settles when it is connected, which is the first that it tells. */
async function connected({ signals }: Store): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const stop = signals.on('connected', resolve)
  await promise
  stop()
}

test('an answer that is given elsewhere reaches whoever waits, without looking', async () => {
  const [one, other] = [await open(), await open()]
  await Promise.all([connected(one), connected(other)])
  const scope = scopeOf()
  const question = questionOf(scope)
  const asked = Promise.withResolvers<void>()
  other.signals.on(topics.approvals, asked.resolve)
  const { signal } = new AbortController()
  const answered = one.approvals.ask(question, { scope, signal })
  await asked.promise
  const [approval] = (await other.approvals.pending()).items
  expect(approval?.id).toBe(question.id)
  const { shownHash = '' } = approval ?? {}
  const reply = { type: 'allow', shownHash } as const
  const start = performance.now()
  const outcome = await other.approvals.answer(question.id, reply, ann)
  expect(outcome.type).toBe('accepted')
  expect(await answered).toMatchObject({ decision: { type: 'allow' } })
  const ms = performance.now() - start
  console.log(`an answer from elsewhere: ${ms.toFixed(1)} ms`)
})

test('a job that is added elsewhere is done here, without looking', async () => {
  const [one, other] = [await open(), await open()]
  await Promise.all([connected(one), connected(other)])
  const queue = createJobQueue(other)
  const performed = Promise.withResolvers<unknown>()
  const worker = createJobWorker({
    queue,
    clock: createFakeClock(),
    perform: async ({ payload }) => {
      performed.resolve(payload)
      return { type: 'done' }
    },
  })
  const adding = createJobQueue(one)
  await adding.add([{ kind: 'k', lane: 'l', payload: { a: 1 } }])
  expect(await performed.promise).toEqual({ a: 1 })
  await worker.stop()
  await queue.close()
  await adding.close()
})

test('a stream here goes on with what is told elsewhere, without looking', async () => {
  const [one, other] = [await open(), await open()]
  await Promise.all([connected(one), connected(other)])
  const after = await other.events.head()
  const told = Promise.withResolvers<void>()
  other.events.onAppend(told.resolve)
  const start = performance.now()
  await one.events.append([textEvent('s1', 1)])
  await told.promise
  const { items } = await other.events.read({ after })
  const ms = performance.now() - start
  console.log(`an event from elsewhere, appended and read: ${ms.toFixed(1)} ms`)
  expect(items).toMatchObject([{ event: { seq: 1 } }])
})
