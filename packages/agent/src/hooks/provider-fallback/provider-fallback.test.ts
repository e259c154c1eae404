import { expect, test } from 'vitest'
import type { Model, Session } from '../../index.ts'
import { scriptedModel } from '../../testing/index.ts'
import { circuitBreaker } from '../circuit-breaker/circuit-breaker.ts'
import { liveTwice } from '../fixtures/lives.ts'
import { callsOf, delegateTool, echoTool } from '../fixtures/play.ts'
import { openStage, type Scripts, type Stage } from '../fixtures/play-models.ts'
import { retry } from '../retry.ts'
import type { ProviderFallbackOptions } from './options.ts'
import { providerFallback } from './provider-fallback.ts'

const overloaded = { error: { code: 'overloaded' } } as const
const busy = () => overloaded
const says = (text: string) => () => ({ text })

const stageOf = (
  scripts: Scripts,
  options: Partial<ProviderFallbackOptions> = {},
) => {
  const names = Object.keys(scripts).slice(1)
  const models = names.map((model) => ({ model }))
  return openStage(scripts, {
    plugins: [providerFallback({ models, ...options })],
  })
}

const calledBy = ({ called }: Stage) => called.map(([name]) => name)

test('models are asked in their order until one answers', async () => {
  const stage = await stageOf({ a: busy, b: busy, c: says('From c.') })
  const { text, status } = await stage.send('Go.')
  expect([text, status]).toEqual(['From c.', 'succeeded'])
  expect(calledBy(stage)).toEqual(['a', 'b', 'c'])
  const notices = stage.events.filter(
    (event) => event.type === 'hook-delta' && event.notice !== undefined,
  )
  expect(notices).toHaveLength(2)
  await stage.close()
})

test('when all have failed, the last error stands', async () => {
  const stage = await stageOf({
    a: busy,
    b: () => ({ error: { code: 'timeout' } }),
  })
  const { status, error } = await stage.send('Go.')
  expect([status, error?.code]).toEqual(['failed', 'timeout'])
  expect(calledBy(stage)).toEqual(['a', 'b'])
  await stage.close()
})

test('later calls begin with the one that works, and return after a while', async () => {
  const stage = await stageOf(
    { a: (_, call) => (call === 1 ? overloaded : { text: 'a' }), b: says('b') },
    { stickFor: { minutes: 2 } },
  )
  const texts = [(await stage.send('1')).text, (await stage.send('2')).text]
  await stage.clock.advance(120_000)
  texts.push((await stage.send('3')).text)
  expect(texts).toEqual(['b', 'b', 'a'])
  await stage.close()
})

test('it can be for the session, for all sessions, or for one call only', async () => {
  const scripts: Scripts = { a: busy, b: says('b') }
  const played = async (options: Partial<ProviderFallbackOptions>) => {
    const stage = await stageOf(scripts, options)
    await stage.send('1')
    await stage.clock.advance(10 * 86_400_000)
    await stage.send('2')
    await stage.send('3', await stage.openSession())
    await stage.close()
    return calledBy(stage).join('')
  }
  expect(await played({ stickFor: 'session' })).toBe('abbab')
  expect(await played({ stickFor: 'session', per: 'global' })).toBe('abbb')
  expect(await played({ stickFor: 'call' })).toBe('ababab')
})

test('one that fails later gives way to the first again', async () => {
  const stage = await stageOf(
    {
      a: (_, call) => (call === 1 ? overloaded : { text: 'a' }),
      b: (_, call) => (call === 2 ? overloaded : { text: 'b' }),
    },
    { stickFor: 'session' },
  )
  expect((await stage.send('1')).text).toBe('b')
  expect((await stage.send('2')).text).toBe('a')
  expect(calledBy(stage).join('')).toBe('abba')
  await stage.close()
})

test('only the errors that it is told about, each with its own models', async () => {
  const failing = (code: 'context_too_long' | 'content_filtered') =>
    stageOf(
      { a: () => ({ error: { code } }), b: says('b'), c: says('c') },
      { byCode: { context_too_long: ['c'] } },
    )
  const long = await failing('context_too_long')
  expect((await long.send('Go.')).text).toBe('c')
  // It was about this one call.
  await long.send('Go on.')
  expect(calledBy(long).join('')).toBe('acac')
  const filtered = await failing('content_filtered')
  expect((await filtered.send('Go.')).status).toBe('failed')
  expect(calledBy(filtered).join('')).toBe('a')
  await Promise.all([long.close(), filtered.close()])
})

test('a model that cannot take the call is skipped', async () => {
  const image = {
    type: 'image',
    mediaType: 'image/png',
    source: { type: 'base64', data: 'AAAA' },
  } as const
  const fallback = providerFallback({
    models: [
      { model: 'blind', cannot: ['images'] },
      { model: 'plain', cannot: ['tools'] },
      { model: 'short', contextTokens: 50 },
      { model: 'd' },
    ],
  })
  const stage = await openStage(
    {
      a: busy,
      blind: says('blind'),
      plain: says('plain'),
      short: says('short'),
      d: says('d'),
    },
    { plugins: [fallback], tools: [echoTool('look')] },
  )
  const text = 'x'.repeat(400)
  const { status } = await stage.send([image, { type: 'text', text }])
  expect(status).toBe('succeeded')
  expect(calledBy(stage)).toEqual(['a', 'd'])
  await stage.close()
})

test('what has gone out in a stream is not said again by another', async () => {
  const cut = { text: 'One. Two. Three.', cutAfter: 9, ...overloaded }
  const stage = await stageOf({ a: [cut], b: says('b') })
  expect((await stage.send('Go.')).status).toBe('failed')
  expect(calledBy(stage)).toEqual(['a'])
  await stage.close()
})

