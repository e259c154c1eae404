import { defineHook, type Hook, proceed, reject } from 'hookline'
import {
  llmPreCall,
  type ModelRequest,
  type ModelResponse,
  sessionEnd,
} from 'hookline/lifecycle'
import { expect, test } from 'vitest'
import { createRuntime, type Runtime } from '../index.ts'
import { scriptedModel } from '../testing/index.ts'

const request = (text: string): ModelRequest => ({
  model: 'a',
  messages: [{ role: 'user', content: [{ type: 'text', text }] }],
  tools: [],
  settings: {},
})

function textOf({ content }: ModelResponse): string {
  return content.map((one) => ('text' in one ? one.text : '')).join('')
}

/** A session after three turns, whose model calls another model has to allow. */
async function judged(
  hooks: (runtime: () => Runtime) => readonly Hook[] = () => [],
) {
  const asked: string[] = []
  const model = scriptedModel(({ messages }) => {
    const said = JSON.stringify(messages.at(-1))
    asked.push(said)
    return { text: said.includes('May it?') ? 'yes' : 'Well.' }
  })
  const judge = defineHook({
    name: 'judge',
    on: llmPreCall,
    async run(_, context) {
      const said = await runtime.callModel(context, request('May it?'))
      return textOf(said) === 'yes' ? proceed : reject('It may not.')
    },
  })
  const runtime: Runtime = createRuntime({
    models: { resolve: () => model },
    hooks: [judge, ...hooks(() => runtime)],
  })
  const compaction = { keepMessages: 1 }
  const agent = { name: 'main', model: 'a', instructions: '', compaction }
  await runtime.register(agent)
  const session = await runtime.openSession({ agent: 'main' })
  for (const text of ['One.', 'Two.', 'Three.']) {
    expect(await session.send(text).result).toMatchObject({ text: 'Well.' })
  }
  asked.length = 0
  return { session, runtime, asked }
}

test('a gate that asks a model does so where a conversation is made shorter between turns', async () => {
  const { session, asked } = await judged()
  expect(await session.compact()).toBe('done')
  expect(asked).toHaveLength(2)
  expect(asked[0]).toContain('May it?')
})

test('and where a hook asks a model about a session that ends', async () => {
  const answers: unknown[] = []
  const { session, asked } = await judged((runtime) => [
    defineHook({
      name: 'told',
      on: sessionEnd,
      async run(_, context) {
        const said = await runtime().callModel(context, request('So?'))
        answers.push(textOf(said))
        return proceed
      },
    }),
  ])
  await session.close()
  expect(answers).toEqual(['Well.'])
  expect(asked).toHaveLength(2)
})
