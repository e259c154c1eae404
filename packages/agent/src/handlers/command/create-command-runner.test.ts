import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { HandlerFailure } from '../handler-failure.ts'
import type { CommandRunner } from './command-runner.ts'
import { createCommandRunner } from './create-command-runner.ts'
import { corpus } from './fixtures/ask-hook.ts'
import { holdings, leftOver, processesWith, until } from './fixtures/leaks.ts'
import { bash, specOf } from './fixtures/run-spec.ts'

let runner: CommandRunner
let folder: string
let before: ReadonlyMap<string, number>

beforeEach(() => {
  before = holdings()
  folder = mkdtempSync(join(tmpdir(), 'hookline-runner-'))
  runner = createCommandRunner({ concurrency: 4, spawnHelper: 'never' })
})

afterEach(async () => {
  await runner.close()
  rmSync(folder, { recursive: true, force: true })
  expect(await leftOver(before)).toEqual([])
})

test('a program gets its arguments as they are, and its input whole', async () => {
  const argument = '$HOME `id` "x" \'y\' ; echo no\n*'
  const end = await runner.run(
    bash('printf "%s|" "$@"; cat', {
      argv: ['bash', '-c', 'printf "%s|" "$@"; cat', 'name', argument, ''],
      stdin: 'the input, with ü and 🙂',
    }),
  )
  expect(end).toMatchObject({
    exitCode: 0,
    stdout: `${argument}||the input, with ü and 🙂`,
    stderr: '',
    isStdoutCut: false,
    isTimedOut: false,
    survivors: [],
  })
  expect(end.signal).toBeUndefined()
})

test('a program has the environment it is given and the tag of its run', async () => {
  const env = { PATH: process.env['PATH'] ?? '', GIVEN: 'yes' }
  const { stdout } = await runner.run(specOf(['env'], { env, cwd: folder }))
  const names = stdout
    .trim()
    .split('\n')
    .map((line) => line.split('=')[0])
  const expected = ['GIVEN', 'HOOKLINE_RUN', 'PATH', 'SHLVL']
  expect(new Set(names)).toEqual(new Set(expected))
})

test('what is too much is cut: output at its end, errors in their middle', async () => {
  const end = await runner.run(
    bash('for i in {1..999}; do echo "$i" >&2; done; printf abcdef', {
      maxStdoutBytes: 4,
      maxStderrBytes: 20,
    }),
  )
  expect(end).toMatchObject({ stdout: 'abcd', isStdoutCut: true })
  expect(end.isStderrCut).toBe(true)
  expect(end.stderr).toMatch(
    /^1\n2\n3\n4\n5\n\n\[\d+ bytes are left out here\]\n7\n998\n999\n$/,
  )
})

test('output that is no UTF-8 is told', async () => {
  const end = await runner.run(bash("printf '\\xc3\\x28'"))
  expect(end).toMatchObject({ stdout: '\ufffd(', isInvalidText: true })
  const plain = await runner.run(bash('echo ok'))
  expect(plain).not.toHaveProperty('isInvalidText')
})

test('F081 of 200 at once only so many run at a time, and all have their turn', async () => {
  const log = join(folder, 'log')
  const script = `echo + >> ${log}; sleep 0.01; echo - >> ${log}`
  const all = Array.from({ length: 200 }, async () => {
    const env = { PATH: process.env['PATH'] ?? '' }
    const argv = ['sh', '-c', script]
    return await runner.run(specOf(argv, { env, timeoutMs: 100_000 }))
  })
  const ends = await Promise.all(all)
  expect(ends.filter(({ exitCode }) => exitCode === 0)).toHaveLength(200)
  let running = 0
  let most = 0
  for (const line of readFileSync(log, 'utf8').trim().split('\n')) {
    running += line === '+' ? 1 : -1
    most = Math.max(most, running)
  }
  expect(most).toBeLessThanOrEqual(4)
  expect(most).toBeGreaterThan(1)
}, 100_000)

test('F081 time that is spent waiting counts, and when it is up there is no start', async () => {
  const log = join(folder, 'log')
  const busy = createCommandRunner({ concurrency: 1, spawnHelper: 'never' })
  const slow = busy.run(bash('sleep 0.7'))
  const late = busy.run(bash(`touch ${log}`, { timeoutMs: 100 }))
  await expect(late).rejects.toMatchObject({ code: 'overloaded' })
  expect(await slow).toMatchObject({ exitCode: 0 })
  await busy.close()
  expect(() => readFileSync(log)).toThrow()
})

test('F081 the queue is bounded', async () => {
  const small = createCommandRunner({ concurrency: 1, maxWaiting: 1 })
  const running = small.run(bash('sleep 0.3'))
  const waiting = small.run(bash('true'))
  const refused = small.run(bash('true'))
  await expect(refused).rejects.toMatchObject({ code: 'overloaded' })
  expect(await running).toMatchObject({ exitCode: 0 })
  expect(await waiting).toMatchObject({ exitCode: 0 })
  await small.close()
})

test('a program that is no longer wanted is ended with all of its children', async () => {
  const mark = `cancel-${process.pid}`
  const env = { PATH: process.env['PATH'] ?? '', MARK: mark }
  const stop = new AbortController()
  const script = 'setsid sleep 60 & sleep 60'
  const run = runner.run(bash(script, { env, signal: stop.signal }))
  await until(() => processesWith('MARK', mark).length >= 3)
  stop.abort()
  await expect(run).rejects.toMatchObject({ code: 'cancelled' })
  expect(processesWith('MARK', mark)).toEqual([])
  const never = runner.run(bash('echo x', { signal: stop.signal }))
  await expect(never).rejects.toMatchObject({ code: 'cancelled' })
})

