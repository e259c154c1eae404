import type { ModelRequest, TextEvent } from 'hookline/lifecycle'
import { createFakeClock } from 'hookline/testing'
import { describe, expect, test } from 'vitest'
import { type ScriptStep, scriptedModel } from './index.ts'

const request: ModelRequest = {
  model: 'script',
  messages: [],
  tools: [],
  settings: {},
}
const { signal } = new AbortController()
const usage = { inputTokens: 10, outputTokens: 5 }

function ask(model: ReturnType<typeof scriptedModel>) {
  return model.generate(request, { signal })
}

function partsOf(step: ScriptStep): TextEvent[] {
  const parts: TextEvent[] = []
  const onPart = (part: TextEvent) => void parts.push(part)
  try {
    void scriptedModel([step]).generate(request, { signal, onPart })
  } catch {
    // What it fails with is told elsewhere.
  }
  return parts
}

function textsOf(step: ScriptStep): string[] {
  return partsOf(step).flatMap((part) => ('text' in part ? [part.text] : []))
}

function thrownBy(step: ScriptStep): unknown {
  try {
    void ask(scriptedModel([step]))
  } catch (error) {
    return error
  }
  return undefined
}

describe('a step', () => {
  test('says its reasoning, then its text, then its calls', () => {
    const calls = [{ tool: 'read', args: { path: 'a' } }, { tool: 'list' }]
    const step = { text: 'Let me see.', reasoning: 'Hm.', calls }
    expect(ask(scriptedModel([step]))).toEqual({
      content: [
        { type: 'reasoning', text: 'Hm.' },
        { type: 'text', text: 'Let me see.' },
        { type: 'tool_call', id: 'call-1', tool: 'read', args: { path: 'a' } },
        { type: 'tool_call', id: 'call-2', tool: 'list', args: {} },
      ],
      stopReason: 'tool_calls',
      usage,
    })
  })

  test('that is empty says nothing', () => {
    const said = { content: [], stopReason: 'end_turn', usage }
    expect(ask(scriptedModel([{}]))).toEqual(said)
  })

  test('has the stop reason and the usage that it says', () => {
    const step = {
      text: 'a',
      stopReason: 'max_tokens',
      usage: { outputTokens: 7, reasoningTokens: 2 },
    } as const
    expect(ask(scriptedModel([step]))).toMatchObject({
      stopReason: 'max_tokens',
      usage: { inputTokens: 10, outputTokens: 7, reasoningTokens: 2 },
    })
  })

  test('with content says just that', () => {
    const call = { type: 'tool_call', id: 'x', tool: 'a', args: {} } as const
    const said = { content: [call], stopReason: 'tool_calls', usage }
    expect(ask(scriptedModel([{ content: [call] }]))).toEqual(said)
  })

  test('is frozen throughout', async () => {
    const calls = [{ tool: 'a', args: { list: [1] } }]
    const response = await ask(scriptedModel([{ calls }]))
    expect(Object.isFrozen(response.content)).toBe(true)
    expect(Object.isFrozen(calls[0]?.args.list)).toBe(true)
  })

  test.each<[ScriptStep, string]>([
    [{ content: [], text: 'a' }, 'has both "content" and "text"'],
    [{ error: { code: 'timeout' }, calls: [] }, 'both "error" and "calls"'],
    [{ chunks: 0 }, 'has "chunks" that are not a whole number from 1 on'],
  ])('that contradicts itself is refused: %j', (step, message) => {
    expect(() => scriptedModel([{}, step])).toThrow(`Step 2 `)
    expect(() => scriptedModel([{}, step])).toThrow(message)
  })
})

describe('the ids of calls', () => {
  const calls = [{ tool: 'a' }, { tool: 'b', id: 'own' }]
  const idsOf = async (model: ReturnType<typeof scriptedModel>) => {
    const { content } = await ask(model)
    return content.flatMap((block) => ('id' in block ? [block.id] : []))
  }

  test('count through the script', async () => {
    const model = scriptedModel([{ calls }, { text: 'a' }, { calls }])
    expect(await idsOf(model)).toEqual(['call-1', 'own'])
    expect(await idsOf(model)).toEqual([])
    expect(await idsOf(model)).toEqual(['call-3', 'own'])
  })

  test('count on when the script begins again', async () => {
    const model = scriptedModel([{ calls }], { loop: true })
    expect(await idsOf(model)).toEqual(['call-1', 'own'])
    expect(await idsOf(model)).toEqual(['call-3', 'own'])
    expect(await idsOf(model)).toEqual(['call-5', 'own'])
  })

  test('count through what a function says', async () => {
    const model = scriptedModel(() => ({ calls }))
    expect(await idsOf(model)).toEqual(['call-1', 'own'])
    expect(await idsOf(model)).toEqual(['call-3', 'own'])
  })
})

