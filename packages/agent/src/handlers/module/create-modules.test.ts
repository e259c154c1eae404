import { mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createFakeClock } from 'hookline/testing'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { HandlerFailure } from '../handler-failure.ts'
import {
  callOf,
  failedEnds,
  gated,
  type ModuleFiles,
  moduleFiles,
  moduleThreads,
  said,
} from './fixtures/module-files.ts'

let files: ModuleFiles

beforeEach(() => {
  const environment = { GRANTED: 'yes', SECRET: 'no' }
  files = moduleFiles({ environment })
})

afterEach(async () => {
  await files[Symbol.asyncDispose]()
  await vi.waitUntil(() => moduleThreads() === 0, { timeout: 30_000 })
})

const isolations = ['thread', 'process-wide'] as const

test('a module has our packages where nobody has installed them', async () => {
  files.write(
    'gate.ts',
    `import type { CodeContext } from '@hookline/agent/handlers'
    import { reject } from 'hookline'
    import { toolGuard } from 'hookline/lifecycle'
    export const run = (_: unknown, { hook }: CodeContext) =>
      reject(hook + ' at ' + toolGuard.name)`,
  )
  const text = await said(files.open('gate.ts'), { input: {} })
  expect(JSON.parse(text)).toMatchObject({ reason: 'hook at tool.guard' })
})

test('what is not there and not ours stays missing', async () => {
  files.write('gate.ts', `import 'hookline-of-others'; export const run = 1`)
  const ended = await said(files.open('gate.ts'), { input: {} })
  expect(ended).toBe('not-started')
})

test.each(isolations)(
  'a module gets the input and its context, and its answer is taken (%s)',
  async (isolation) => {
    files.write(
      'gate.ts',
      `import { ok } from 'node:assert'
      interface Context { run: string, remainingMs: number, [key: string]: any }
      export function run(input: { command: string }, context: Context) {
        ok(context.signal instanceof AbortSignal)
        ok(context.remainingMs > 0 && context.remainingMs <= 30000)
        context.contribute({ kind: 'audit', value: { event: 'seen' } })
        context.diagnose('looked', 'at ' + input.command)
        const { run, hook, point, scope } = context
        return { type: 'reject', reason: [run, hook, point, scope.agent].join() }
      }`,
    )
    const handler = files.open('gate.ts', { isolation })
    const notes: string[] = []
    const text = await said(handler, { input: { command: 'ls' }, notes })
    expect(JSON.parse(text)).toEqual({
      type: 'reject',
      reason: 'run-1,hook,tool.guard,main',
      run: 'run-1',
      contributions: [{ kind: 'audit', value: { event: 'seen' } }],
    })
    expect(notes).toEqual(['looked: at ls'])
    expect(moduleThreads()).toBe(isolation === 'thread' ? 1 : 0)
  },
)

test.each(isolations)('another export can be named (%s)', async (isolation) => {
  files.write(
    'many.mjs',
    `export const strict = () => ({ type: 'reject', reason: 'no' })
    export const soft = async () => {}`,
  )
  const strict = files.open('many.mjs', { isolation, export: 'strict' })
  const soft = files.open('many.mjs', { isolation, export: 'soft' })
  const none = files.open('many.mjs', { isolation })
  expect(await said(strict)).toContain('"no"')
  expect(await said(soft)).toBe('')
  expect(await said(none)).toBe('not-started')
})

test.each(isolations)(
  'T15 a gate that forgets to return an answer lets nothing through (%s)',
  async (isolation) => {
    files.write(
      'silent.mjs',
      `export function nothing() {}
      export const nil = async () => null`,
    )
    for (const name of ['nothing', 'nil']) {
      const handler = files.open('silent.mjs', { isolation, export: name })
      expect(await gated(handler)).toEqual(failedEnds)
    }
  },
)

test.each(isolations)(
  'what cannot be loaded says why (%s)',
  async (isolation) => {
    files.write('broken.mjs', 'export const run = (')
    files.write('throws.mjs', 'throw new Error("at the top")')
    for (const file of ['broken.mjs', 'throws.mjs', 'absent.mjs', '.']) {
      const handler = files.open(file, { isolation })
      expect([file, await said(handler)]).toEqual([file, 'not-started'])
    }
    const asked = files.open('throws.mjs', { isolation }).ask(callOf())
    await expect(asked).rejects.toThrow(/at the top/)
  },
)

