import { defineHook, respond } from 'hookline'
import { type AgentEvent, turnError } from 'hookline/lifecycle'
import { expect, test } from 'vitest'
import type { Plugin } from '../index.ts'
import { createDelegatePlugin } from '../plugins.ts'
import type { ScriptStep } from '../testing/index.ts'
import { callsOf, echoTool, play } from './fixtures/play.ts'
import {
  type OutputGuardrailOptions,
  outputGuardrail,
} from './output-guardrail.ts'

const guarded = (
  options: OutputGuardrailOptions,
  ...script: readonly ScriptStep[]
) =>
  play(script, {
    ...{ plugins: [outputGuardrail(options)], tools: [echoTool('look')] },
  })

/** What watchers have read. */
const released = (events: readonly AgentEvent[]) =>
  events
    .flatMap((event) =>
      event.type === 'text-delta' || event.type === 'reasoning-delta'
        ? [event.text]
        : [],
    )
    .join('')

const prices = { price: '\\$\\d+' }

test('nothing of a reply that is withheld goes out', async () => {
  const text = 'Of course. It costs $20 a month. Anything else?'
  const { turns, events } = await guarded({ patterns: prices }, { text })
  expect(turns).toMatchObject([
    { status: 'withheld', reason: expect.stringContaining('price') },
  ])
  expect(released(events)).not.toContain('Of course')
  expect(released(events)).not.toContain('20')
})

test('the tools of a reply that is withheld do not run', async () => {
  const { turns, statuses } = await guarded(
    { words: ['secret'] },
    { text: 'The SECRET is…', ...callsOf('look', {}) },
  )
  expect(turns).toMatchObject([{ status: 'withheld' }])
  expect(statuses).not.toContain('executed')
})

test('what is thought aloud is judged as what is said', async () => {
  const step = { reasoning: 'The secret is 4.', text: 'No idea.' }
  const rejected = await guarded({ words: ['secret'] }, step)
  expect(rejected.turns).toMatchObject([{ status: 'withheld' }])
  const redacted = await guarded({ words: ['secret'], action: 'redact' }, step)
  expect(released(redacted.events)).toBe('No idea.')
})

test('what is redacted is in no event, no reply and no later request', async () => {
  const { turns, events, model } = await play(
    [
      { text: 'It is $20, or $30.', ...callsOf('look', {}) },
      { text: 'I said $20.', chunks: 7 },
    ],
    {
      plugins: [outputGuardrail({ patterns: prices, action: 'redact' })],
      tools: [echoTool('look')],
    },
  )
  expect(turns).toMatchObject([
    { status: 'succeeded', text: 'I said [removed].' },
  ])
  expect(JSON.stringify([events, model.requests[1]])).not.toMatch(/\$\d/)
})

test('what redaction puts together is withheld', async () => {
  const content = [
    { type: 'text' as const, text: 'se' },
    { type: 'text' as const, text: 'cret' },
  ]
  const options = { words: ['secret'], action: 'redact' as const }
  const { turns } = await guarded(options, { content })
  expect(turns).toMatchObject([{ status: 'withheld' }])
})

test('a fixed text can be said instead, and no tool runs', async () => {
  const { turns, events, statuses } = await guarded(
    { patterns: prices, action: 'respond', message: 'Ask the sales team.' },
    { text: 'It is $20.', ...callsOf('look', {}) },
  )
  expect(turns).toMatchObject([
    { status: 'succeeded', text: 'Ask the sales team.' },
  ])
  expect(released(events)).toBe('Ask the sales team.')
  expect(statuses).toEqual([])
})

test('sentence by sentence, what is complete goes out before it is judged', async () => {
  const text = 'Of course. It costs $20. Bye.'
  const options = { patterns: prices, holdBack: 'sentence' as const }
  const { turns, events } = await guarded(options, { text })
  expect(turns).toMatchObject([{ status: 'withheld' }])
  expect(released(events)).toContain('Of course.')
})

test('what another hook says in place of a failed turn is judged, too', async () => {
  const answers = defineHook({
    name: 'answers',
    on: turnError,
    run: () => respond([{ type: 'text' as const, text: 'It is $20.' }]),
  })
  const { turns } = await play(
    [{ error: { code: 'unavailable', isRetryable: false } }],
    {
      ...{ plugins: [outputGuardrail({ patterns: prices })], hooks: [answers] },
    },
  )
  expect(turns).toMatchObject([{ status: 'withheld' }])
})

const verdict = (word: string) => ({
  text: JSON.stringify({ verdict: word, reason: 'So it seems.' }),
})
const judge = { model: 'given/model', policy: 'Promises.' }

test('a model judges each reply once', async () => {
  const { turns, model } = await guarded(
    { judge },
    { text: 'I will look.', ...callsOf('look', {}) },
    verdict('allow'),
    { text: 'Seen.' },
    verdict('allow'),
  )
  expect(turns).toMatchObject([{ status: 'succeeded', text: 'Seen.' }])
  expect(model.requests).toHaveLength(4)
})

test.each([
  ['reject', 'withheld', '[withheld: No promises.]'],
  ['respond', 'succeeded', 'No promises.'],
] as const)('a model can refuse a reply: %s', async (action, status, text) => {
  const { turns, events } = await guarded(
    { judge, action, message: 'No promises.' },
    { text: 'I promise.' },
    verdict('refuse'),
    verdict('allow'),
  )
  expect(turns).toMatchObject([{ status, text }])
  expect(released(events)).not.toContain('I promise')
})

test('a judge that fails withholds, unless it may fail', async () => {
  const broken = { text: 'Fine by me.' }
  const closed = await guarded({ judge }, { text: 'Yes.' }, broken, broken)
  expect(closed.turns).toMatchObject([{ status: 'withheld' }])
  const lenient = { ...judge, onFailure: 'open' as const }
  const script = [{ text: 'Yes.' }, broken, broken]
  const open = await guarded({ judge: lenient }, ...script)
  expect(open.turns).toMatchObject([{ status: 'succeeded', text: 'Yes.' }])
})

test('a sub-agent says nothing to its parent that is not allowed', async () => {
  const tasks = [{ agent: 'agent', task: 'Find the price.' }]
  const { model } = await play(
    [callsOf('delegate', { tasks }), { text: 'It is $20.' }, { text: 'Done.' }],
    {
      plugins: [outputGuardrail({ patterns: prices }), createDelegatePlugin()],
    },
  )
  expect(JSON.stringify(model.requests.at(-1))).not.toContain('$20')
})

test('in evaluate mode a reply streams as it is', async () => {
  const plugin = outputGuardrail({ patterns: prices })
  const evaluated: Plugin = {
    ...plugin,
    hooks: (plugin.hooks ?? []).map((hook) => ({ ...hook, mode: 'evaluate' })),
  }
  const { turns } = await play([{ text: 'It is $20.' }], {
    plugins: [evaluated],
  })
  expect(turns).toMatchObject([{ status: 'succeeded', text: 'It is $20.' }])
})

test.each([
  [{}, 'neither rules nor a judge'],
  [{ words: ['a'], holdBack: 'none' }, 'holdBack'],
  [
    { words: ['a'], holdBack: 'sentence', action: 'redact' },
    'cannot be taken back',
  ],
  [{ judge: { model: 'a/b', policy: 'x', timeoutMs: 0 } }, 'timeoutMs'],
])('options that do not fit are refused: %j', (options, word) => {
  expect(() => outputGuardrail(options as OutputGuardrailOptions)).toThrow(word)
})
