import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { defineHook, type Hook, type Point, proceed } from 'hookline'
import { points, toolGuard } from 'hookline/lifecycle'
import { toolCall, tryHook } from 'hookline/testing'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { bindHook } from '../handlers/bind-hook.ts'
import type { HookDefinition } from '../handlers/definition.ts'
import { demandStrace } from '../store/fixtures/strace.ts'
import { command, type TrustWorld, trustWorld } from './fixtures/trust-world.ts'
import { guardHook, guardTrust } from './guard-trust.ts'
import type { Trust } from './trust.ts'
import { sourceOf, type TrustSource } from './trust-source.ts'

let world: TrustWorld
let trust: Trust
let source: TrustSource
let calls = 0

beforeEach(() => {
  world = trustWorld()
  trust = world.open()
  world.write('a.sh', 'echo')
  source = command(world, { argv: ['sh', 'a.sh'] }, 'gate')
  calls = 0
})

afterEach(() => world[Symbol.dispose]())

/** Asks a hook whose handler counts how often it ran. */
async function tried(
  definition: Partial<HookDefinition> = {},
  cwd = world.project,
) {
  const handler = guardTrust(
    {
      ask: async () => {
        calls++
        return { text: '{"type":"proceed"}' }
      },
    },
    { trust, project: world.project, source },
  )
  const hook = bindHook(
    {
      on: 'tool.guard',
      ...definition,
      handler: { type: 'command', argv: ['sh', 'a.sh'] },
    },
    {
      name: 'gate',
      point: points['tool.guard'] as Point,
      handler,
      callModel: () => Promise.reject(new Error('no model')),
    },
  )
  return await tryOn(hook, cwd)
}

/** The same of a hook that is code. */
async function tryGuarded(cwd: string) {
  const hook = defineHook({
    name: 'gate',
    on: toolGuard,
    run: () => {
      calls++
      return proceed
    },
  })
  const { project } = world
  const { hash: madeOf } = trust.check(project, source)
  const guard = { trust, project, source, madeOf }
  return await tryOn(guardHook(hook, guard), cwd)
}

async function tryOn(hook: Hook, cwd: string) {
  const scope = { agent: 'a', origin: 'user', coreType: 'loop', cwd }
  return await tryHook(hook, toolCall('bash', {}) as never, {
    scope: scope as never,
  })
}

async function trustIt() {
  const { items } = trust.inspect(world.project, [source])
  await trust.trust(items.map(({ hash }) => hash))
}

test('T02 a gate that nobody trusts does not run, and refuses', async () => {
  const trial = await tried()
  trial.denies()
  expect(calls).toBe(0)
  const [diagnostic] = trial.record?.diagnostics ?? []
  expect(diagnostic).toMatchObject({ code: 'handler.untrusted' })
  expect(diagnostic?.message).toMatch(/not trusted.* trust [0-9a-f]{64}\./)
})

test('a gate that is trusted runs', async () => {
  await trustIt()
  const trial = await tried()
  trial.proceeds()
  expect(calls).toBe(1)
})

test('T06 a gate whose script changed refuses from the next call on, and is not skipped', async () => {
  await trustIt()
  const before = await tried()
  before.proceeds()
  world.write('a.sh', 'echo owned')
  const trial = await tried()
  trial.denies()
  expect(calls).toBe(1)
  expect(trial.record?.diagnostics[0]?.message).toContain('has changed')
})

test.each(['handler', 'code'])(
  'T02 a gate that is %s and that nobody trusts was not asked, on record',
  async (what) => {
    const trial =
      what === 'handler' ? await tried() : await tryGuarded(world.project)
    expect(calls).toBe(0)
    expect(trial.record?.failure?.code).toBe('unavailable')
    trial.denies()
  },
)

test('T06 a refusal in another folder of a session names a hash that can be trusted', async () => {
  await trustIt()
  world.write('sub/a.sh', 'echo other')
  const cwd = join(world.project, 'sub')
  const trial = await tried({}, cwd)
  trial.denies()
  const said = trial.record?.diagnostics[0]?.message ?? ''
  await trust.trust([/trust ([0-9a-f]{64})\./.exec(said)?.[1] ?? ''])
  const again = await tried({}, cwd)
  again.proceeds()
  world.write('sub/a.sh', 'echo owned')
  const changed = await tried({}, cwd)
  changed.denies()
})

