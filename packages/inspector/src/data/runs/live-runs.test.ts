import { runOverlapMs } from '@hookline/daemon/client'
import { expect, test } from 'vitest'
import type { Run } from '../protocol.ts'
import {
  beginRuns,
  type KnownRuns,
  type ReadRuns,
  readNews,
  takeNews,
  takeOlder,
} from './live-runs.ts'

const limit = 5

function run(
  id: string,
  startedAt: number,
  state: Run['state'] = 'completed',
): Run {
  return {
    id,
    dispatch: 'd',
    hook: 'h',
    point: 'tool.guard',
    attempt: 1,
    state,
    startedAt,
    decided: false,
    failedOpen: false,
    contributions: [],
    diagnostics: [],
  }
}

/** Pages of runs as a daemon has them, and what it was asked. */
function daemonWith(given: readonly Run[], fits = (_: Run) => true) {
  const stored = new Map(given.map((one) => [one.id, one]))
  const asked: Parameters<ReadRuns>[0][] = []
  const sorted = () =>
    [...stored.values()]
      .filter(fits)
      .sort(
        (one, other) =>
          other.startedAt - one.startedAt || (one.id < other.id ? 1 : -1),
      )
  const read: ReadRuns = async (place) => {
    asked.push(place)
    const { after, since = 0, until = Infinity } = place
    const all = sorted()
    const start = after === undefined ? 0 : positionAfter(all, after)
    const found = all
      .slice(start)
      .filter(({ startedAt }) => startedAt >= since && startedAt < until)
    const items = found.slice(0, limit)
    const last = items.at(-1)
    const isMore = found.length > limit && last !== undefined
    return {
      items,
      ...(isMore && { next: `${last.startedAt}.${last.id}` }),
    }
  }
  const put = (...runs: readonly Run[]) => {
    for (const one of runs) stored.set(one.id, one)
  }
  const requests = () => asked.splice(0)
  return {
    read,
    put,
    requests,
    sorted,
    remove: (id: string) => stored.delete(id),
  }
}

function positionAfter(all: readonly Run[], after: string): number {
  const at = after.indexOf('.')
  const [time, id] = [Number(after.slice(0, at)), after.slice(at + 1)]
  const isOlder = (one: Run) =>
    one.startedAt < time || (one.startedAt === time && one.id < id)
  const found = all.findIndex(isOlder)
  return found < 0 ? all.length : found
}

async function refresh(
  known: KnownRuns,
  read: ReadRuns,
  isThorough = false,
): Promise<KnownRuns> {
  const news = await readNews(known, read, { isThorough })
  return takeNews(known, news, { isThorough, now: 1 })
}

async function readAll(read: ReadRuns): Promise<KnownRuns> {
  let known = await beginRuns(read, 0)
  while (known.next !== undefined) {
    const { next } = known
    known = takeOlder(known, next, await read({ after: next }))
  }
  return known
}

const minute = 60_000
const many = Array.from({ length: 23 }, (_, at) =>
  run(`r${String(at).padStart(2, '0')}`, 10 * minute + at * minute),
)

test('what is new is one request, however much was read before', async () => {
  const daemon = daemonWith(many)
  const known = await readAll(daemon.read)
  expect(known.runs).toEqual(daemon.sorted())
  daemon.requests()
  daemon.put(run('new', 40 * minute), run('newer', 41 * minute))
  const after = await refresh(known, daemon.read)
  expect(daemon.requests()).toHaveLength(1)
  expect(after.runs).toEqual(daemon.sorted())
  expect(after.runs).toHaveLength(25)
})

test('a run that ends on an old page is read again, alone', async () => {
  const daemon = daemonWith([...many, run('long', 12 * minute, 'started')])
  const known = await readAll(daemon.read)
  daemon.requests()
  daemon.put(run('long', 12 * minute, 'timed_out'))
  const after = await refresh(known, daemon.read)
  expect(daemon.requests()).toMatchObject([
    { since: 32 * minute - runOverlapMs },
    { since: 12 * minute, until: 12 * minute + 1 },
  ])
  expect(after.runs).toEqual(daemon.sorted())
  // It is over: nobody asks about it again.
  await refresh(after, daemon.read)
  expect(daemon.requests()).toHaveLength(1)
})