test.each(['never', 'always'] as const)(
  'to close ends what is just being started, too; a helper %s starts it',
  async (spawnHelper) => {
    const mark = `starting-${spawnHelper}-${process.pid}`
    const env = { PATH: process.env['PATH'] ?? '', MARK: mark }
    const small = createCommandRunner({ spawnHelper })
    const listeners = { stdout: () => {}, stderr: () => {} }
    const spec = { argv: ['sleep', '300'], cwd: folder, env }
    const starting = small.start?.(spec, listeners)
    const refused = expect(starting).rejects.toMatchObject({
      code: 'cancelled',
    })
    await small.close()
    await refused
    expect(processesWith('MARK', mark)).toEqual([])
  },
)

test('to close ends what runs and turns away what waits', async () => {
  const mark = `close-${process.pid}`
  const env = { PATH: process.env['PATH'] ?? '', MARK: mark }
  const small = createCommandRunner({ concurrency: 1, spawnHelper: 'never' })
  const running = small.run(bash('trap "" TERM; sleep 60; true', { env }))
  const waiting = small.run(bash('true'))
  await until(() => processesWith('MARK', mark).length >= 2)
  const results = Promise.allSettled([running, waiting])
  await small.close()
  for (const result of await results) {
    expect(result).toMatchObject({ reason: { code: 'cancelled' } })
  }
  expect(processesWith('MARK', mark)).toEqual([])
  await expect(small.run(bash('true'))).rejects.toMatchObject({
    code: 'cancelled',
  })
})

test('F054 F055 without pipes a program that does not read 5 MB is heard all the same', async () => {
  const path = process.env['PATH']
  const sockets = createCommandRunner({ spawnHelper: 'never' })
  const stdin = 'x'.repeat(5_000_000)
  const spec = bash('ls -l /proc/self/fd/0; exec 0<&-; echo heard', { stdin })
  // There is no `mkfifo` to be found.
  process.env['PATH'] = folder
  try {
    const ends = [await sockets.run(spec), await sockets.run(spec)]
    for (const end of ends) {
      expect(end).toMatchObject({ exitCode: 0 })
      expect(end.stdout).toMatch(/socket:.*\nheard\n$/)
    }
  } finally {
    process.env['PATH'] = path
    await sockets.close()
  }
})

test('F058 one that ends in time is not late because a child holds its pipes', async () => {
  const timeoutMs = 200
  const script = 'sleep 60 & echo in time'
  // Where it was slow to start its time is up before it ends: once more.
  for (let round = 0; round < 20; round += 1) {
    const end = await runner.run(bash(script, { timeoutMs }))
    if (end.exitCode !== 0) continue
    expect(end.elapsedMs).toBeGreaterThan(timeoutMs)
    expect(end).toMatchObject({ stdout: 'in time\n', isTimedOut: false })
    expect(end.survivors).toHaveLength(1)
    return
  }
  throw new Error('It never ended in time.')
})

test('F079 a script that deletes itself ends well, and is missing the next time', async () => {
  const script = join(folder, 'script.sh')
  copyFileSync(join(corpus, 'deletes-itself.sh'), script)
  chmodSync(script, 0o755)
  const spec = specOf([script], { cwd: folder })
  const first = await runner.run(spec)
  expect(first).toMatchObject({ exitCode: 0, stdout: '{"type":"proceed"}\n' })
  const message = expect.stringContaining('was not found')
  const failure = { code: 'not-started', message }
  await expect(runner.run(spec)).rejects.toMatchObject(failure)
})

test('F079 a script that deletes its folder ends well, and the folder is missing the next time', async () => {
  const script = join(corpus, 'deletes-its-folder.sh')
  const cwd = mkdtempSync(join(tmpdir(), 'hookline-runner-'))
  expect(await runner.run(specOf([script], { cwd }))).toMatchObject({
    exitCode: 0,
  })
  const message = expect.stringContaining(`The folder "${cwd}"`)
  const failure = { code: 'not-started', message }
  await expect(runner.run(specOf([script], { cwd }))).rejects.toMatchObject(
    failure,
  )
})

test('T06 one that has waited for its place is checked once more before it starts', async () => {
  const own = createCommandRunner({ concurrency: 1, spawnHelper: 'never' })
  const wait = 'until [ -e go ]; do sleep 0.02; done'
  const first = own.run(bash(wait, { cwd: folder }))
  let isFree = false
  const asked: boolean[] = []
  const second = own.run(
    bash('touch ran', {
      cwd: folder,
      checkStart() {
        asked.push(isFree)
        throw new HandlerFailure('untrusted', 'It has changed.')
      },
    }),
  )
  isFree = true
  writeFileSync(join(folder, 'go'), '')
  await first
  await expect(second).rejects.toMatchObject({ code: 'untrusted' })
  expect(asked).toEqual([true])
  expect(existsSync(join(folder, 'ran'))).toBe(false)
  await own.close()
})

test('a relative entry of the PATH names no program', async () => {
  copyFileSync('/bin/true', join(folder, 'own-program'))
  chmodSync(join(folder, 'own-program'), 0o755)
  const spec = specOf(['own-program'], { cwd: folder, env: { PATH: '.' } })
  await expect(runner.run(spec)).rejects.toMatchObject({ code: 'not-started' })
})
