import { execFile } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { createFakeClock } from 'hookline/testing'
import { expect, test } from 'vitest'
import { AgentError } from '../../index.ts'
import { loadClientPackage } from './client-package.ts'
import { isAlive, odd, openStage, until } from './fixtures/stage.ts'
import { resolveServer } from './resolve-server.ts'
import { SharedServer } from './shared-server.ts'
import { TimeLimit } from './time-limit.ts'

const other = { name: 'other', model: 'x', instructions: '' }

test('agents and sessions with equal configurations have one process', async () => {
  const servers = { one: odd(), two: odd() }
  const { call, runtime, session, plugin } = await openStage({ servers })
  await runtime.register(other)
  const elsewhere = await session('other')
  const again = await session()
  const pids = [
    await call('mcp__one__pid'),
    await call('mcp__two__pid'),
    await again.call('mcp__one__pid'),
    await elsewhere.call('mcp__two__pid'),
  ]
  expect(new Set(pids.map(({ text }) => text)).size).toBe(1)
  const pid = Number(pids[0]?.text)
  expect(plugin.status()).toEqual([
    { server: 'one', state: 'ready', agents: 2, calls: 0, pid },
    { server: 'two', state: 'ready', agents: 2, calls: 0, pid },
  ])
})

test('different credentials are different processes, though the rest is equal', async () => {
  const key = (value: string) => odd('plain', { env: { set: { KEY: value } } })
  const servers = { one: key('a-key-000001'), two: key('a-key-000002') }
  const { call } = await openStage({ servers })
  const one = await call('mcp__one__pid')
  const two = await call('mcp__two__pid')
  expect(one.text).not.toBe(two.text)
})

test('a credential that has changed makes another process at the next use', async () => {
  const env: Record<string, string> = { API_KEY: 'first-key-0001' }
  const servers = { odd: odd('plain', { env: { names: ['API_KEY'] } }) }
  const { call } = await openStage({ servers, env })
  const before = await call('mcp__odd__pid')
  const same = await call('mcp__odd__pid')
  env['API_KEY'] = 'second-key-0002'
  const after = await call('mcp__odd__pid')
  expect(same.text).toBe(before.text)
  expect(after.text).not.toBe(before.text)
})

test('a server ends with the last agent that may use it, and not before', async () => {
  const servers = {
    odd: odd(),
    kept: odd('plain', { env: { set: { A: '1' } } }),
  }
  const stage = await openStage({ servers, config: { mcpServers: ['kept'] } })
  const { runtime, session, plugin, statuses } = stage
  await runtime.register({ ...other, mcpServers: ['odd'] })
  await runtime.register({ ...other, name: 'third', mcpServers: ['odd'] })
  const { call } = await session('other')
  const { text } = await call('mcp__odd__pid')
  await stage.call('mcp__kept__echo')
  await runtime.unregister('third')
  expect(isAlive(Number(text))).toBe(true)
  await runtime.unregister('other')
  expect(plugin.status()).toMatchObject([
    { server: 'odd', state: 'stopped', agents: 0 },
    { server: 'kept', state: 'ready', agents: 1 },
  ])
  expect(statuses.at(-1)).toMatchObject({
    server: 'odd',
    state: 'stopped',
    reason: 'No agent may use it any more.',
  })
  await until(() => !isAlive(Number(text)), 'it is gone')
})

test('nothing is started before it is used', async () => {
  const { plugin, statuses, tools } = await openStage({
    servers: { odd: odd() },
  })
  expect([plugin.status()[0]?.state, statuses]).toEqual(['stopped', []])
  await tools()
  const states = statuses.map(({ state }) => state)
  expect(states).toEqual(['connecting', 'ready'])
})

test('many turns at the same time connect once', async () => {
  const { session, statuses } = await openStage({ servers: { odd: odd() } })
  const sessions = await Promise.all([1, 2, 3, 4].map(() => session()))
  await Promise.all(sessions.map(({ call }) => call('mcp__odd__echo')))
  expect(statuses.map(({ state }) => state)).toEqual(['connecting', 'ready'])
})

test('one that nobody uses is stopped after a while, and started again when needed', async () => {
  const clock = createFakeClock()
  const servers = { odd: odd('plain', { idleMs: 60_000 }) }
  const stage = await openStage({ servers, clock })
  const { text: first } = await stage.call('mcp__odd__pid')
  await clock.advance(59_000)
  const { text: second } = await stage.call('mcp__odd__pid')
  expect(second).toBe(first)
  await clock.advance(59_000)
  expect(isAlive(Number(first))).toBe(true)
  await clock.advance(1_000)
  await until(() => stage.statuses.at(-1)?.state === 'stopped', 'stopped')
  expect(isAlive(Number(first))).toBe(false)
  // Nothing of it is kept.
  expect(stage.plugin.status()).toEqual([
    { server: 'odd', state: 'stopped', agents: 1, calls: 0 },
  ])
  const { text: third } = await stage.call('mcp__odd__pid')
  expect(third).not.toBe(first)
})

