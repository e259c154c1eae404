import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createFakeClock } from 'hookline/testing'
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest'
import type { CommandDefinition } from '../../definition.ts'
import type { Handler } from '../../handler.ts'
import { callOf } from '../../module/fixtures/module-files.ts'
import type { CommandRunner } from '../command-runner.ts'
import { createCommandHandler } from '../create-command-handler.ts'
import { createCommandRunner } from '../create-command-runner.ts'
import { askHook, type Heard } from '../fixtures/ask-hook.ts'
import { holdings, leftOver, processesWith, until } from '../fixtures/leaks.ts'
import type { ResidentOptions } from './resident.ts'

const folder = new URL('./fixtures', import.meta.url).pathname
const mark = `resident-${process.pid}`

let runner: CommandRunner
let handlers: Handler[]
let before: ReadonlyMap<string, number>

beforeEach(() => {
  before = holdings()
  runner = createCommandRunner({ spawnHelper: 'never' })
  handlers = []
})

afterEach(async () => {
  for (const handler of handlers) await handler.close?.()
  await runner.close()
  expect(processesWith('MARK', mark)).toEqual([])
  expect(await leftOver(before)).toEqual([])
})

function start(
  argv: readonly string[],
  options: ResidentOptions & Partial<CommandDefinition> = {},
): Handler {
  const { idleMs, clock, ...definition } = options
  const handler = createCommandHandler(
    {
      type: 'command',
      mode: 'resident',
      argv,
      setEnv: { MARK: mark },
      graceMs: 200,
      ...definition,
    },
    {
      runner,
      folder,
      resident: {
        ...(idleMs !== undefined && { idleMs }),
        ...(clock !== undefined && { clock }),
      },
    },
  )
  handlers.push(handler)
  return handler
}

async function ask(
  handler: Handler,
  command: string,
  timeoutMs = 10_000,
): Promise<Heard> {
  return await askHook(handler, { policy: 'closed', command, timeoutMs })
}

test('a large program has its resident commands started by a helper, and loses none', async () => {
  const large = createCommandRunner({ helperAboveBytes: 1 })
  const own = createCommandHandler(
    {
      type: 'command',
      mode: 'resident',
      argv: ['./scripted.mjs'],
      setEnv: { MARK: mark },
      graceMs: 200,
    },
    { runner: large, folder },
  )
  handlers.push(own)
  const first = await ask(own, 'ok')
  expect(first.reason).toMatch(/^pid \d+$/)
  expect((await ask(own, 'pieces')).reason).toBe('ü🙂')
  expect((await ask(own, 'long')).failure).toBe('too-large')
  expect((await ask(own, 'complain')).failure).toBe('crashed')
  const last = await ask(own, 'ok')
  const [process] = processesWith('MARK', mark)
  expect(last.reason).toBe(`pid ${process?.pid}`)
  // Its helper dies: what it had started ends, and both come back.
  const held = ask(own, 'hold')
  globalThis.process.kill(process?.parent ?? 0, 'SIGKILL')
  expect((await held).failure).toBe('crashed')
  expect((await ask(own, 'ok')).reason).toMatch(/^pid \d+$/)
  expect(processesWith('MARK', mark)).toHaveLength(1)
  await large.close()
  expect(processesWith('MARK', mark)).toEqual([])
})

for (const script of ['loop.sh', 'loop.py', 'scripted.mjs']) {
  test(`one process answers all calls: ${script}`, async () => {
    const handler = start([`./${script}`])
    const reasons = new Set<string>()
    for (let round = 0; round < 20; round += 1) {
      const { type, reason } = await ask(handler, 'ok')
      expect(type).toBe('reject')
      reasons.add(reason)
    }
    expect(reasons.size).toBe(1)
    expect(processesWith('MARK', mark)).toHaveLength(1)
  })
}