describe('a script', () => {
  test('is done when every step has been called, and then fails', () => {
    const model = scriptedModel([{ text: 'a' }])
    expect(model.isDone).toBe(false)
    void ask(model)
    expect(model.isDone).toBe(true)
    expect(() => ask(model)).toThrow(
      'The script has no step 2; add one, or restart what plays it, such as a daemon, to begin again.',
    )
  })

  test('in a loop begins again, with the same response', () => {
    const model = scriptedModel([{ text: 'a' }, { text: 'b' }], { loop: true })
    const first = ask(model)
    expect(ask(model)).toMatchObject({ content: [{ text: 'b' }] })
    expect(ask(model)).toBe(first)
    expect(model.isDone).toBe(false)
  })

  test('in a loop of no steps has none', () => {
    expect(() => ask(scriptedModel([], { loop: true }))).toThrow('no step 1')
  })

  test('can be a function of the request and the number of the call', async () => {
    const seen: unknown[] = []
    const model = scriptedModel((given, call) => {
      seen.push(given, call)
      return { text: `answer ${call}` }
    })
    expect(ask(model)).toMatchObject({ content: [{ text: 'answer 1' }] })
    expect(ask(model)).toMatchObject({ content: [{ text: 'answer 2' }] })
    expect(seen).toEqual([request, 1, request, 2])
  })

  test('can be a function that takes its time, until nobody waits', async () => {
    const model = scriptedModel(async () => ({ text: 'later' }))
    expect(await ask(model)).toMatchObject({ content: [{ text: 'later' }] })
    const gone = new AbortController()
    const stuck = scriptedModel(() => new Promise<ScriptStep>(() => {}))
    const asked = stuck.generate(request, { signal: gone.signal })
    gone.abort(new Error('gone'))
    await expect(asked).rejects.toThrow('gone')
  })
})

test('the model remembers what it was asked', () => {
  const model = scriptedModel([{}, {}])
  void ask(model)
  void model.generate({ ...request, model: 'other' }, { signal })
  expect(model.requests.map(({ model: name }) => name)).toEqual([
    'script',
    'other',
  ])
})

test('a model in a loop remembers the latest requests only', () => {
  const model = scriptedModel([{}], { loop: true, keepRequests: 3 })
  for (let call = 0; call < 5; call++) {
    void model.generate({ ...request, model: `${call}` }, { signal })
  }
  expect(model.requests.map(({ model: name }) => name)).toEqual(['2', '3', '4'])
})

test('abilities and price are those given', () => {
  const abilities = {
    tools: false,
    images: false,
    files: false,
    reasoning: false,
  }
  const price = { input: 1, output: 2 }
  expect(scriptedModel([], { abilities, price })).toMatchObject({
    abilities,
    price,
  })
  expect(scriptedModel([]).abilities.tools).toBe(true)
  expect(scriptedModel([])).not.toHaveProperty('price')
})

describe('streaming', () => {
  test('goes word by word, bracketed, at once', () => {
    expect(partsOf({ reasoning: 'Hm.', text: 'Hello  big world' })).toEqual([
      { type: 'reasoning-start', id: 'reasoning-1' },
      { type: 'reasoning-delta', id: 'reasoning-1', text: 'Hm.' },
      { type: 'reasoning-end', id: 'reasoning-1' },
      { type: 'text-start', id: 'text-2' },
      { type: 'text-delta', id: 'text-2', text: 'Hello  ' },
      { type: 'text-delta', id: 'text-2', text: 'big ' },
      { type: 'text-delta', id: 'text-2', text: 'world' },
      { type: 'text-end', id: 'text-2' },
    ])
  })

  test('goes in as many pieces as asked for, and splits no character', () => {
    expect(textsOf({ text: 'abcdefgh', chunks: 3 })).toEqual([
      'ab',
      'cde',
      'fgh',
    ])
    expect(textsOf({ text: '😀😀', chunks: 4 })).toEqual(['😀', '😀'])
    expect(textsOf({ text: 'a b', chunks: 1 })).toEqual(['a b'])
    expect(textsOf({ text: '', chunks: 2 })).toEqual([])
  })

  test('waits for a listener that asks it to', async () => {
    const heard: string[] = []
    let go = () => {}
    const onPart = async ({ type }: TextEvent) => {
      heard.push(type)
      await new Promise<void>((resolve) => {
        go = resolve
      })
    }
    const model = scriptedModel([{ text: 'a' }])
    const response = model.generate(request, { signal, onPart })
    expect(heard).toEqual(['text-start'])
    for (let part = 0; part < 3; part++) {
      go()
      await new Promise((resolve) => setImmediate(resolve))
    }
    expect(heard).toEqual(['text-start', 'text-delta', 'text-end'])
    expect(await response).toMatchObject({ stopReason: 'end_turn' })
  })

  test('ends when nobody waits any more', async () => {
    const gone = new AbortController()
    const onPart = () => new Promise<void>(() => {})
    const model = scriptedModel([{ text: 'a' }])
    const asked = model.generate(request, { signal: gone.signal, onPart })
    gone.abort(new Error('gone'))
    await expect(asked).rejects.toThrow('gone')
  })

  test('what a listener throws goes through', () => {
    const onPart = () => {
      throw new Error('deaf')
    }
    const model = scriptedModel([{ text: 'a' }])
    expect(() => model.generate(request, { signal, onPart })).toThrow('deaf')
  })
})

