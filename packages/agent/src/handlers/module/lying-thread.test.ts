import { type Clock, systemClock } from 'hookline'
import { createFakeClock } from 'hookline/testing'
import { afterEach, expect, test, vi } from 'vitest'
import { readAnswer } from '../answer/read-answer.ts'
import type { Handler } from '../handler.ts'
import { FileHash } from './file-hash.ts'
import { moduleThreads, said } from './fixtures/module-files.ts'
import { ModuleHost } from './module-host.ts'

let host: ModuleHost
let handler: Handler

function openHost(clock: Clock = systemClock) {
  host = new ModuleHost({
    // What it holds does not matter; the thread runs another program.
    file: new FileHash(import.meta.filename),
    folder: import.meta.dirname,
    env: {},
    maxMemoryMb: 64,
    maxBytes: 1_000,
    clock,
    program: new URL('./fixtures/lying-thread.ts', import.meta.url),
  })
  handler = { ask: (call) => host.ask(call, 'run') }
}

afterEach(async () => {
  await host.close()
  await vi.waitUntil(() => moduleThreads() === 0, { timeout: 30_000 })
})

const tell = (lie: string) => said(handler, { input: { lie } })

test.each(['garbage', 'bytes', 'empty', 'letters', 'elsewhere', 'flood'])(
  'a thread that says what nobody asked for (%s) is ended, and the next one is fine',
  async (lie) => {
    openHost()
    expect(await tell('honest')).toContain('proceed')
    expect(await tell(lie)).toBe('crashed')
    expect(await tell('honest')).toContain('proceed')
  },
)

test('T24 of two answers the first one counts, and the thread is ended for the second', async () => {
  openHost()
  expect(await tell('twice')).toContain('reject')
  await vi.waitUntil(() => moduleThreads() === 0, { timeout: 30_000 })
  expect(await tell('honest')).toContain('proceed')
})

test.each(['otherRun', 'noRun'])(
  'T24 an answer that names another run or none (%s) is none',
  async (lie) => {
    openHost()
    const text = await tell(lie)
    expect(() => readAnswer(text, { run: 'run-1', mustNameRun: true })).toThrow(
      /run/,
    )
  },
)

test('an answer that is late changes nothing', async () => {
  const clock = createFakeClock()
  openHost(clock)
  expect(await tell('honest')).toContain('proceed')
  const late = { input: { lie: 'late' }, timeoutMs: 200, clock }
  const asked = said(handler, late)
  await clock.advance(200)
  expect(await asked).toBe('timed-out')
  // It comes while this one is waited for, and is not taken for it.
  expect(await tell('afterLate')).toContain('proceed')
  expect(await tell('honest')).toContain('proceed')
  expect(moduleThreads()).toBe(1)
})

test('a thread that tells without end holds up nobody for long', async () => {
  openHost()
  expect(await tell('honest')).toContain('proceed')
  const beatsMeanwhile = async () => {
    let beats = 0
    const heart = setInterval(() => beats++, 5)
    const told = await tell('floodNotes')
    clearInterval(heart)
    expect(told).toContain('proceed')
    return beats
  }
  // All that came while this thread stood still is read at once.
  await expect.poll(beatsMeanwhile).toBeGreaterThan(1)
})