test('one that is at work is not idle', async () => {
  const clock = createFakeClock()
  const limits = { idleMs: 1_000, requestTimeoutMs: 100_000 }
  const servers = { odd: odd('plain', limits) }
  const { call, begun, plugin, statuses } = await openStage({
    servers,
    clock,
  })
  const hanging = call('mcp__odd__hang')
  await begun()
  await clock.advance(50_000)
  expect(plugin.status()).toMatchObject([{ state: 'ready', calls: 1 }])
  await clock.advance(50_000)
  expect((await hanging).text).toContain('did not answer within 100000 ms')
  await call('mcp__odd__echo')
  expect(statuses.map(({ state }) => state)).toEqual(['connecting', 'ready'])
})

test('a server that fails is tried again after 100 ms, 200 ms, and so on to 30 s', async () => {
  const clock = createFakeClock()
  const { tools, statuses } = await openStage({
    servers: { odd: { command: 'false' } },
    clock,
  })
  const attempts = () =>
    statuses.filter(({ state }) => state === 'connecting').length
  await tools()
  const waits: number[] = []
  for (let failed = 1; failed < 12; failed++) {
    const delay = Math.min(100 * 2 ** (failed - 1), 30_000)
    const early = Math.max(0, delay - 1_001)
    await clock.advance(early)
    if (early > 0) {
      // Longer than a turn waits for it: absent at once, and not tried.
      await tools()
      expect(attempts()).toBe(failed)
    }
    await clock.advance(delay - early)
    await tools()
    expect(attempts()).toBe(failed + 1)
    waits.push(delay)
  }
  expect(waits.slice(-4)).toEqual([12_800, 25_600, 30_000, 30_000])
})

test('a call waits until a server that died may be tried again', async () => {
  const clock = createFakeClock()
  const { call, session, statuses } = await openStage({
    servers: { odd: odd() },
    clock,
  })
  await call('mcp__odd__die')
  const { call: callAgain } = await session()
  const again = callAgain('mcp__odd__echo', { a: 1 })
  await until(() => clock.pending > 1, 'it waits')
  expect(statuses.at(-1)?.state).toBe('failed')
  await clock.advance(100)
  expect(await again).toMatchObject({ text: '{"a":1}' })
})

test('nothing is left when the runtime is closed: processes, descriptors, timers', async () => {
  const before = {
    files: openFiles(),
    listeners: process.listenerCount('exit'),
  }
  const timers = countTimers()
  for (let round = 0; round < 3; round++) {
    const stage = await openStage({ servers: { odd: odd(), bad: odd('exit') } })
    const { text } = await stage.call('mcp__odd__pid')
    const pending = stage.call('mcp__odd__hang')
    await stage.begun()
    const closed = stage.runtime.close()
    await pending.catch(() => {})
    await closed
    expect(isAlive(Number(text))).toBe(false)
  }
  await until(() => countTimers() <= timers, 'no timers')
  await until(() => openFiles() <= before.files, 'no descriptors')
  expect(process.listenerCount('exit')).toBe(before.listeners)
})

test('a program that ends without closing its runtime leaves no server behind', async () => {
  const program = fileURLToPath(
    new URL('fixtures/leaving-program.ts', import.meta.url),
  )
  const run = promisify(execFile)
  const { stdout } = await run(process.execPath, [program])
  const pid = Number(stdout)
  expect(pid).toBeGreaterThan(0)
  await until(() => !isAlive(pid), 'it is gone')
})

test('who comes while it is stopped for good starts nothing', async () => {
  const clock = createFakeClock()
  const { command, args = [] } = odd()
  const resolved = resolveServer(
    { command, args },
    { source: process.env, cwd: undefined },
  )
  const states: string[] = []
  const server: SharedServer = new SharedServer(resolved, {
    clock,
    load: loadClientPackage,
    askUser: undefined,
    onState: () => states.push(server.state.state),
    onUnused: () => {},
  })
  const use = () => {
    const limit = new TimeLimit({ clock, limitMs: 1_000 })
    const caller = { server: 'odd', limit }
    return server.use({ caller, maxBackOffMs: 0 }, async () => 'used')
  }
  expect(await use()).toBe('used')
  const gone = server.retire('Over.')
  await expect(use()).rejects.toThrow('The runtime was closed.')
  await gone
  await expect(use()).rejects.toThrow('The runtime was closed.')
  expect(states).toEqual(['connecting', 'ready', 'stopped'])
})

test('a package that is missing is what the status says', async () => {
  const clock = createFakeClock()
  const config = { command: 'false' }
  const source = { PATH: '/bin' }
  const server = new SharedServer(
    resolveServer(config, { source, cwd: undefined }),
    {
      clock,
      load: () =>
        Promise.reject(new AgentError('missing-package', 'Install it.')),
      askUser: undefined,
      onState: () => {},
      onUnused: () => {},
    },
  )
  const limit = new TimeLimit({ clock, limitMs: 1_000 })
  const use = { caller: { server: 'odd', limit }, maxBackOffMs: 0 }
  await expect(server.use(use, async () => {})).rejects.toThrow('Install it.')
  expect(server.state).toEqual({ state: 'failed', reason: 'Install it.' })
  await server.retire('Over.')
  expect(clock.pending).toBe(1)
})

function openFiles(): number {
  return readdirSync('/proc/self/fd').length
}

function countTimers(): number {
  const all = process.getActiveResourcesInfo()
  return all.filter((kind) => kind === 'Timeout').length
}