test('a model that nobody knows is one that has failed', async () => {
  const stage = await openStage(
    { a: busy, c: says('c') },
    {
      plugins: [providerFallback({ models: [{ model: 'b' }, { model: 'c' }] })],
    },
  )
  expect((await stage.send('Go.')).text).toBe('c')
  await stage.close()
})

test('with retry, each model has its tries before the next one', async () => {
  const fallback = providerFallback({
    models: [{ model: 'b' }, { model: 'c' }],
  })
  const scripts: Scripts = { a: busy, b: busy, c: says('c') }
  const stage = await openStage(scripts, {
    plugins: [fallback, retry({ maxAttempts: 2 })],
  })
  await stage.send('Go.')
  expect(calledBy(stage).join('')).toBe('aabbc')
  // A retry of the one that the second call began with stays with it.
  await stage.send('Go on.')
  expect(calledBy(stage).join('')).toBe('aabbcc')
  await stage.close()
})

test('a retry stays with the model that the call was moved to', async () => {
  const fallback = providerFallback({ models: [{ model: 'b' }] })
  const stage = await openStage(
    {
      a: busy,
      b: (_, call) => (call === 2 ? overloaded : { text: 'b' }),
    },
    { plugins: [fallback, retry({ maxAttempts: 2 })] },
  )
  await stage.send('1')
  await stage.send('2')
  expect(calledBy(stage).join('')).toBe('aabbb')
  await stage.close()
})

test('what a breaker would refuse goes to another model at once', async () => {
  const plugins = [
    providerFallback({ models: [{ model: 'b' }], stickFor: 'call' }),
    circuitBreaker({ minCalls: 2, openMs: 60_000 }),
    retry({ maxAttempts: 4 }),
  ]
  let isWell = false
  const stage = await openStage(
    { a: () => (isWell ? { text: 'a' } : overloaded), b: says('b') },
    { plugins },
  )
  expect((await stage.send('1')).text).toBe('b')
  // It opened at the second failure, in the middle of the tries.
  expect(calledBy(stage).join('')).toBe('aab')
  expect((await stage.send('2')).text).toBe('b')
  expect(calledBy(stage).join('')).toBe('aabb')
  isWell = true
  await stage.clock.advance(60_000)
  const sessions = [stage.session, await stage.openSession()]
  const both = await Promise.all(sessions.map((one) => stage.send('3', one)))
  expect(both.map(({ status }) => status)).toEqual(['succeeded', 'succeeded'])
  expect((await stage.send('4')).text).toBe('a')
  await stage.close()
})

test('while one call tries a model again, the others take the next one', async () => {
  let letGo = () => {}
  const held = new Promise<void>((resolve) => {
    letGo = resolve
  })
  const stage = await openStage(
    {
      a: (_, call) => (call === 1 ? overloaded : { text: 'a', waitFor: held }),
      b: (_, call) => {
        if (call === 2) letGo()
        return { text: 'b' }
      },
    },
    {
      plugins: [
        providerFallback({ models: [{ model: 'b' }], stickFor: 'call' }),
        circuitBreaker({ minCalls: 1, openMs: 60_000 }),
      ],
    },
  )
  await stage.send('1')
  await stage.clock.advance(60_000)
  const sessions = [stage.session, await stage.openSession()]
  const both = await Promise.all(sessions.map((one) => stage.send('2', one)))
  expect(both.map(({ text }) => text)).toEqual(['a', 'b'])
  await stage.close()
})

test('a helper falls back as its agent does, and another process knows', async () => {
  const called: string[] = []
  const scripts: Scripts = {
    a: busy,
    b: (_, call) => (call === 1 ? callsOf('delegate', {}) : { text: 'b' }),
  }
  const models = Object.entries(scripts).map(
    ([name, script]) => [name, scriptedModel(script)] as const,
  )
  const resolve = (name: string): Model => {
    const model = new Map(models).get(name) ?? scriptedModel([])
    return {
      ...model,
      generate(request, asked) {
        called.push(name)
        return model.generate(request, asked)
      },
    }
  }
  const talk = async (session: Session) => {
    expect((await session.send('Go.').result).text).toBe('b')
  }
  await liveTwice(
    () => ({
      models: { resolve },
      plugins: [providerFallback({ models: [{ model: 'b' }] })],
      tools: [delegateTool('a')],
    }),
    [talk, talk],
  )
  // The helper's session is its own: it finds out by itself.
  expect(called.join('')).toBe('ababbb')
})

test('where its state cannot be kept, calls are made as they were wanted', async () => {
  const gone = () => Promise.reject(new Error('The disk is gone.'))
  const stage = await openStage(
    { a: says('a'), b: says('b') },
    {
      plugins: [providerFallback({ models: [{ model: 'b' }] })],
      state: { at: () => ({ get: gone, update: gone }), end: () => {} },
    },
  )
  expect((await stage.send('Go.')).text).toBe('a')
  await stage.close()
})

test.each([
  [{}, 'models'],
  [{ models: [] }, 'models'],
  [{ models: ['b'] }, 'models'],
  [{ models: [{ model: 'b', cannot: ['sing'] }] }, 'cannot'],
  [{ models: [{ model: 'b' }], byCode: { __proto__x: ['b'] } }, 'error'],
  [{ models: [{ model: 'b' }], stickFor: 'day' }, 'stickFor'],
  [{ models: [{ model: 'b' }], stickFor: { minutes: 0 } }, 'minutes'],
])('options that do not fit are refused: %j', (options, word) => {
  expect(() =>
    providerFallback(options as unknown as ProviderFallbackOptions),
  ).toThrow(word)
})
