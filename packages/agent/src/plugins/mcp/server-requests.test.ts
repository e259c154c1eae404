import { defineHook, proceed } from 'hookline'
import { turnStop } from 'hookline/lifecycle'
import { createFakeClock } from 'hookline/testing'
import { describe, expect, test } from 'vitest'
import { definePlugin } from '../../index.ts'
import { makeFolder, odd, openStage, until } from './fixtures/stage.ts'
import type { McpAnswer, McpQuestion } from './server-requests.ts'

const servers = { odd: odd() }

/** What the server was answered. */
function answered(text: string): unknown {
  const { result, error } = JSON.parse(text)
  return result ?? error
}

describe('a question of a server', () => {
  test('goes to the user of the session, with its call, and the answer back', async () => {
    const asked: McpQuestion[] = []
    const askUser = async (question: McpQuestion): Promise<McpAnswer> => {
      asked.push(question)
      return { action: 'accept', content: { color: 'blue', more: 'x' } }
    }
    const { call, opened, events } = await openStage({ servers, askUser })
    const { text } = await call('mcp__odd__ask')
    const [start] = events.filter((event) => event.type === 'tool-start')
    expect(asked).toEqual([
      {
        server: 'odd',
        message: 'Which color?',
        schema: { type: 'object', properties: { color: { type: 'string' } } },
        sessionId: opened.id,
        callId: start?.type === 'tool-start' ? start.call.id : '',
      },
    ])
    // Nothing that was not asked for.
    expect(answered(text)).toEqual({
      action: 'accept',
      content: { color: 'blue' },
    })
  })

  test('T26 makes the turn one of whoever has answered, and the server is not told', async () => {
    const by = { kind: 'user', id: 'bob' } as const
    const askUser = async (): Promise<McpAnswer> => {
      return { action: 'accept', content: { color: 'blue' }, by }
    }
    const actors: unknown[] = []
    const noting = defineHook({
      name: 'noting',
      on: turnStop,
      run: (_, { scope }) => {
        actors.push(scope.actor)
        return proceed
      },
    })
    const plugins = [definePlugin({ name: 'noting', hooks: [noting] })]
    const { call } = await openStage({ servers, askUser, plugins })
    const { text } = await call('mcp__odd__ask')
    expect(text).not.toContain('bob')
    expect(actors).toEqual([by])
  })

  test.each([
    ['declined', async () => ({ action: 'decline' }) as const, 'decline'],
    ['cancelled', async () => ({ action: 'cancel' }) as const, 'cancel'],
    ['failing', () => Promise.reject(new Error('gone')), 'cancel'],
    [
      'nonsense',
      async () => JSON.parse('{"action":"yes","content":{"color":"x"}}'),
      'decline',
    ],
  ])('that is %s is so', async (_, askUser, action) => {
    const { call } = await openStage({ servers, askUser })
    const { text } = await call('mcp__odd__ask')
    expect(answered(text)).toEqual({ action })
  })

  test('is declined where nobody can be asked', async () => {
    const { call } = await openStage({ servers })
    const { text } = await call('mcp__odd__ask')
    expect(answered(text)).toEqual({ action: 'decline' })
  })

  test('that would send the user to an address is declined', async () => {
    const askUser = async () => ({ action: 'accept' }) as const
    const { call } = await openStage({ servers, askUser })
    const { text } = await call('mcp__odd__ask', { mode: 'url' })
    expect(answered(text)).toEqual({ action: 'decline' })
  })

  test('that could be of two sessions is asked in neither', async () => {
    const asked: string[] = []
    const askUser = async ({ sessionId }: McpQuestion): Promise<McpAnswer> => {
      asked.push(sessionId)
      return { action: 'accept', content: {} }
    }
    const { call, begun, session, turns } = await openStage({
      servers,
      askUser,
    })
    const hanging = call('mcp__odd__hang')
    await begun()
    const other = await session()
    const { text } = await other.call('mcp__odd__ask')
    expect(answered(text)).toEqual({ action: 'decline' })
    turns[0]?.cancel()
    await hanging.catch(() => {})
    const { text: later } = await other.call('mcp__odd__ask')
    expect(answered(later)).toMatchObject({ action: 'accept' })
    expect(asked).toEqual([other.opened.id])
  })

  test('is taken back when nobody waits for the call any more', async () => {
    let isTakenBack = false
    let isAsked = false
    const askUser = (_: McpQuestion, signal: AbortSignal) => {
      isAsked = true
      return new Promise<McpAnswer>((resolve) => {
        signal.addEventListener('abort', () => {
          isTakenBack = true
          resolve({ action: 'cancel' })
        })
      })
    }
    const { call, turns } = await openStage({ servers, askUser })
    const asking = call('mcp__odd__ask')
    await until(() => isAsked, 'the question')
    turns[0]?.cancel()
    await asking.catch(() => {})
    await until(() => isTakenBack, 'it is taken back')
  })

  test('may take longer than the call, whose time stands still meanwhile', async () => {
    const clock = createFakeClock()
    const open = Promise.withResolvers<McpAnswer>()
    let isAsked = false
    const askUser = () => {
      isAsked = true
      return open.promise
    }
    const { call } = await openStage({
      servers: { odd: odd('plain', { requestTimeoutMs: 5_000 }) },
      askUser,
      clock,
      config: { limits: { maxWallMs: 60_000 } },
    })
    const asking = call('mcp__odd__ask')
    await until(() => isAsked, 'the question')
    await clock.advance(3_600_000)
    open.resolve({ action: 'accept', content: { color: 'red' } })
    const { isError, text } = await asking
    expect(isError).toBe(false)
    expect(answered(text)).toMatchObject({ content: { color: 'red' } })
  })
})

test('a call whose server asks nobody takes its time from that of its turn', async () => {
  const clock = createFakeClock()
  const { call, begun, turns } = await openStage({
    servers,
    askUser: async () => ({ action: 'decline' }),
    clock,
    config: { limits: { maxWallMs: 60_000 } },
  })
  const hanging = call('mcp__odd__hang').catch(() => {})
  await begun()
  await clock.advance(60_000)
  // The server is told, and has a moment to hear of it.
  await clock.advance(60_000)
  expect((await turns[0]?.result)?.status).toBe('limited')
  await hanging
})

test('a model is run for no server, and it is told so', async () => {
  const { call } = await openStage({ servers })
  const { text } = await call('mcp__odd__sample')
  expect(answered(text)).toMatchObject({
    message: 'Sampling is declined: no model runs for servers.',
  })
})

test('the folder of a session is told where the server may know it, and else not', async () => {
  const folder = await makeFolder()
  const { session } = await openStage({
    servers: { odd: odd(), knowing: odd('plain', { roots: true }) },
  })
  const { call } = await session('main', folder)
  const told = await call('mcp__knowing__roots')
  expect(answered(told.text)).toEqual({ roots: [{ uri: `file://${folder}` }] })
  const { text } = await call('mcp__odd__roots')
  expect(answered(text)).toMatchObject({ message: 'Method not found' })
})