test('T15 a gate whose file does not exist blocks its event, and says which file', async () => {
  const handler = files.open('hooks/gaurd.mjs')
  expect(await gated(handler)).toEqual(failedEnds)
  const failure: unknown = await handler.ask(callOf()).catch((error) => error)
  expect(failure).toBeInstanceOf(HandlerFailure)
  const path = join(files.folder, 'hooks/gaurd.mjs')
  expect(String(failure)).toContain(`"${path}" does not exist`)
})

test.each(isolations)(
  'a changed file is loaded anew; a call that runs ends on the old code (%s)',
  async (isolation) => {
    const write = (reason: string) =>
      files.write(
        'gate.mjs',
        `import { existsSync } from 'node:fs'
        import { setTimeout as wait } from 'node:timers/promises'
        export async function run({ until }, { diagnose }) {
          diagnose('begun', '')
          while (until && !existsSync(until)) await wait(5)
          return { type: 'reject', reason: '${reason}' }
        }`,
      )
    write('first')
    const handler = files.open('gate.mjs', { isolation })
    const notes: string[] = []
    const until = join(files.folder, 'go')
    const running = said(handler, { input: { until }, notes })
    await vi.waitUntil(() => notes.length > 0, { timeout: 30_000 })
    write('second')
    expect(await said(handler)).toContain('second')
    files.write('go', '')
    expect(await running).toContain('first')
    const threads = isolation === 'thread' ? 1 : 0
    await vi.waitUntil(() => moduleThreads() === threads, { timeout: 30_000 })
  },
)

test('what a module imports from beside it is loaded anew when it has changed', async () => {
  files.write(
    'gate.ts',
    `import { word } from './deny.ts'
    export const run = () => ({ type: 'reject', reason: word })`,
  )
  files.write('deny.ts', "export { word } from './word.ts'")
  const writeWord = (word: string) =>
    files.write('word.ts', `export const word = '${word}'`)
  writeWord('first')
  const handler = files.open('gate.ts')
  expect(await said(handler)).toContain('first')
  writeWord('second')
  expect(await said(handler)).toContain('second')
})

test("a module of the user's own keeps its thread over what it writes beside itself", async () => {
  files.write(
    'count.mjs',
    `import { writeFileSync } from 'node:fs'
    let count = 0
    export const run = () => {
      writeFileSync(new URL('./state.json', import.meta.url), String(++count))
      return { type: 'reject', reason: String(count) }
    }`,
  )
  const handler = files.open('count.mjs')
  expect(await said(handler)).toContain('"1"')
  expect(await said(handler)).toContain('"2"')
})

test('a change that leaves time and size as they were is seen', async () => {
  const path = join(files.folder, 'gate.mjs')
  const write = (reason: string) => {
    files.write(
      'gate.mjs',
      `export const run = () => ({ type: 'reject', reason: '${reason}' })`,
    )
    utimesSync(path, 1_000_000, 1_000_000)
  }
  write('aaa')
  const handler = files.open('gate.mjs')
  expect(await said(handler)).toContain('aaa')
  write('bbb')
  expect(await said(handler)).toContain('bbb')
})

test('a file that is touched but not changed keeps its thread and its state', async () => {
  files.write(
    'count.mjs',
    `let count = 0
    export const run = () => ({ type: 'reject', reason: String(++count) })`,
  )
  const handler = files.open('count.mjs')
  expect(await said(handler)).toContain('"1"')
  utimesSync(join(files.folder, 'count.mjs'), 5, 5)
  expect(await said(handler)).toContain('"2"')
})

test('code in the process is imported a hundred times at most', async () => {
  const handler = files.open('many.mjs', { isolation: 'process-wide' })
  for (let version = 0; version < 100; version++) {
    files.write(
      'many.mjs',
      `export const run = () => ({ type: 'reject', reason: 'v${version}' })`,
    )
    expect(await said(handler)).toContain(`"v${version}"`)
  }
  files.write('many.mjs', 'export const run = () => ({ type: "proceed" })')
  expect(await said(handler)).toBe('not-started')
})