test('one process is given sizes before the envelopes, in bytes', async () => {
  const handler = start(['./sized.sh'], { framing: 'size' })
  const first = await ask(handler, 'ok')
  expect(first.reason).toMatch(/^pid \d+$/)
  for (const command of ['ü🙂', 'line\nbreak', 'x'.repeat(100_000), 'ok']) {
    expect((await ask(handler, command)).reason).toBe(first.reason)
  }
})

test('T24 answers come in any order, and each reaches the one who asked', async () => {
  const handler = start(['./scripted.mjs'])
  await ask(handler, 'ok')
  const held = Array.from({ length: 8 }, async () => await ask(handler, 'hold'))
  const last = await ask(handler, 'release')
  for (const heard of [...(await Promise.all(held)), last]) {
    expect(heard.reason).toBe(`${heard.record.dispatch}/gate`)
  }
})

test('an answer may come byte by byte, and be the last thing it says', async () => {
  const handler = start(['./scripted.mjs'])
  expect((await ask(handler, 'pieces')).reason).toBe('ü🙂')
  expect((await ask(handler, 'last-words')).reason).toBe('last words')
  expect((await ask(handler, 'ok')).type).toBe('reject')
})

const violations = [
  ['unknown', 'F046 names a run that nobody asked about'],
  ['nameless', 'F046 names no run'],
  ['much-noise', 'prints a hundred lines that are no answers'],
] as const

for (const [command, name] of violations) {
  test(`${name}: that is a violation, and it is started anew`, async () => {
    const handler = start(['./scripted.mjs'])
    const first = await ask(handler, 'ok')
    const heard = await ask(handler, command)
    expect(heard).toMatchObject({ type: 'reject', failure: 'wrong-run' })
    expect(heard.codes).toContain('protocol-violation')
    const next = await ask(handler, 'ok')
    expect(next.reason).toMatch(/^pid \d+$/)
    expect(next.reason).not.toBe(first.reason)
  })
}

test('T24 a second answer is a violation: the first counts, and it is started anew', async () => {
  const handler = start(['./scripted.mjs'])
  const first = await ask(handler, 'ok')
  expect((await ask(handler, 'twice')).type).toBe('proceed')
  const pid = Number(first.reason.slice('pid '.length))
  await until(() => !processesWith('MARK', mark).some((one) => one.pid === pid))
  const next = await ask(handler, 'ok')
  expect(next.reason).not.toBe(first.reason)
  expect(next.codes).toContain('resident-restart')
})

test('lines that are no answers are tolerated, and told once', async () => {
  const handler = start(['./scripted.mjs'])
  const heard = await ask(handler, 'noise')
  expect(heard.reason).toBe('after noise')
  expect(heard.codes).toEqual(['resident-noise'])
  expect((await ask(handler, 'binary')).codes).toEqual([])
})

test('F052 a line without an end is cut off, and it is started anew', async () => {
  const handler = start(['./scripted.mjs'])
  const heard = await ask(handler, 'long')
  expect(heard).toMatchObject({ type: 'reject', failure: 'too-large' })
  expect((await ask(handler, 'ok')).reason).toMatch(/^pid/)
  const small = start(['./scripted.mjs'], { maxStdoutBytes: 1_000 })
  expect((await ask(small, 'huge')).failure).toBe('too-large')
})

test('one that dies fails its calls, says why, and comes back', async () => {
  const handler = start(['./scripted.mjs'])
  await ask(handler, 'ok')
  const held = ask(handler, 'hold')
  const complained = await ask(handler, 'complain')
  expect(complained.failure).toBe('crashed')
  const { message } = complained.record.diagnostics.at(-1) ?? {}
  expect(message).toContain('exited with code 1')
  expect(message).toContain('the database is gone')
  expect((await held).failure).toBe('crashed')
  expect((await ask(handler, 'crash')).failure).toBe('crashed')
  expect((await ask(handler, 'ok')).reason).toMatch(/^pid/)
})

