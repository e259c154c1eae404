import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { createFakeClock } from 'hookline/testing'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import {
  failedEnds,
  gated,
  type ModuleFiles,
  moduleFiles,
  moduleThreads,
  said,
} from './fixtures/module-files.ts'

// One file that does what its input says.
const hostile = `
import { writeFileSync } from 'node:fs'
const proceed = { type: 'proceed' }
const does = {
  nothing: () => proceed,
  loops: ({ begun }) => { if (begun) writeFileSync(begun, ''); for (;;); },
  loopsLater: async () => { await null; for (;;); },
  backtracks: () => /^(a+)+$/.test('a'.repeat(60) + 'b') ? proceed : proceed,
  starves: () => { const again = () => queueMicrotask(again); again(); return new Promise(() => {}) },
  waits: () => { Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0) },
  hangs: () => new Promise(() => {}),
  exits: () => process.exit(0),
  exitsLater: () => { setImmediate(() => process.exit(1)); return new Promise(() => {}) },
  aborts: () => process.abort(),
  kills: () => process.kill(process.pid, 'SIGKILL'),
  throws: () => { throw new Error('on purpose') },
  rejects: async () => { throw null },
  throwsOdd: () => { throw { get message() { throw 1 }, toString() { throw 2 } } },
  floats: () => { Promise.reject(new Error('nobody waits')); return new Promise(() => {}) },
  ticks: () => { setTimeout(() => { throw new Error('in a timer') }); return new Promise(() => {}) },
  eats: () => { const all = []; for (;;) all.push(new Array(1000).fill(Math.random())) },
  eatsBuffers: () => { const all = []; for (;;) all.push(Buffer.alloc(1 << 20, 1)) },
  eatsSlowly: () => { const all = []; setInterval(() => all.push(Buffer.alloc(1 << 20, 1)), 1); return new Promise(() => {}) },
  eatsAfterwards: () => { const all = []; setInterval(() => all.push(Buffer.alloc(1 << 20, 1)), 1); return proceed },
  floods: () => { for (;;) process.stdout.write('x'.repeat(1000)) },
  large: () => ({ type: 'reject', reason: 'x'.repeat(5_000_000) }),
  gives: (args) => args.given,
  patches: () => {
    Object.prototype.type = 'proceed'
    JSON.parse = () => proceed
    Array.prototype.push = () => 0
    globalThis.fetch = () => {}
    process.env.PATCHED = '1'
    process.removeAllListeners()
    return proceed
  },
}
export const run = ({ args }) => does[args.does](args)
`

let files: ModuleFiles
let beats = 0
let heart: NodeJS.Timeout

beforeEach(() => {
  files = moduleFiles()
  files.write('hostile.mjs', hostile)
  beats = 0
  heart = setInterval(() => beats++, 10)
})

afterEach(async () => {
  clearInterval(heart)
  await files[Symbol.asyncDispose]()
  await vi.waitUntil(() => moduleThreads() === 0, { timeout: 30_000 })
})

/** The file is loaded, so that what follows is the call alone. */
async function openHostile(from = files) {
  const handler = from.open('hostile.mjs', { maxMemoryMb: 64 })
  expect(
    await said(handler, { input: { args: { does: 'nothing' } } }),
  ).toContain('proceed')
  return handler
}

const input = (does: string) => ({ args: { does } })

/** It fails at its deadline, its thread is gone, and all else goes on. */
async function isEndedAtDeadline(does: string) {
  const clock = createFakeClock()
  await using timed = moduleFiles({ clock })
  timed.write('hostile.mjs', hostile)
  const handler = await openHostile(timed)
  let isOver = false
  const limited = { input: input(does), timeoutMs: 200, clock }
  const asked = said(handler, limited).finally(() => {
    isOver = true
  })
  beats = 0
  await vi.waitUntil(() => beats > 3, { timeout: 30_000 })
  await clock.advance(195)
  expect(isOver).toBe(false)
  await clock.advance(5)
  expect(await asked).toBe('timed-out')
  // The thread may have begun with it only now: it has a while to say so.
  await clock.advance(50)
  await expect.poll(moduleThreads).toBe(0)
  expect(await said(handler, { input: input('nothing') })).toContain('proceed')
  const gate = await openHostile()
  const ends = await gated(gate, { args: { does }, timeoutMs: 200 })
  expect(ends).toEqual(failedEnds)
}

test.each(['loops', 'loopsLater', 'backtracks', 'waits'])(
  'F010 a module that blocks its thread (%s) is ended at its deadline, and the host goes on',
  isEndedAtDeadline,
)

test('F024 a module that starves its thread is ended at its deadline, and the host goes on', () =>
  isEndedAtDeadline('starves'))

test('a call that waits for ever is given up; its thread goes on', async () => {
  const clock = createFakeClock()
  await using timed = moduleFiles({ clock })
  timed.write('hostile.mjs', hostile)
  const handler = await openHostile(timed)
  const hangs = { input: input('hangs'), timeoutMs: 200, clock }
  const asked = said(handler, hangs)
  await clock.advance(200)
  expect(await asked).toBe('timed-out')
  expect(await said(handler, { input: input('nothing') })).toContain('proceed')
  // It had a while to say that it is there.
  await clock.advance(200)
  expect(moduleThreads()).toBe(1)
})

