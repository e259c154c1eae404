import {
  defineHook,
  type HoldBack,
  type Hook,
  keepGoing,
  proceed,
  reject,
  respond,
  transform,
} from 'hookline'
import {
  type AgentEvent,
  event,
  llmError,
  llmPostCall,
  type Reply,
  type TextEvent,
  turnError,
  turnOutput,
  turnStop,
} from 'hookline/lifecycle'
import { describe, expect, test } from 'vitest'
import { createAgent } from '../create-agent.ts'
import { outline } from '../model/fixtures/asking.ts'
import type { GenerateOptions, Model } from '../ports/model.ts'
import {
  type Script,
  type ScriptStep,
  scriptedModel,
} from '../testing/index.ts'
import { look } from './fixtures/look.ts'

function isText(one: AgentEvent): one is AgentEvent & TextEvent {
  return /^(?:text|reasoning)-/.test(one.type)
}

/** Runs one turn, and says what was told. */
async function watch(script: Script, ...hooks: readonly Hook[]) {
  const model = scriptedModel(script)
  const agent = createAgent({ model, hooks, tools: [look] })
  const session = await agent.openSession()
  const turn = session.send('Go.')
  const events: AgentEvent[] = []
  for await (const one of turn) events.push(one)
  const texts = outline(events.filter(isText))
  return { texts, events, result: await turn.result, session }
}

type Judged = typeof llmPostCall | typeof turnOutput

interface Gate {
  readonly name?: string
  readonly holdBack?: HoldBack
  readonly mode?: 'evaluate'
}

/** Where a gate is asked, and what was told by then. */
async function toldBefore(
  on: Judged,
  step: ScriptStep,
  ...gates: readonly Gate[]
): Promise<string> {
  const texts: string[] = []
  let atGate: string | undefined
  const hooks = gates.map((gate, index) =>
    defineHook({
      name: `gate-${index}`,
      on,
      ...gate,
      run: async () => {
        await new Promise((resolve) => setImmediate(resolve))
        atGate ??= texts.join('')
        return proceed
      },
    }),
  )
  const agent = createAgent({ model: scriptedModel([step]), hooks })
  for await (const one of agent.run('Go.')) {
    if ('text' in one && one.type === 'text-delta') texts.push(one.text)
  }
  expect(texts.join('')).toBe(step.text)
  return atGate ?? 'no gate was asked'
}

test('text and reasoning go out as they come, bracketed', async () => {
  const { texts } = await watch([{ reasoning: 'Hm, hm.', text: 'Yes, so.' }])
  expect(texts).toEqual([
    '[reasoning',
    'Hm, ',
    'hm.',
    'reasoning]',
    '[text',
    'Yes, ',
    'so.',
    'text]',
  ])
})

test('every block of a turn has an id of its own', async () => {
  const script = [
    { text: 'Looking.', calls: [{ tool: 'look' }] },
    { text: 'Done.' },
  ]
  const { events } = await watch(script)
  const starts = events.filter(({ type }) => type === 'text-start')
  const ids = starts.map((one) => isText(one) && one.id)
  expect(new Set(ids).size).toBe(2)
})

const text = 'One two. Three four. Five'

describe.each([
  ['llm.post_call', llmPostCall],
  ['turn.output', turnOutput],
] as const)('F140 before a gate at %s has answered', (_, on) => {
  test('nothing goes out', async () => {
    expect(await toldBefore(on, { text }, {})).toBe('')
  })

  test('whole sentences go out, if it holds back a sentence', async () => {
    const gate = { holdBack: 'sentence' } as const
    expect(await toldBefore(on, { text }, gate)).toBe('One two. Three four. ')
  })

  test('all but the newest code points go out, if it holds back a window', async () => {
    const gate = { holdBack: { window: 7 } }
    expect(await toldBefore(on, { text }, gate)).toBe('One two. Three fou')
  })

  test('all goes out, if it holds back nothing', async () => {
    expect(await toldBefore(on, { text }, { holdBack: 'none' })).toBe(text)
  })

  test('the strictest of several counts', async () => {
    const gates = [
      { holdBack: 'none' },
      { holdBack: { window: 2 } },
      { holdBack: 'sentence' },
    ] as const
    const told = await toldBefore(on, { text }, ...gates)
    expect(told).toBe('One two. Three four. ')
    expect(await toldBefore(on, { text }, ...gates, {})).toBe('')
  })

  test('all goes out, if it only evaluates', async () => {
    expect(await toldBefore(on, { text }, { mode: 'evaluate' })).toBe(text)
  })

  test('code points stay whole', async () => {
    const smiles = '\u{1f600}\u{1f601}\u{1f602}'
    const step = { text: smiles, chunks: 3 }
    const gate = { holdBack: { window: 2 } }
    expect(await toldBefore(on, step, gate)).toBe('\u{1f600}')
  })
})