test('a thread has no variables but those that are granted', async () => {
  files.write(
    'env.mjs',
    `export const run = () => ({ type: 'reject', reason: JSON.stringify({ ...process.env }) })`,
  )
  const reasonOf = async (env?: readonly string[]) => {
    const handler = files.open('env.mjs', env === undefined ? {} : { env })
    return JSON.parse(JSON.parse(await said(handler)).reason)
  }
  expect(await reasonOf()).toEqual({})
  expect(await reasonOf(['GRANTED', 'ABSENT'])).toEqual({ GRANTED: 'yes' })
})

test('what a module prints belongs to the call that prints it', async () => {
  files.write(
    'print.mjs',
    `console.log('while loading')
    export const run = async ({ name }) => {
      await null
      console.log('out ' + name)
      await new Promise((resolve) => setImmediate(resolve))
      console.error('err ' + name)
      return { type: 'proceed' }
    }`,
  )
  const handler = files.open('print.mjs')
  const first: string[] = []
  const second: string[] = []
  await Promise.all([
    said(handler, { input: { name: 'a' }, notes: first }),
    said(handler, { input: { name: 'b' }, notes: second }),
  ])
  expect(first).toEqual([
    'stdout: while loading',
    'stdout: out a',
    'stderr: err a',
  ])
  expect(second).toEqual(['stdout: out b', 'stderr: err b'])
})

test('a module has no way to its host', async () => {
  files.write(
    'reach.mjs',
    `import { parentPort, workerData } from 'node:worker_threads'
    import * as threads from 'node:worker_threads'
    import { createRequire } from 'node:module'
    const required = createRequire(import.meta.url)('node:worker_threads')
    export const run = () => {
      const ways = [parentPort, workerData, threads.parentPort, required.parentPort, required.workerData]
      return { type: 'reject', reason: JSON.stringify(ways) }
    }`,
  )
  const { reason } = JSON.parse(await said(files.open('reach.mjs')))
  expect(JSON.parse(reason)).toEqual([null, null, null, null, null])
})

test('hooks of one file share a thread, unless they ask for different ones', async () => {
  files.write('gate.mjs', 'export const run = () => ({ type: "proceed" })')
  await said(files.open('gate.mjs'))
  await said(files.open('gate.mjs'))
  expect(moduleThreads()).toBe(1)
  await said(files.open('gate.mjs', { maxMemoryMb: 32 }))
  expect(moduleThreads()).toBe(2)
})

test('a thread that dies again and again is started later and later', async () => {
  const clock = createFakeClock()
  const own = moduleFiles({ clock })
  own.write(
    'exits.mjs',
    'export const run = ({ dies }) => dies ? process.exit() : { type: "proceed" }',
  )
  const handler = own.open('exits.mjs')
  const dies = { input: { dies: true } }
  try {
    expect(await said(handler, dies)).toBe('crashed')
    expect(await said(handler, dies)).toBe('crashed')
    for (const waitMs of [100, 200, 400]) {
      let end = ''
      const asked = said(handler, dies).then((code) => {
        end = code
      })
      await clock.advance(waitMs - 1)
      expect([moduleThreads(), end]).toEqual([0, ''])
      await clock.advance(1)
      await asked
      expect(end).toBe('crashed')
    }
    // Who has less time than that is told at once when it is over.
    const asked = said(handler, { ...dies, timeoutMs: 50, clock })
    await clock.advance(50)
    expect(await asked).toBe('timed-out')
    // A file that was mended need not wait.
    own.write('exits.mjs', 'export const run = () => ({ type: "proceed" })')
    expect(await said(handler)).toContain('proceed')
  } finally {
    await own[Symbol.asyncDispose]()
  }
})

test('a closed module takes no calls, and those that it had fail', async () => {
  files.write(
    'hang.mjs',
    'export const run = ({ hang }) => hang && new Promise(() => {})',
  )
  const handler = files.open('hang.mjs')
  await said(handler)
  const hanging = said(handler, { input: { hang: true } })
  await files.modules.close()
  expect(await hanging).toBe('cancelled')
  expect(moduleThreads()).toBe(0)
  expect(await said(handler)).toBe('cancelled')
})

test('a path outside of the folder is the path that it is', async () => {
  const other = mkdtempSync(join(tmpdir(), 'hookline-other-'))
  writeFileSync(
    join(other, 'a.mjs'),
    'export const run = () => ({ type: "proceed" })',
  )
  expect(await said(files.open(join(other, 'a.mjs')))).toContain('proceed')
  rmSync(other, { recursive: true })
})