test.each(['exits', 'exitsLater', 'aborts', 'kills'])(
  'F013 a module that ends the process (%s) ends only its own call',
  async (does) => {
    const handler = await openHostile()
    expect(await said(handler, { input: input(does) })).toBe('crashed')
    expect(await said(handler, { input: input('nothing') })).toContain(
      'proceed',
    )
    expect(await gated(handler, { args: { does } })).toEqual(failedEnds)
  },
)

test.each(['throws', 'rejects', 'throwsOdd', 'floats', 'ticks'])(
  'a module that throws (%s) fails its own call, and its thread goes on',
  async (does) => {
    const handler = await openHostile()
    expect(await said(handler, { input: input(does) })).toBe('crashed')
    expect(await said(handler, { input: input('nothing') })).toContain(
      'proceed',
    )
    expect(moduleThreads()).toBe(1)
  },
)

test.each(['eats', 'eatsBuffers'])(
  'F023 a module that takes all memory (%s) is ended at its limit, and the host goes on',
  { timeout: 60_000 },
  async (does) => {
    const handler = await openHostile()
    const before = process.memoryUsage.rss()
    expect(await said(handler, { input: input(does) })).toBe('out-of-memory')
    expect(process.memoryUsage.rss() - before).toBeLessThan(1_000 * 1_048_576)
    expect(await said(handler, { input: input('nothing') })).toContain(
      'proceed',
    )
    expect(await gated(handler, { args: { does } })).toEqual(failedEnds)
  },
)

test.each([
  ['eatsSlowly', 'timed-out', 30],
  ['eatsAfterwards', 'proceed', 30_000],
])(
  'F023 a module that goes on to take memory after its call (%s) is ended, and the next call is made',
  async (does, end, timeoutMs) => {
    const handler = await openHostile()
    const asked = { input: input(does), timeoutMs }
    expect(await said(handler, asked)).toContain(end)
    await vi.waitUntil(() => moduleThreads() === 0, { timeout: 30_000 })
    expect(await said(handler, { input: input('nothing') })).toContain(
      'proceed',
    )
  },
)

test('a module that prints without end is ended, and little of it is kept', async () => {
  const clock = createFakeClock()
  await using timed = moduleFiles({ clock })
  timed.write('hostile.mjs', hostile)
  const handler = await openHostile(timed)
  const notes: string[] = []
  const floods = { input: input('floods'), timeoutMs: 1_500, notes, clock }
  const asked = said(handler, floods)
  const isCut = () => notes.at(-1)?.includes('There is more')
  await vi.waitUntil(isCut, { timeout: 30_000 })
  await clock.advance(1_500)
  expect(await asked).toMatch(/timed-out|out-of-memory/)
  expect(notes.length).toBeLessThanOrEqual(9)
  expect(Math.max(...notes.map((note) => note.length))).toBeLessThan(600)
  expect(notes.at(-1)).toContain('There is more')
})

test('F022 an answer that is too large stays where it is', async () => {
  const handler = await openHostile()
  expect(await said(handler, { input: input('large') })).toBe('too-large')
  expect(await gated(handler, { args: { does: 'large' } })).toEqual(failedEnds)
})

test('T35 what a module patches is patched in its thread alone', async () => {
  const before = [JSON.parse, globalThis.fetch, process.listenerCount('exit')]
  const handler = await openHostile()
  await said(handler, { input: input('patches') })
  expect(Object.hasOwn(Object.prototype, 'type')).toBe(false)
  expect(process.env['PATCHED']).toBeUndefined()
  const list: number[] = []
  expect(list.push(1)).toBe(1)
  const after = [JSON.parse, globalThis.fetch, process.listenerCount('exit')]
  expect(after).toEqual(before)
})

test('a call that was not begun is made in the next thread; one that was, fails', async () => {
  const clock = createFakeClock()
  await using timed = moduleFiles({ clock })
  timed.write('hostile.mjs', hostile)
  const handler = await openHostile(timed)
  const begun = join(timed.folder, 'begun')
  const loops = { args: { does: 'loops', begun } }
  const hanging = said(handler, { input: input('hangs') })
  const looping = said(handler, { input: loops, timeoutMs: 200, clock })
  const behind = said(handler, { input: input('nothing') })
  await vi.waitUntil(() => existsSync(begun), { timeout: 30_000 })
  await clock.advance(200)
  expect(await looping).toBe('timed-out')
  expect(await hanging).toBe('crashed')
  expect(await behind).toContain('proceed')
})

test('a caller that gives up is told so at once, and a thread that blocks is ended', async () => {
  const handler = await openHostile()
  const caller = new AbortController()
  const asked = said(handler, { input: input('loops'), signal: caller.signal })
  await sleep(100)
  caller.abort()
  expect(await asked).toBe('cancelled')
  await expect.poll(moduleThreads).toBe(0)
})