test('F140 the strictest counts across llm.post_call and turn.output', async () => {
  const seen: string[] = []
  const told: string[] = []
  const hooks = [
    defineHook({
      name: 'reply',
      on: llmPostCall,
      holdBack: 'none',
      run: () => {
        seen.push(told.join(''))
        return proceed
      },
    }),
    defineHook({
      name: 'output',
      on: turnOutput,
      run: () => {
        seen.push(told.join(''))
        return proceed
      },
    }),
  ]
  const agent = createAgent({ model: scriptedModel([{ text }]), hooks })
  for await (const one of agent.run('Go.')) {
    if ('text' in one && one.type === 'text-delta') told.push(one.text)
  }
  expect(seen).toEqual(['', ''])
  expect(told.join('')).toBe(text)
})

test('observers hold nothing back', async () => {
  const noting = (on: Judged, name: string) =>
    defineHook({ name, on, execution: 'record', run: () => {} })
  const hooks = [noting(llmPostCall, 'a'), noting(turnOutput, 'b')]
  const { texts } = await watch([{ text: 'One two.' }], ...hooks)
  expect(texts).toEqual(['[text', 'One ', 'two.', 'text]'])
})

describe('a step with tools', () => {
  const script = [
    { text: 'Let me look.', calls: [{ tool: 'look' }] },
    { text: 'Done.' },
  ]

  test('has its text released before its tools run, even if turn.output holds back', async () => {
    const gate = defineHook({
      name: 'gate',
      on: turnOutput,
      run: () => reject('No.'),
    })
    const { events, texts } = await watch(script, gate)
    const types = events.map(({ type }) => type)
    expect(types.indexOf('text-end')).toBeLessThan(types.indexOf('tool-start'))
    expect(texts).toEqual([
      '[text',
      'Let me look.',
      'text]',
      '[text',
      '[withheld: No.]',
      'text]',
    ])
  })
})

test('with keepGoing the earlier reply is released before the turn goes on', async () => {
  const output = defineHook({
    name: 'output',
    on: turnOutput,
    run: () => proceed,
  })
  const more = defineHook({
    name: 'more',
    on: turnStop,
    match: (input) => input.continuesSoFar === 0,
    run: () => keepGoing('Say more.'),
  })
  const script = [{ text: 'First.' }, { text: 'Second.' }]
  const { texts, events } = await watch(script, output, more)
  expect(texts).toEqual([
    '[text',
    'First.',
    'text]',
    '[text',
    'Second.',
    'text]',
  ])
  const types = events.map(({ type }) => type)
  expect(types.indexOf('text-end')).toBeLessThan(
    types.lastIndexOf('step-start'),
  )
})

function saying(value: string): Reply {
  return [{ type: 'text', text: value }]
}

describe('a transform is what goes out', () => {
  test('at llm.post_call', async () => {
    const edit = defineHook({
      name: 'edit',
      on: llmPostCall,
      writes: true,
      run: ({ response }) =>
        response === undefined
          ? proceed
          : transform({ ...response, content: saying('Better.') }),
    })
    const { texts } = await watch([{ reasoning: 'Hm.', text: 'Bad.' }], edit)
    expect(texts).toEqual(['[text', 'Better.', 'text]'])
  })

  test('at turn.output', async () => {
    const edit = defineHook({
      name: 'edit',
      on: turnOutput,
      writes: true,
      run: () => transform(saying('Better.')),
    })
    const { texts, result, session } = await watch([{ text: 'Bad.' }], edit)
    expect(texts).toEqual(['[text', 'Better.', 'text]'])
    expect(result.text).toBe('Better.')
    expect(session.messages.at(-1)?.content).toEqual(saying('Better.'))
  })
})

