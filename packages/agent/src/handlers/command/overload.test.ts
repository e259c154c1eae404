import {
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import type { CommandRunner } from './command-runner.ts'
import { createCommandRunner } from './create-command-runner.ts'
import { until } from './fixtures/leaks.ts'
import { bash } from './fixtures/run-spec.ts'
import { readProcess } from './process-list.ts'

let runner: CommandRunner
let folder: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'hookline-overload-'))
  runner = createCommandRunner({ concurrency: 2, spawnHelper: 'never' })
})

afterEach(async () => {
  await runner.close()
  rmSync(folder, { recursive: true, force: true })
})

/** Whoever polls lets fake time pass, too: what is waited for here does not. */
function stopTime(): void {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
  onTestFinished(() => void vi.useRealTimers())
}

/** Prints, says which process it is, and goes on when it is told to. */
const waiting = () => {
  const [pid, go] = [join(folder, 'pid'), join(folder, 'go')]
  return {
    script: `echo $$ > ${pid}; until [ -e ${go} ]; do sleep 0.01; done; echo in time`,
    begun: async () => {
      await until(() => existsSync(pid) && readFileSync(pid, 'utf8') !== '')
      return Number(readFileSync(pid, 'utf8'))
    },
    goOn: () => writeFileSync(go, ''),
  }
}

/** Nothing else happens in this process meanwhile. */
function holdUpUntil(condition: () => boolean): void {
  const nothing = new Int32Array(new SharedArrayBuffer(4))
  while (!condition()) Atomics.wait(nothing, 0, 0, 5)
}

test('F208 who would wait in vain is turned away at once', async () => {
  const slow = () => runner.run(bash('sleep 0.4'))
  await Promise.all([slow(), slow(), slow()])
  let ended = 0
  const running = [slow(), slow(), slow(), slow()].map((one) =>
    one.finally(() => ended++),
  )
  const late = runner.run(bash('true', { timeoutMs: 300 }))
  await expect(late).rejects.toMatchObject({
    code: 'overloaded',
    message: expect.stringContaining('would not have begun in its time'),
  })
  expect(ended).toBe(0)
  const patient = runner.run(bash('echo patient'))
  expect(await patient).toMatchObject({ stdout: 'patient\n' })
  await Promise.all(running)
})

test('F208 of a storm most are turned away before any of it has ended', async () => {
  const timeoutMs = 3_000
  let ended = 0
  const one = async () => {
    try {
      await runner.run(bash('sleep 0.1', { timeoutMs }))
      ended += 1
      return 'ran'
    } catch {
      return ended === 0 ? 'turned away' : 'late'
    }
  }
  await Promise.all([one(), one(), one(), one()])
  ended = 0
  const ends = await Promise.all(Array.from({ length: 200 }, one))
  const count = (what: string) => ends.filter((end) => end === what).length
  // Each stays for 100 ms at least, so that no more than 62 could have begun.
  expect(count('turned away')).toBeGreaterThanOrEqual(138)
  expect(count('ran')).toBeGreaterThan(1)
})

test('F208 when the storm is over nobody is turned away', async () => {
  const slow = Array.from({ length: 6 }, () => runner.run(bash('sleep 0.3')))
  await Promise.all(slow)
  // It may be too slow for its time; that it begins is what counts.
  const next = runner.run(bash('echo ok', { timeoutMs: 250 }))
  await expect(next).resolves.toBeDefined()
})

test('F208 the time of a command begins when it runs, not before', async () => {
  stopTime()
  const { script, begun, goOn } = waiting()
  const running = runner.run(
    bash(script, {
      timeoutMs: 2_000,
      checkStart: () => vi.advanceTimersByTime(1_900),
    }),
  )
  await begun()
  vi.advanceTimersByTime(1_900)
  goOn()
  const end = await running
  expect(end).toMatchObject({ stdout: 'in time\n', isTimedOut: false })
})

test('F208 who has ended in time is not late because we were held up', async () => {
  stopTime()
  const { script, begun, goOn } = waiting()
  const running = runner.run(bash(script, { timeoutMs: 1_000 }))
  const pid = await begun()
  goOn()
  // It has ended, and this process has not heard of it.
  holdUpUntil(() => readProcess(pid)?.state === 'Z')
  vi.advanceTimersByTime(1_200)
  expect(await running).toMatchObject({
    stdout: 'in time\n',
    isTimedOut: false,
  })
})
