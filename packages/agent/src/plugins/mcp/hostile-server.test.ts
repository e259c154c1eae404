import { readFileSync } from 'node:fs'
import { proceed } from 'hookline'
import { createFakeClock } from 'hookline/testing'
import { describe, expect, test } from 'vitest'
import { definePlugin } from '../../index.ts'
import { isAlive, odd, openStage, until } from './fixtures/stage.ts'

describe('a server that dies', () => {
  test('by SIGKILL in the middle of a call ends the call, and is started again', async () => {
    const { call, plugin } = await openStage({ servers: { odd: odd() } })
    const { text: before } = await call('mcp__odd__pid')
    const died = await call('mcp__odd__die')
    expect(died.isError).toBe(true)
    expect(died.text).toContain('nobody knows what it has done')
    expect(plugin.status()).toMatchObject([
      { state: 'failed', reason: 'It ended by itself (SIGKILL).' },
    ])
    const { text: after, isError } = await call('mcp__odd__pid')
    expect(isError).toBe(false)
    expect(after).not.toBe(before)
  })

  test('the kind of the error is that its outcome is unknown', async () => {
    const { call, events } = await openStage({ servers: { odd: odd() } })
    await call('mcp__odd__die')
    const ends = events.filter(({ type }) => type === 'tool-end')
    expect(ends).toMatchObject([{ result: { error: 'unknown_outcome' } }])
  })

  test('at its start leaves the turn as it is, with a notice', async () => {
    const servers = { odd: odd('exit'), good: odd() }
    const { tools, events, plugin } = await openStage({ servers })
    const names = await tools()
    expect(names).toContain('mcp__good__echo')
    expect(names.filter((name) => name.startsWith('mcp__odd'))).toEqual([])
    expect(plugin.status()[0]).toMatchObject({ server: 'odd', state: 'failed' })
    expect(events.filter(({ type }) => type === 'hook-delta')).toMatchObject([
      {
        notice: {
          level: 'warning',
          message:
            'MCP server "odd" is not there in this turn: It ended by itself (exit code 3).',
        },
      },
    ])
  })

  test('a program or folder that is not there is told as such', async () => {
    const { tools, plugin } = await openStage({
      servers: {
        none: { command: '/no/such/program' },
        nowhere: odd('plain', { cwd: '/no/such/folder' }),
      },
    })
    expect(await tools()).toEqual([])
    expect(plugin.status().map(({ reason }) => reason)).toEqual([
      'It cannot be started (ENOENT).',
      'Its folder "/no/such/folder" is not there.',
    ])
  })

  test('one that ignores SIGTERM goes, with what it has started', async () => {
    const stage = await openStage({ servers: { odd: odd() } })
    const { text: child } = await stage.call('mcp__odd__breed')
    const { text: pid } = await stage.call('mcp__odd__pid')
    await stage.call('mcp__odd__stubborn')
    expect([isAlive(Number(child)), isAlive(Number(pid))]).toEqual([true, true])
    await stage.runtime.close()
    await until(() => !isRunning(Number(child)), 'the grandchild is gone')
    expect(isRunning(Number(pid))).toBe(false)
  })
})

test('what a server that died has left behind goes too', async () => {
  const { call } = await openStage({ servers: { odd: odd() } })
  const { text: child } = await call('mcp__odd__breed')
  expect(isRunning(Number(child))).toBe(true)
  await call('mcp__odd__die')
  await until(() => !isRunning(Number(child)), 'the grandchild is gone')
})

