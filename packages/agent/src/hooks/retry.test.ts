import { compileTable, createEngine, createMemoryState } from 'hookline'
import {
  type LlmErrorInput,
  llmError,
  type ModelErrorCode,
} from 'hookline/lifecycle'
import { expect, test } from 'vitest'
import { openStage } from './fixtures/play-models.ts'
import { type RetryOptions, retry } from './retry.ts'

const overloaded = { error: { code: 'overloaded' } } as const

/** Asks the hook alone about failures of one turn, one after the other. */
function asker(options: RetryOptions, turnId = 't') {
  const engine = createEngine(compileTable(retry(options).hooks ?? []))
  const memory = createMemoryState()
  return async (given: Partial<LlmErrorInput> & { step?: number } = {}) => {
    const { step = 1, ...rest } = given
    const outcome = await engine.run(
      llmError,
      {
        request: { model: 'm', messages: [], tools: [], settings: {} },
        attempt: 1,
        error: { code: 'overloaded', message: '', isRetryable: true },
        isReleased: false,
        ...rest,
      },
      {
        scope: { agent: 'a', origin: 'user', coreType: 'x', turnId, step },
        state: memory.at({ turn: turnId }),
      },
    )
    return outcome.type === 'respond' ? outcome.output : undefined
  }
}

const failing = (code: ModelErrorCode, retryAfterMs?: number) => ({
  error: {
    ...{ code, message: '', isRetryable: true },
    ...(retryAfterMs !== undefined && { retryAfterMs }),
  },
})

test('a model that could not answer is asked again, after longer and longer waits', async () => {
  const script = [overloaded, overloaded, overloaded, { text: 'Here.' }]
  const stage = await openStage(
    { big: script },
    { plugins: [retry({ jitter: 0 })] },
  )
  expect(await stage.send('Go.')).toMatchObject({
    status: 'succeeded',
    text: 'Here.',
  })
  const times = stage.called.map(([, time]) => time)
  const waits = times.slice(1).map((time, at) => time - (times[at] ?? 0))
  expect(waits).toEqual([1_000, 2_000, 4_000])
  await stage.close()
})

test('after as many tries as it may have, the error stands', async () => {
  const stage = await openStage(
    { big: () => overloaded },
    { plugins: [retry({ maxAttempts: 3 })] },
  )
  const { status, error } = await stage.send('Go.')
  expect([status, error?.code]).toEqual(['failed', 'overloaded'])
  expect(stage.called).toHaveLength(3)
  // The next turn has its own tries.
  await stage.send('Go on.')
  expect(stage.called).toHaveLength(6)
  await stage.close()
})

test('every step of a turn has its own tries', async () => {
  const ask = asker({ maxAttempts: 2 })
  expect(await ask()).toMatchObject({ type: 'retry' })
  expect(await ask({ attempt: 2 })).toBeUndefined()
  expect(await ask({ step: 2 })).toMatchObject({ type: 'retry' })
})

test('another model in the same call has its own tries', async () => {
  const ask = asker({ maxAttempts: 2 })
  const request = { model: 'other', messages: [], tools: [], settings: {} }
  await ask()
  expect(await ask({ attempt: 2 })).toBeUndefined()
  expect(await ask({ attempt: 3, request })).toMatchObject({ type: 'retry' })
  expect(await ask({ attempt: 4, request })).toBeUndefined()
})

test('what cannot be retried is left alone, and so is what was heard already', async () => {
  const ask = asker({})
  const error = { code: 'unauthorized', message: '', isRetryable: false }
  expect(await ask({ error: { ...error, code: 'unauthorized' } })).toBe(
    undefined,
  )
  expect(await ask({ isReleased: true })).toBeUndefined()
  const only = asker({ codes: ['timeout'] })
  expect(await only()).toBeUndefined()
  expect(await only(failing('timeout'))).toMatchObject({ type: 'retry' })
})

test('in a stream, what has gone out is not said again', async () => {
  const cut = { text: 'One. Two. Three.', cutAfter: 9, ...overloaded }
  const stage = await openStage(
    { big: [cut, { text: 'Again.' }] },
    { plugins: [retry({})] },
  )
  expect((await stage.send('Go.')).status).toBe('failed')
  expect(stage.called).toHaveLength(1)
  await stage.close()
})

test('what a provider asks for is waited, but not for ever', async () => {
  const ask = asker({ jitter: 0, maxRetryAfterMs: 5_000 })
  expect(await ask(failing('rate_limited', 4_500))).toEqual({
    type: 'retry',
    afterMs: 4_500,
  })
  expect(await ask(failing('rate_limited', 5_001))).toBeUndefined()
  expect(await ask(failing('rate_limited', -7))).toEqual({
    type: 'retry',
    afterMs: 1_000,
  })
})

test('no try begins after the whole time has passed', async () => {
  const stage = await openStage(
    { big: () => overloaded },
    { plugins: [retry({ jitter: 0, maxAttempts: 20, maxTotalMs: 6_500 })] },
  )
  expect((await stage.send('Go.')).status).toBe('failed')
  // At 0, 1, 3; the next would be at 7 s.
  expect(stage.called).toHaveLength(3)
  await stage.close()
})

test('a wait is left to chance in part, and the same for the same seed', async () => {
  const wait = async (seed: number, turnId: string) => {
    const decision = await asker({ seed, jitter: 1 }, turnId)()
    return decision?.type === 'retry' ? decision.afterMs : undefined
  }
  const waits = await Promise.all(
    [1, 2, 3, 4, 5, 6].map((seed) => wait(seed, 't')),
  )
  expect(new Set(waits).size).toBeGreaterThan(4)
  for (const one of waits) expect(one).toBeLessThanOrEqual(1_000)
  expect(await wait(1, 't')).toBe(waits[0])
  expect(await wait(1, 'u')).not.toBe(waits[0])
})

test('where its state cannot be kept, the error stands', async () => {
  const broken = {
    at: () => ({
      get: () => Promise.reject(new Error('The disk is gone.')),
      update: () => Promise.reject(new Error('The disk is gone.')),
    }),
    end: () => {},
  }
  const stage = await openStage(
    { big: () => overloaded },
    { plugins: [retry({})], state: broken },
  )
  expect((await stage.send('Go.')).status).toBe('failed')
  expect(stage.called).toHaveLength(1)
  await stage.close()
})

test.each([
  [{ maxAttempts: 0 }, 'maxAttempts'],
  [{ maxAttempts: 21 }, 'maxAttempts'],
  [{ baseMs: -1 }, 'baseMs'],
  [{ jitter: 2 }, 'jitter'],
  [{ seed: 0.5 }, 'seed'],
  [{ codes: ['unauthorized'] }, 'codes'],
  [{ tries: 3 }, 'tries'],
])('options that do not fit are refused: %j', (options, word) => {
  expect(() => retry(options as RetryOptions)).toThrow(word)
})