describe('a reject at turn.output', () => {
  const canary = 'XYZZY-4711'
  const censor = defineHook({
    name: 'censor',
    on: turnOutput,
    run: () => reject('It is a secret.'),
  })

  test('gives stream, history and result what was withheld, and nothing else', async () => {
    const script = [{ reasoning: `Hm, ${canary}.`, text: `It is ${canary}.` }]
    const { texts, events, result, session } = await watch(script, censor)
    const said = saying('[withheld: It is a secret.]')
    expect(texts).toEqual(['[text', '[withheld: It is a secret.]', 'text]'])
    expect(result).toMatchObject({ status: 'withheld', reply: said })
    expect(result.error).toBeUndefined()
    expect(session.messages).toMatchObject([
      { role: 'user' },
      { role: 'assistant', content: said },
    ])
    const all = JSON.stringify([events, result, session.messages])
    expect(all).not.toContain(canary)
  })

  test('reaches neither observers of that point nor hooks at event', async () => {
    const seen: unknown[] = []
    const note = (input: unknown) => void seen.push(input)
    const observer = defineHook({
      name: 'observer',
      on: turnOutput,
      execution: 'record',
      run: note,
    })
    const listener = defineHook({ name: 'listener', on: event, run: note })
    const hooks = [censor, observer, listener]
    const agent = createAgent({
      model: scriptedModel([{ text: canary }]),
      hooks,
    })
    await agent.run('Go.').result
    await agent.runtime.drain()
    expect(seen.length).toBeGreaterThan(1)
    expect(JSON.stringify(seen)).not.toContain(canary)
  })

  test('is told with its author', async () => {
    const { events } = await watch([{ text: canary }], censor)
    expect(events).toContainEqual(
      expect.objectContaining({
        type: 'hook-withhold',
        hook: 'censor',
        point: 'turn.output',
        subject: 'reply',
        reason: 'It is a secret.',
      }),
    )
  })
})

test('what was released before a gate refuses it stays, and the rest does not follow', async () => {
  const late = defineHook({
    name: 'late',
    on: llmPostCall,
    holdBack: 'sentence',
    run: () => reject('Enough.'),
  })
  const { texts } = await watch([{ text: 'Fine so far. A secret' }], late)
  const note = '[withheld: Enough.]'
  expect(texts).toEqual([
    ...['[text', 'Fine so far. ', 'text]', '[text', note, 'text]'],
  ])
})

describe('a model that still talks when its call is over', () => {
  /** Fails at first, or not, and can be made to talk again. */
  function talkative(failures: number) {
    const calls: GenerateOptions[] = []
    const model: Model = {
      abilities: { tools: true, images: true, files: true, reasoning: true },
      async generate(_, options) {
        calls.push(options)
        if (calls.length <= failures) throw new Error('Broken.')
        return {
          content: saying('Judged.'),
          stopReason: 'end_turn',
          usage: { inputTokens: 1, outputTokens: 1 },
        }
      },
    }
    const talk = () => {
      const part = { type: 'text-delta', id: 'x', text: 'Unjudged.' } as const
      void calls.at(-1)?.onPart?.(part)
    }
    return { model, talk }
  }

  async function textsOf(model: Model, hook: Hook) {
    const events: AgentEvent[] = []
    const agent = createAgent({ model, hooks: [hook] })
    for await (const one of agent.run('Go.')) events.push(one)
    return outline(events.filter(isText))
  }

  test('is not heard while its reply is judged', async () => {
    const { model, talk } = talkative(0)
    const gate = defineHook({
      name: 'gate',
      on: llmPostCall,
      holdBack: 'none',
      run: () => {
        talk()
        return proceed
      },
    })
    expect(await textsOf(model, gate)).toEqual(['[text', 'Judged.', 'text]'])
  })

  test('is not heard after it has failed', async () => {
    const { model, talk } = talkative(1)
    const retry = defineHook({
      name: 'retry',
      on: llmError,
      run: () => {
        talk()
        return respond({ type: 'retry', afterMs: 0 })
      },
    })
    expect(await textsOf(model, retry)).toEqual(['[text', 'Judged.', 'text]'])
  })
})

test('a reply that a hook gives at turn.error is streamed like any other', async () => {
  const sorry = defineHook({
    name: 'sorry',
    on: turnError,
    run: () => respond(saying('Sorry.')),
  })
  const failing = [{ error: { code: 'overloaded' } }] as const
  const { texts, result } = await watch(failing, sorry)
  expect(result.text).toBe('Sorry.')
  expect(texts).toEqual(['[text', 'Sorry.', 'text]'])
})