describe('a failing step', () => {
  test('says what the script says', () => {
    const error = {
      code: 'rate_limited',
      message: 'Slow down.',
      retryAfterMs: 500,
      httpStatus: 429,
    } as const
    expect(thrownBy({ error })).toMatchObject({
      name: 'ModelFailure',
      message: 'Slow down.',
      error: { ...error, isRetryable: true },
    })
  })

  test('is retryable where its code suggests that, or it says so', () => {
    const errorOf = (error: NonNullable<ScriptStep['error']>) =>
      thrownBy({ error })
    expect(errorOf({ code: 'unauthorized' })).toMatchObject({
      error: { isRetryable: false },
    })
    expect(errorOf({ code: 'overloaded', isRetryable: false })).toMatchObject({
      error: { isRetryable: false },
    })
  })

  test('that is cut streams so many characters, and fails as unavailable', () => {
    const step = { reasoning: 'ab', text: '😀😀 cd', cutAfter: 4 }
    expect(textsOf(step)).toEqual(['ab', '😀😀'])
    expect(partsOf(step).at(-1)).toMatchObject({ type: 'text-delta' })
    expect(thrownBy(step)).toMatchObject({ error: { code: 'unavailable' } })
  })

  test('that is cut at once streams nothing', () => {
    expect(partsOf({ text: 'a', cutAfter: 0 })).toEqual([])
  })

  test('that is cut after its end streams everything, and fails', () => {
    const step = { text: 'a', cutAfter: 9 }
    expect(partsOf(step).at(-1)).toMatchObject({ type: 'text-end' })
    expect(thrownBy(step)).toMatchObject({ error: { code: 'unavailable' } })
  })

  test('that is cut fails with its own error where it has one', () => {
    const error = { code: 'overloaded' } as const
    const step = { text: 'a b', cutAfter: 1, error }
    expect(textsOf(step)).toEqual(['a'])
    expect(thrownBy(step)).toMatchObject({ error })
  })
})

describe('waiting', () => {
  test('a step takes its time by the clock', async () => {
    const clock = createFakeClock()
    const model = scriptedModel([{ text: 'a', afterMs: 50 }], { clock })
    let response: unknown
    const asked = Promise.resolve(ask(model)).then((given) => {
      response = given
    })
    await clock.advance(49)
    expect(response).toBeUndefined()
    await clock.advance(1)
    await asked
    expect(response).toMatchObject({ content: [{ text: 'a' }] })
  })

  test('a step waits for a promise, and fails with it', async () => {
    const { promise, resolve } = Promise.withResolvers<void>()
    const failing = Promise.reject(new Error('broken'))
    const model = scriptedModel([{ waitFor: promise }, { waitFor: failing }])
    const asked = ask(model)
    resolve()
    expect(await asked).toMatchObject({ stopReason: 'end_turn' })
    await expect(ask(model)).rejects.toThrow('broken')
  })

  test('ends with its reason when nobody waits any more, and leaves no timer', async () => {
    const clock = createFakeClock()
    const gone = new AbortController()
    const model = scriptedModel([{ afterMs: 50 }, { afterMs: 50 }], { clock })
    const asked = model.generate(request, { signal: gone.signal })
    expect(clock.pending).toBe(1)
    gone.abort(new Error('gone'))
    await expect(asked).rejects.toThrow('gone')
    const late = model.generate(request, { signal: gone.signal })
    await expect(late).rejects.toThrow('gone')
    expect(clock.pending).toBe(0)
  })
})