test('a run that is no longer like what is looked for goes away', async () => {
  const open = ({ state }: Run) => state === 'started'
  const given = many.map((one) => ({ ...one, state: 'started' as const }))
  const daemon = daemonWith(given, open)
  const known = await readAll(daemon.read)
  daemon.put(run('r22', 32 * minute), run('r15', 25 * minute))
  const after = await refresh(known, daemon.read)
  expect(after.runs).toEqual(daemon.sorted())
  expect(after.runs).toHaveLength(21)
})

test('a run that is written late is found where it belongs', async () => {
  const burst = Array.from({ length: 12 }, (_, at) => run(`b${at}`, 5_000 + at))
  const daemon = daemonWith(burst)
  const known = await readAll(daemon.read)
  daemon.put(run('late', 5_002), run('next', 6_000))
  const soon = await refresh(known, daemon.read)
  expect(soon.isSettled).toBe(false)
  expect(soon.runs[0]?.id).toBe('next')
  expect(soon.runs).toHaveLength(13)
  const settled = await refresh(soon, daemon.read, true)
  expect(settled).toMatchObject({ isSettled: true, settledAt: 1 })
  expect(settled.runs).toEqual(daemon.sorted())
})

test('those of one moment are all there, once, wherever a page ends', async () => {
  const daemon = daemonWith(many)
  const known = await readAll(daemon.read)
  const same = Array.from({ length: 7 }, (_, at) => run(`s${at}`, 50 * minute))
  daemon.put(...same.slice(0, 3))
  const some = await refresh(known, daemon.read)
  daemon.put(...same)
  const after = await refresh(some, daemon.read)
  expect(after.runs.map(({ id }) => id).toSorted()).toEqual(
    daemon
      .sorted()
      .map(({ id }) => id)
      .toSorted(),
  )
})

test('so much that is new that it would take for ever is read from its end', async () => {
  const daemon = daemonWith(many)
  const known = await readAll(daemon.read)
  daemon.put(
    ...Array.from({ length: 300 }, (_, at) => run(`x${at}`, 60 * minute + at)),
  )
  const after = await refresh(known, daemon.read)
  expect(after.runs).toEqual(daemon.sorted().slice(0, 100))
  // What is older is read on, as at the beginning.
  const { next = '' } = after
  const older = takeOlder(after, next, await daemon.read({ after: next }))
  expect(older.runs).toEqual(daemon.sorted().slice(0, 105))
})

test('an older page that comes twice, or late, changes nothing', async () => {
  const daemon = daemonWith(many)
  const first = await beginRuns(daemon.read, 0)
  const { next = '' } = first
  const page = await daemon.read({ after: next })
  const both = takeOlder(first, next, page)
  expect(takeOlder(both, next, page)).toBe(both)
  expect(both.runs).toEqual(daemon.sorted().slice(0, 10))
})

test('what was deleted among the newest is gone', async () => {
  const daemon = daemonWith(many)
  const known = await readAll(daemon.read)
  daemon.remove('r22')
  const after = await refresh(known, daemon.read)
  expect(after.runs).toEqual(daemon.sorted())
})

const empty: KnownRuns = {
  runs: [],
  next: undefined,
  settledAt: 0,
  isSettled: true,
  isCut: false,
}

/** So many that began in the same moment. */
const burst = (count: number, startedAt: number) =>
  Array.from({ length: count }, (_, at) => run(`${startedAt}-${at}`, startedAt))

const takeBurst = (known: KnownRuns, count: number, at: number) => {
  const news = { head: burst(count, at), from: at, changed: new Map() }
  return takeNews(known, news, { isThorough: false, now: at })
}

test('however many come by themselves, what is kept has an end, and says so', () => {
  let known = empty
  for (let at = 1; at <= 100; at++) known = takeBurst(known, 50, at)
  expect(known.runs).toHaveLength(2_000)
  expect(known.runs[0]?.startedAt).toBe(100)
  expect(known).toMatchObject({ next: undefined, isCut: true })
})

test('what somebody has read on for stays, as far as anybody scrolls', () => {
  let known: KnownRuns = { ...empty, next: '1000' }
  for (let at = 1_000; known.next !== undefined; at--) {
    const next = String(at - 1)
    known = takeOlder(known, String(at), { items: burst(100, at), next })
    const { length } = known.runs
    const after = takeBurst(known, 10, 2_000)
    expect(after.runs).toHaveLength(
      Math.max(length, Math.min(length + 10, 2_000)),
    )
  }
  expect(known.runs).toHaveLength(5_000)
  expect(known).toMatchObject({ next: undefined, isCut: true })
})
