import { expect, test } from 'vitest'
import type { OutputOf } from '../protocol.ts'
import { createTraceReader } from './read-trace.ts'

type Trace = OutputOf<'traceTurn'>
type Run = Trace['runs'][number]

const place = { sessionId: 's', turnId: 't' }
const { signal } = new AbortController()
const limit = 3

/** A turn as a daemon has it, a few runs a page, and what it was asked for. */
function daemonWith(states: readonly string[], hidden = 0) {
  const runs = states.map(runOf)
  const asked: (string | undefined)[] = []
  let endedAt: number | null = null
  const traceTurn = async ({ after }: { after?: string | undefined }) => {
    asked.push(after)
    const from = Number(after ?? 0)
    const next = from + limit < runs.length && { next: String(from + limit) }
    // Only what a reader looks at is written down.
    return {
      turn: { endedAt },
      calls: [],
      runs: runs.slice(from, from + limit),
      hidden,
      isCut: false,
      ...next,
    } as unknown as Trace
  }
  const read = createTraceReader({ traceTurn }, place)
  return {
    read: () => read(signal),
    asked: () => asked.splice(0),
    add: (state: string) => runs.push(runOf(state, runs.length)),
    change: (at: number, state: string) => {
      runs[at] = runOf(state, at)
    },
    end: (at = Date.now()) => {
      endedAt = at
    },
  }
}

function runOf(state: string, at: number): Run {
  // See above.
  return { id: String(at), state } as unknown as Run
}

const done = (count: number) => Array<string>(count).fill('completed')

test('pages are one turn, and only what may be new is read again', async () => {
  const daemon = daemonWith(done(8), 2)
  const whole = await daemon.read()
  expect(whole.runs.map(({ id }) => id).join('')).toBe('01234567')
  expect(whole).toMatchObject({ hidden: 6, isCut: false, isSettled: false })
  expect(daemon.asked()).toEqual([undefined, '3', '6'])
  daemon.add('started')
  daemon.add('started')
  expect((await daemon.read()).runs).toHaveLength(10)
  // How the turn ended is on the first page.
  expect(daemon.asked()).toEqual([undefined, '6', '9'])
})

test('a run that ends on an old page is seen to', async () => {
  for (const state of ['started', 'backgrounded']) {
    const daemon = daemonWith(done(9).with(4, state))
    await daemon.read()
    daemon.asked()
    daemon.change(4, 'failed')
    expect((await daemon.read()).runs[4]?.state).toBe('failed')
    expect(daemon.asked()).toEqual([undefined, '3', '6'])
    await daemon.read()
    expect(daemon.asked()).toEqual([undefined, '6'])
  }
})

test('a turn is settled once it was read after its end, or is long over', async () => {
  const daemon = daemonWith(done(1))
  expect((await daemon.read()).isSettled).toBe(false)
  daemon.end()
  expect((await daemon.read()).isSettled).toBe(false)
  // Runs are written a moment after they end.
  daemon.add('completed')
  const settled = await daemon.read()
  expect(settled).toMatchObject({ isSettled: true, runs: [{}, {}] })
  const old = daemonWith(done(1))
  old.end(Date.now() - 60_000)
  expect((await old.read()).isSettled).toBe(true)
})

test('what is settled is the same thing again, until something in the background ends', async () => {
  const daemon = daemonWith(['completed', 'backgrounded'])
  daemon.end(Date.now() - 60_000)
  const first = await daemon.read()
  expect(await daemon.read()).toBe(first)
  daemon.change(1, 'completed')
  const second = await daemon.read()
  expect(second.runs[1]?.state).toBe('completed')
  expect(await daemon.read()).toBe(second)
})

test('a turn without end is cut, and says so', async () => {
  const daemon = daemonWith(done(50 * limit + 1))
  const { runs, isCut } = await daemon.read()
  expect(runs).toHaveLength(50 * limit)
  expect(isCut).toBe(true)
  expect(daemon.asked()).toHaveLength(50)
})
