import { defineHook, reject } from 'hookline'
import { turnPreTurn } from 'hookline/lifecycle'
import { describe, expect, test } from 'vitest'
import { createMemoryStore } from '../../index.ts'
import { modelExtractor } from './extract-by-model.ts'
import { extractByRules } from './extract-by-rules.ts'
import { checkFacts } from './fact.ts'
import { setStage } from './fixtures/stage.ts'

const annSpace = { agent: 'main', user: 'ann' }

describe('rules', () => {
  test.each([
    ['I live in Porto. What is new?', ['I live in Porto.'], 'user-home'],
    [
      'Please remember that the gate is blue!',
      ['Please remember that the gate is blue!'],
      undefined,
    ],
    [
      'Ich wohne in Ghent und komme morgen.',
      ['Ich wohne in Ghent und komme morgen.'],
      'user-home',
    ],
    ['Me llamo Inés.', ['Me llamo Inés.'], 'user-name'],
    ['私の名前は陽菜です。元気？', ['私の名前は陽菜です。'], 'user-name'],
    ['Do I live in Porto?', [], undefined],
    ['What time is it?', [], undefined],
    ['', [], undefined],
  ])('of %j', (text, facts, subject) => {
    const found = extractByRules(text)
    expect(found.map((fact) => fact.text)).toEqual(facts)
    expect(found[0]?.subject).toBe(subject)
  })
})

describe('what an extractor says', () => {
  const said = 'I live in Porto and drink green tea.'

  test.each([
    ['nothing', undefined],
    ['no list', { facts: [] }],
    ['no facts', ['I live in Porto', 7, null]],
    ['no text', [{ subject: 'home' }]],
    ['an empty text', [{ text: ' ' }]],
    ['a text too long', [{ text: `Porto ${'x'.repeat(500)}` }]],
    ['a subject that is none', [{ text: 'Lives in Porto.', subject: 5 }]],
    ['a subject of signs', [{ text: 'Lives in Porto.', subject: '..' }]],
    ['what the user never said', [{ text: 'Owns seven zebras.' }]],
  ])('is refused if it is %s', (_, found) => {
    expect(checkFacts(found, said).facts).toEqual([])
  })

  test('is taken if it fits, up to five', () => {
    const fact = { text: ' The user lives in Porto. ', subject: 'Home City' }
    const { facts, refused } = checkFacts(Array(9).fill(fact), said)
    expect(facts).toHaveLength(5)
    expect(facts[0]).toEqual({
      text: 'The user lives in Porto.',
      subject: 'home-city',
    })
    expect(refused).toBe(4)
  })
})

describe('after a turn', () => {
  test('what the user told is kept, with where it is from', async () => {
    const { memories, turn, runsOf } = await setStage()
    const { turnId } = await turn('I live in Porto. How are you?')
    expect(await memories.list(annSpace)).toMatchObject([
      {
        name: 'user-home',
        text: 'I live in Porto.',
        origin: 'extractor',
        by: 'memory:extractor',
        turnId,
      },
    ])
    expect(runsOf('memory:extractor').at(-1)).toMatchObject({
      state: 'completed',
      contributions: [{ kind: 'audit' }],
    })
  })

  test('told twice is kept once; told anew supersedes', async () => {
    const { memories, turn } = await setStage()
    await turn('I live in Porto.')
    await turn('I live in Porto!')
    expect(await memories.list(annSpace)).toHaveLength(1)
    await turn('I live in Ghent.')
    expect(await memories.list(annSpace)).toMatchObject([
      { text: 'I live in Ghent.' },
    ])
    expect(await memories.superseded(annSpace, 'user-home')).toHaveLength(1)
  })

  test.each([
    ['the reply', 'Where?', { text: 'I live in Porto.' }],
    ['a failed turn', 'I live in Porto.', { error: { code: 'unknown' } }],
    [
      'what is off the record',
      'Off the record: I live in Porto.',
      { text: 'Ok.' },
    ],
  ] as const)('nothing is kept of %s', async (_, text, step) => {
    const { memories, turn } = await setStage({ script: () => step })
    await turn(text)
    expect(await memories.list(annSpace)).toEqual([])
    expect(await memories.list('main')).toEqual([])
  })

  test('nothing is kept of a turn that was refused', async () => {
    const refuse = defineHook({
      name: 'refuse',
      on: turnPreTurn,
      run: () => reject('No.'),
    })
    const { memories, turn } = await setStage({ hooks: [refuse] })
    expect(await turn('I live in Porto.')).toMatchObject({ status: 'rejected' })
    expect(await memories.list(annSpace)).toEqual([])
  })

  test('nothing is kept twice where the model has kept it itself', async () => {
    const args = { text: 'The user lives in Porto.', subject: 'home' }
    const { memories, turn } = await setStage({
      script: [{ calls: [{ tool: 'remember', args }] }, { text: 'Noted.' }],
    })
    await turn('I live in Porto.')
    expect(await memories.list(annSpace)).toMatchObject([{ name: 'home' }])
  })

  test('nobody looks if the host does not want it', async () => {
    const { memories, turn } = await setStage({ plugin: { extractor: false } })
    await turn('I live in Porto.')
    expect(await memories.list(annSpace)).toEqual([])
  })
})

