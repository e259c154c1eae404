import { defineHook, proceed } from 'hookline'
import {
  type CompiledPromptInput,
  promptContext,
  promptSection,
  turnPostPromptCompile,
  turnPrePromptCompile,
  turnPrePromptContext,
} from 'hookline/lifecycle'
import { expect, test } from 'vitest'
import {
  createMemoryStore,
  createRuntime,
  definePlugin,
  explainPrompt,
  type JournalEntry,
  type SessionStore,
} from '../index.ts'
import { sha256 } from '../seal/sha256.ts'
import { scriptedModel } from '../testing/index.ts'

const style = (name: string, content: string) =>
  defineHook({
    name,
    on: turnPrePromptCompile,
    capabilities: ['section'],
    run: (_, context) => {
      context.contribute(
        promptSection({ section: 'style', title: 'Style', content }),
      )
      return proceed
    },
  })

const recall = defineHook({
  name: 'recall',
  on: turnPrePromptContext,
  capabilities: ['context'],
  run: (_, context) => {
    const content = 'Tea \u{1f375}\nno sugar'
    context.contribute(promptContext({ id: 'taste', domain: 'm', content }))
    return proceed
  },
})

async function explained(...hooks: readonly ReturnType<typeof style>[]) {
  const seen: CompiledPromptInput[] = []
  const watch = defineHook({
    name: 'watch',
    on: turnPostPromptCompile,
    run: (input) => void seen.push(input),
  })
  const os = definePlugin({
    name: 'os',
    prompt: () => 'Read\nbefore you edit.',
  })
  const model = scriptedModel([{ text: 'Done.' }])
  const runtime = createRuntime({
    models: { resolve: () => model },
    environment: 'A test.',
    plugins: [os],
    hooks: [...hooks, recall, watch],
  })
  await runtime.register({ name: 'main', model: 'x', instructions: 'Be kind.' })
  const session = await runtime.openSession({ agent: 'main' })
  await session.send('Hello.').result
  await runtime.close()
  const [input] = seen
  if (input === undefined) throw new Error('Nobody was shown the prompt.')
  return explainPrompt(input)
}

test('every line of a prompt has its author in the margin', async () => {
  const text = await explained(
    style('brief', 'Be brief.'),
    style('dry', 'Dry.'),
  )
  const lines = text.split('\n').map((line) => line.replace(/ +│/, ' │'))
  expect(lines).toEqual([
    '── system',
    'instructions │ Be kind.',
    'environment │ A test.',
    'os (plugin) │ Read',
    'os (plugin) │ before you edit.',
    ' │ ## Style',
    'brief: style │ Be brief.',
    'dry: style │ Dry.',
    '── user',
    ' │ <context domain="m" id="taste" from="recall">',
    'recall: taste │ Tea \u{1f375}',
    'recall: taste │ no sugar',
    ' │ </context>',
    ' │ Hello.',
  ])
})

test('two fragments with the same words have an author each', async () => {
  const text = await explained(style('one', 'Same.'), style('two', 'Same.'))
  expect(text).toContain('one: style')
  expect(text).toContain('two: style')
})

test('who wrote the prompt of a turn is on record', async () => {
  const entries: JournalEntry[] = []
  const memory = createMemoryStore()
  const store: SessionStore = {
    ...memory,
    append(sessionId, given) {
      entries.push(...given)
      return memory.append(sessionId, given)
    },
  }
  const model = scriptedModel([{ text: 'Done.' }])
  const runtime = createRuntime({
    models: { resolve: () => model },
    store,
    hooks: [recall],
  })
  await runtime.register({ name: 'main', model: 'x', instructions: 'Be kind.' })
  const session = await runtime.openSession({ agent: 'main' })
  await session.send('Hello.').result
  const ended = entries.find(({ type }) => type === 'turn-end')
  expect(ended).toMatchObject({
    prompt: {
      fragments: [
        { kind: 'base', id: 'instructions' },
        { kind: 'context', id: 'taste', hook: 'recall', codePoints: 14 },
      ],
    },
  })
  expect(JSON.stringify(ended)).not.toContain('no sugar')
})

test('what a tool has told is not taken for a fragment, and costs nothing', () => {
  const text = `Be kind.\n${'A line of a file.\n'.repeat(20_000)}`
  const result = {
    type: 'tool_result',
    callId: 'a',
    tool: 'read',
    isError: false,
    content: [{ type: 'text', text }],
  } as const
  const fragment = {
    kind: 'base',
    id: 'instructions',
    isCut: false,
    hash: sha256('Be kind.'),
    codePoints: 8,
  } as const
  const shown = explainPrompt({
    messages: [
      { role: 'tool', content: [result] },
      { role: 'assistant', content: [{ type: 'text', text }] },
      { role: 'system', content: [{ type: 'text', text: 'Be kind.' }] },
    ],
    manifest: { fragments: [fragment] },
  })
  const [tool, assistant] = shown.split('── system')
  expect(`${tool}${assistant}`.match(/instructions +│ Be kind/g)).toHaveLength(
    1,
  )
  expect(tool).not.toContain('instructions')
})
