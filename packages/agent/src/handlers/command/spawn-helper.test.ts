import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { CommandRunner } from './command-runner.ts'
import { createCommandRunner } from './create-command-runner.ts'
import { holdings, leftOver, processesWith, until } from './fixtures/leaks.ts'
import type { LoopDelays } from './fixtures/loop-program.ts'
import { bash, specOf } from './fixtures/run-spec.ts'
import { isAlive, listPids, readProcess } from './process-list.ts'

const run = promisify(execFile)
const program = new URL('./fixtures/loop-program.ts', import.meta.url)

let runner: CommandRunner
let before: ReadonlyMap<string, number>

beforeEach(() => {
  before = holdings()
  runner = createCommandRunner({ spawnHelper: 'always' })
})

afterEach(async () => {
  await runner.close()
  expect(helpers()).toEqual([])
  expect(await leftOver(before)).toEqual([])
})

/** Our own children: the helper is the only one that there may be. */
function helpers(): number[] {
  return listPids()
    .map(readProcess)
    .filter((facts) => facts !== undefined)
    .filter((facts) => facts.parent === process.pid && isAlive(facts))
    .map(({ pid }) => pid)
}

test('a helper runs programs as we would', async () => {
  const stdin = 'x'.repeat(3_000_000)
  const end = await runner.run(
    bash('wc -c; echo no >&2; exit 2', { stdin, maxStderrBytes: 100 }),
  )
  expect(end).toMatchObject({
    exitCode: 2,
    stdout: '3000000\n',
    stderr: 'no\n',
    isTimedOut: false,
    survivors: [],
  })
  expect(helpers()).toHaveLength(1)
  const late = await runner.run(bash('sleep 60', { timeoutMs: 200 }))
  expect(late).toMatchObject({ isTimedOut: true })
  const missing = runner.run(specOf(['no-such-program-anywhere']))
  await expect(missing).rejects.toMatchObject({ code: 'not-started' })
})

test('what a helper runs is ended when it is no longer wanted', async () => {
  const mark = `helper-${process.pid}`
  const env = { PATH: process.env['PATH'] ?? '', MARK: mark }
  const stop = new AbortController()
  const run = runner.run(bash('sleep 60; true', { env, signal: stop.signal }))
  await until(() => processesWith('MARK', mark).length >= 2)
  stop.abort()
  await expect(run).rejects.toMatchObject({ code: 'cancelled' })
  expect(processesWith('MARK', mark)).toEqual([])
})

test('a helper that dies fails its calls, leaves nothing, and comes back', async () => {
  const mark = `dying-${process.pid}`
  const env = { PATH: process.env['PATH'] ?? '', MARK: mark }
  const script = 'trap "" TERM; setsid sleep 60 & sleep 60; true'
  const running = runner.run(bash(script, { env }))
  await until(() => processesWith('MARK', mark).length >= 3)
  const [helper = 0] = helpers()
  process.kill(helper, 'SIGKILL')
  await expect(running).rejects.toMatchObject({ code: 'crashed' })
  await until(() => processesWith('MARK', mark).length === 0)
  expect(await runner.run(bash('echo again'))).toMatchObject({
    stdout: 'again\n',
  })
  expect(helpers()).not.toContain(helper)
})

test('a helper is used only when we are large', async () => {
  const small = createCommandRunner()
  await small.run(bash('true'))
  expect(helpers()).toEqual([])
  await small.close()
  const large = createCommandRunner({ helperAboveBytes: 1 })
  await large.run(bash('true'))
  expect(helpers()).toHaveLength(1)
  await large.close()
})

test('with a helper to start programs does not hold up a program of 1.5 GB', async () => {
  const enough = 0.5
  const args = [program.pathname, '1400', String(enough)]
  const { stdout } = await run(process.execPath, args)
  const { rss, ratio, aloneMs, helpedMs }: LoopDelays = JSON.parse(stdout)
  const megabytes = Math.round(rss / 1e6)
  console.log(
    `event loop held up by a spawn at ${megabytes} MB: ${aloneMs.toFixed(1)} ms without helper, ${helpedMs.toFixed(1)} ms with it`,
  )
  expect(rss).toBeGreaterThan(1_400_000_000)
  expect(ratio).toBeLessThanOrEqual(enough)
}, 120_000)