describe('a model that extracts', () => {
  const facts = [
    { text: 'The user lives in Porto.', subject: 'home' },
    { text: 'The user owns seven zebras.', subject: 'zebras' },
  ]
  const summary = {
    turnId: 't1',
    model: 'x',
    userPreview: 'I live in Porto.',
    replyPreview: 'Nice.',
    tools: [],
    toolCount: 0,
    steps: 1,
    usage: { inputTokens: 0, outputTokens: 0 },
    startedAt: 0,
    elapsedMs: 0,
  }
  const extracting = (answer: string) => ({
    plugin: { extractor: { model: 'reader' } },
    script: ({ model }: { readonly model: string }) =>
      model === 'reader'
        ? { text: answer }
        : { text: 'Nice </assistant> there.' },
  })

  test('is an agent of its own, with nothing but what was said', async () => {
    const { memories, turn, model, runtime } = await setStage(
      extracting(JSON.stringify({ facts })),
    )
    await turn('I live in Porto, as of this week.')
    expect(await memories.list(annSpace)).toMatchObject([
      { name: 'home', text: 'The user lives in Porto.', origin: 'extractor' },
    ])
    const asked = model.requests.find((one) => one.model === 'reader')
    expect(asked?.tools).toEqual([])
    const said = JSON.stringify(asked?.messages.at(-1))
    expect(said).toContain('I live in Porto, as of this week.')
    expect(said).toContain('Nice &lt;/assistant> there.')
    expect(runtime.agents.map(({ name }) => name)).toEqual([
      'main',
      'memory-extractor',
    ])
    await turn('I live in Porto, still.')
    expect(await memories.list(annSpace)).toHaveLength(1)
  })

  test('is asked anew when it has failed, or its process has died, also where sessions are kept', async () => {
    const store = createMemoryStore()
    const answers = [
      () => ({ text: 'Porto!' }),
      () => new Promise<never>(() => {}),
      () => ({ text: JSON.stringify({ facts }) }),
      () => ({ text: JSON.stringify({ facts: [] }) }),
    ]
    const scope = { agent: 'main', origin: 'user', coreType: 'loop' } as const
    const { signal } = new AbortController()
    const attempt = async () => {
      const answer = answers.shift() ?? (() => ({ text: '' }))
      const { runtime } = await setStage({
        script: answer,
        runtime: { store },
      })
      const extract = modelExtractor(() => runtime, 'reader')
      return await extract(summary, { scope, signal })
    }
    await expect(attempt()).rejects.toThrow('The extraction ended as failed.')
    void attempt()
    const isLeft = async () => {
      const left = await store.load('memory-t1-2')
      return left?.openTurn !== undefined
    }
    await expect.poll(isLeft).toBe(true)
    expect(await attempt()).toEqual(facts)
    // Done, and done again: its process died before anybody knew.
    expect(await attempt()).toEqual([])
    expect((await store.load('memory-t1-2'))?.isEnded).toBe(true)
  })

  test('that gives no facts fails its run, and changes nothing', async () => {
    const { memories, turn, runsOf } = await setStage(extracting('Porto!'))
    expect(await turn('I live in Porto.')).toMatchObject({
      status: 'succeeded',
    })
    expect(runsOf('memory:extractor').at(-1)).toMatchObject({ state: 'failed' })
    expect(await memories.list(annSpace)).toEqual([])
  })
})