describe('a server that hangs', () => {
  test('when it is connected to is absent after its time', async () => {
    const clock = createFakeClock()
    const servers = { odd: odd('mute', { connectTimeoutMs: 3_000 }) }
    const { tools, plugin, statuses } = await openStage({ servers, clock })
    const turn = tools()
    await until(() => statuses.length > 0, 'connecting')
    await clock.advance(3_000)
    expect(await turn).toEqual([])
    expect(plugin.status()).toMatchObject([
      { state: 'failed', reason: 'It was not ready within 3000 ms.' },
    ])
  })

  test('when its tools are listed is absent after the time of the turn', async () => {
    const clock = createFakeClock()
    const servers = { odd: odd('mute-list') }
    const { tools, statuses } = await openStage({ servers, clock })
    const turn = tools()
    await until(() => statuses.at(-1)?.state === 'ready', 'ready')
    await clock.advance(20_000)
    expect(await turn).toEqual([])
  })

  test('when its tools are listed: who gives up does not give up for others', async () => {
    const clock = createFakeClock()
    const servers = { odd: odd('slow-list') }
    const stage = await openStage({ servers, clock })
    const other = await stage.session()
    const impatient = stage.opened.send('Hello.')
    await until(() => stage.statuses.at(-1)?.state === 'ready', 'ready')
    const patient = other.tools()
    await until(() => stage.plugin.status()[0]?.calls === 2, 'both wait')
    impatient.cancel()
    await impatient.result
    process.kill(stage.plugin.status()[0]?.pid ?? 0, 'SIGUSR2')
    expect(await patient).toContain('mcp__odd__echo')
  })

  test('in a call is cancelled after its time, and goes on', async () => {
    const clock = createFakeClock()
    const servers = { odd: odd('plain', { requestTimeoutMs: 5_000 }) }
    const stage = await openStage({ servers, clock })
    const hanging = stage.call('mcp__odd__hang')
    await stage.begun()
    await clock.advance(5_000)
    const { isError, text } = await hanging
    expect(isError).toBe(true)
    expect(text).toContain('did not answer within 5000 ms')
    const { text: seen } = await stage.call('mcp__odd__cancelled')
    expect(JSON.parse(seen)).toHaveLength(1)
  })

  test('F133 in a call is told when the turn is cancelled, and the call ends once', async () => {
    const ended: string[] = []
    const watch = definePlugin({
      name: 'watch',
      on: {
        'tool.post_call': ({ status }) => {
          ended.push(status)
          return proceed
        },
      },
    })
    const { call, begun, turns } = await openStage({
      servers: { odd: odd() },
      plugins: [watch],
    })
    const hanging = call('mcp__odd__hang')
    await begun()
    turns[0]?.cancel()
    await expect(hanging).rejects.toThrow('cancelled')
    expect(ended).toEqual(['cancelled'])
    const { text } = await call('mcp__odd__cancelled')
    expect(JSON.parse(text)).toHaveLength(1)
  })
})

describe('a server that floods', () => {
  test('with one endless line is ended, and memory stays', async () => {
    const { call, plugin } = await openStage({ servers: { odd: odd() } })
    await call('mcp__odd__echo')
    const before = process.memoryUsage().rss
    const { isError, text } = await call('mcp__odd__endless')
    const grownMb = (process.memoryUsage().rss - before) / 1_048_576
    expect(isError).toBe(true)
    expect(text).toContain('It sent a message of more than 4194304 bytes.')
    expect(plugin.status()).toMatchObject([{ state: 'failed' }])
    expect(grownMb).toBeLessThan(60)
  })

  test('with notifications that nobody reads is heard up to a limit', async () => {
    const { call, plugin } = await openStage({ servers: { odd: odd() } })
    const { text: fine } = await call('mcp__odd__notify', { count: 15_000 })
    expect(fine).toBe('notified')
    const { isError, text } = await call('mcp__odd__notify', { count: 50_000 })
    expect(isError).toBe(true)
    expect(text).toContain('more than 20000 messages that nobody had asked for')
    expect(plugin.status()).toMatchObject([{ state: 'failed' }])
  })

  test('with a huge result is cut to what the call may give', async () => {
    const { call } = await openStage({ servers: { odd: odd() } })
    const { isError, text } = await call('mcp__odd__huge', { bytes: 3_000_000 })
    expect(isError).toBe(false)
    expect(text.length).toBeGreaterThan(200_000)
    expect(text.length).toBeLessThanOrEqual(262_144)
    expect(text).toContain('[The rest is left out.]')
  })

  test('with pages of tools that never end has so many, and no more', async () => {
    const { tools } = await openStage({
      servers: { odd: odd('endless-pages') },
    })
    expect(await tools()).toHaveLength(50)
  })
})

describe('a server that sends garbage', () => {
  test('instead of messages is ended', async () => {
    const { tools, plugin } = await openStage({
      servers: { odd: odd('garbage') },
    })
    expect(await tools()).toEqual([])
    expect(plugin.status()).toMatchObject([
      { state: 'failed', reason: 'What it sends are no messages of MCP.' },
    ])
  })

  test('in a call ends that call', async () => {
    const { call } = await openStage({ servers: { odd: odd() } })
    const { isError, text } = await call('mcp__odd__chatter')
    expect(isError).toBe(true)
    expect(text).toContain('no messages of MCP')
  })

  test('as a greeting is forgiven', async () => {
    const { call } = await openStage({ servers: { odd: odd('greets') } })
    expect(await call('mcp__odd__echo', { a: 1 })).toMatchObject({
      isError: false,
      text: '{"a":1}',
    })
  })

  test('as a result is told as nothing', async () => {
    const { call } = await openStage({ servers: { odd: odd() } })
    expect(await call('mcp__odd__nonsense')).toMatchObject({
      isError: false,
      text: '(The tool gave nothing.)',
    })
  })
})

/** A process that has ended and that nobody has waited for runs no more. */
function isRunning(pid: number): boolean {
  try {
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))
  } catch {
    return false
  }
}