test('T06 a gate whose script changes while it waits for its turn is told so', async () => {
  await trustIt()
  const scope = { agent: 'a', origin: 'user', coreType: 'loop' } as const
  const waiting = guardTrust(
    {
      ask: async ({ checkStart }) => {
        checkStart?.()
        world.write('a.sh', 'echo owned')
        checkStart?.()
        return { text: '' }
      },
    },
    { trust, project: world.project, source },
  )
  const asked = waiting.ask({
    envelope: {
      ...{ protocol: 'hookline/1', point: 'tool.guard', hook: 'gate' },
      ...{ run: 'r', deadlineMs: 1, input: {} },
      scope: { ...scope, cwd: world.project },
    },
    signal: new AbortController().signal,
    remainingMs: () => 1,
    diagnose: () => {},
    callModel: () => Promise.reject(new Error('no model')),
  })
  await expect(asked).rejects.toMatchObject({ code: 'untrusted' })
})

test('a gate that is revoked by another process refuses from the next call on', async () => {
  await trustIt()
  const first = await tried()
  first.proceeds()
  const other = world.open()
  await other.revoke(other.list().map(({ hash }) => hash))
  const second = await tried()
  second.denies()
})

test('a gate of a session elsewhere, where other files would run, refuses', async () => {
  await trustIt()
  world.write('inner/a.sh', 'echo owned')
  const trial = await tried({}, join(world.project, 'inner'))
  trial.denies()
  expect(calls).toBe(0)
})

test('an observer that nobody trusts is left out, on record', async () => {
  const trial = await tried({ execution: 'record' })
  expect(trial.outcome).toMatchObject({ type: 'proceed' })
  expect(calls).toBe(0)
  expect(trial.record).toMatchObject({
    state: 'completed',
    diagnostics: [{ code: 'untrusted' }],
  })
  await trustIt()
  await tried({ execution: 'record' })
  expect(calls).toBe(1)
})

test('whoever says "open" goes on without it, on record', async () => {
  const trial = await tried({ onFailure: 'open' })
  expect(trial.outcome).toMatchObject({ type: 'proceed' })
  expect(trial.record).toMatchObject({ failedOpen: true })
  expect(calls).toBe(0)
})

test('to check again costs little', async () => {
  await trustIt()
  for (let count = 0; count < 200; count++) trust.check(world.project, source)
  const started = performance.now()
  for (let count = 0; count < 1_000; count++) trust.check(world.project, source)
  const eachMs = (performance.now() - started) / 1_000
  // About 0.05 ms on a machine that has nothing else to do.
  expect(eachMs).toBeLessThan(2)
})

test('T01 to look at a hostile project runs nothing of it and connects to nowhere', () => {
  demandStrace()
  world.write('run.sh', '#!/bin/sh\ntouch owned', 0o755)
  world.write(
    'hook.mjs',
    'import { writeFileSync } from "node:fs"; writeFileSync("owned", "")',
  )
  world.write('package.json', '{"scripts":{"prepare":"touch owned"}}')
  const folder = world.project
  const sources = [
    command(world, { argv: ['./run.sh'] }),
    command(world, { shell: '$(touch owned); `touch owned`; ./run.sh' }),
    command(world, { argv: ['npm', 'run', 'prepare'] }),
    sourceOf(
      { on: 'event', handler: { type: 'module', file: 'hook.mjs' } },
      { name: 'm', folder },
    ),
    sourceOf(
      { on: 'event', handler: { type: 'http', url: 'http://127.0.0.1:9/' } },
      { name: 'h', folder },
    ),
  ]
  const log = join(world.base, 'strace.log')
  const task = {
    state: world.state,
    project: folder,
    sources,
    isTrusting: false,
  }
  const program = fileURLToPath(
    new URL('./fixtures/trust-program.ts', import.meta.url),
  )
  const calls = 'trace=execve,execveat,connect,openat,open,socket'
  const words = [
    '-f',
    '-qq',
    '-o',
    log,
    '-e',
    calls,
    process.execPath,
    '--no-warnings',
    program,
  ]
  const ended = spawnSync('strace', [...words, JSON.stringify(task)], {
    encoding: 'utf8',
    cwd: folder,
  })
  expect(JSON.parse(ended.stdout).states).toEqual(
    sources.map(() => 'untrusted'),
  )
  const lines = readFileSync(log, 'utf8').split('\n')
  const of = (name: RegExp) => lines.filter((line) => name.test(line))
  expect(of(/execve/)).toHaveLength(1)
  expect(of(/connect\(|AF_INET/)).toEqual([])
  const opened = of(/open(?:at)?\(/).filter((line) => line.includes(folder))
  expect(opened.length).toBeGreaterThan(0)
  expect(opened.filter((line) => !line.includes('O_RDONLY'))).toEqual([])
})