test('one that dies again and again is left alone longer and longer', async () => {
  const clock = createFakeClock()
  const handler = start(['false'], { clock })
  const times: number[] = []
  const failures = new Set<string | undefined>()
  for (let round = 0; round < 12; round += 1) {
    const heard = await ask(handler, 'ok', 60_000)
    failures.add(heard.failure)
    // It has died by now; how long is it left alone?
    const early = await ask(handler, 'ok', 1)
    const text = early.record.diagnostics.at(-1)?.message ?? ''
    times.push(Number(/in (\d+) ms/.exec(text)?.[1]))
    await clock.advance(times.at(-1) ?? 0)
  }
  expect([...failures]).toEqual(['crashed'])
  expect(times.slice(0, 4)).toEqual([100, 200, 400, 800])
  expect(times.slice(-2)).toEqual([30_000, 30_000])
})

test('a call that hangs is cancelled, and one that answers that stays', async () => {
  const graceMs = 3_000
  const handler = start(['./scripted.mjs', '--polite'], { graceMs })
  const first = await ask(handler, 'ok')
  expect((await ask(handler, 'silent', 100)).failure).toBe('timed-out')
  // It has answered by the time it answers what it was asked after that.
  expect((await ask(handler, 'ok')).reason).toBe(first.reason)
  // Longer than the grace: it has answered, so it is not ended.
  await expect(
    until(() => processesWith('MARK', mark).length === 0, 1.5 * graceMs),
  ).rejects.toThrow()
  expect((await ask(handler, 'ok')).reason).toBe(first.reason)
})

test('one that stays silent when it is cancelled is started anew', async () => {
  const handler = start(['./scripted.mjs'])
  const first = await ask(handler, 'ok')
  expect((await ask(handler, 'silent', 100)).failure).toBe('timed-out')
  await until(() => processesWith('MARK', mark).length === 0)
  const next = await ask(handler, 'ok')
  expect(next.reason).toMatch(/^pid/)
  expect(next.reason).not.toBe(first.reason)
})

test('one that nobody asks is stopped, and started when it is asked', async () => {
  const handler = start(['./scripted.mjs'], { idleMs: 100 })
  const first = await ask(handler, 'ok')
  await until(() => processesWith('MARK', mark).length === 0)
  const next = await ask(handler, 'ok')
  expect(next.reason).not.toBe(first.reason)
})

test('to close ends one that wants to stay, and fails what is open', async () => {
  const handler = start(['./scripted.mjs', '--stay'])
  await ask(handler, 'ok')
  const open = ask(handler, 'silent')
  await until(() => processesWith('MARK', mark).length === 1)
  await handler.close?.()
  expect(processesWith('MARK', mark)).toEqual([])
  expect((await open).failure).toBe('cancelled')
  expect((await ask(handler, 'ok')).failure).toBe('cancelled')
})

test('T31 what a resident command started ends with it', async () => {
  const script = 'setsid sleep 60 & exec ./loop.sh'
  const handler = start([], { shell: script, argv: ['bash', '-c', script] })
  expect((await ask(handler, 'ok')).reason).toBe('bash')
  // Between one program and the next a process shows no variables.
  await until(() => processesWith('MARK', mark).length === 2)
  await handler.close?.()
  expect(processesWith('MARK', mark)).toEqual([])
})

test('F060 one that cannot be started is told as such', async () => {
  const handler = start(['./no-such-script'])
  expect((await ask(handler, 'ok')).failure).toBe('not-started')
})

test('one that does not answer in time is told to flush', async () => {
  const clock = createFakeClock()
  const place = mkdtempSync(join(tmpdir(), 'hookline-resident-'))
  onTestFinished(() => rmSync(place, { recursive: true }))
  const heard = join(place, 'heard')
  const program = `import sys\nfor line in sys.stdin: print("{}"); open(sys.argv[1], "w")`
  const handler = start(['python3', '-c', program, heard], { clock })
  const asked = handler.ask(callOf({ timeoutMs: 300, clock }))
  const told = expect(asked).rejects.toMatchObject({
    code: 'timed-out',
    message:
      'There was no answer in time; if it printed one, it has to end the line and flush it.',
  })
  await until(() => existsSync(heard))
  await clock.advance(300)
  await told
})
