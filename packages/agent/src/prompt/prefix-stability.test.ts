import { defineHook, proceed } from 'hookline'
import {
  type Message,
  promptContext,
  promptSection,
  turnPrePromptCompile,
  turnPrePromptContext,
} from 'hookline/lifecycle'
import { expect, test } from 'vitest'
import { createRuntime, definePlugin } from '../index.ts'
import { tool } from '../runtime/fixtures/tools.ts'
import { scriptedModel } from '../testing/index.ts'

const turns = 6

/** How much of a request the next turn's begins with, as a share, by turn. */
async function sharesOf(isDurable: boolean): Promise<readonly number[]> {
  const style = ['brief', 'kind', 'dry'].map((name) =>
    defineHook({
      name,
      on: turnPrePromptCompile,
      capabilities: ['section'],
      run: (_, context) => {
        const content = `Be ${name}.`.repeat(20)
        context.contribute(promptSection({ section: name, content }))
        return proceed
      },
    }),
  )
  let count = 0
  const recall = defineHook({
    name: 'recall',
    on: turnPrePromptContext,
    capabilities: ['context'],
    run: (_, context) => {
      const content = `Fact ${++count}.`
      const entry = { id: `f${count}`, domain: 'm', content, isDurable }
      context.contribute(promptContext(entry))
      return proceed
    },
  })
  const model = scriptedModel([{ text: 'Done.' }], { loop: true })
  const os = definePlugin({
    name: 'os',
    tools: [tool('read'), tool('write')],
    prompt: () => 'Read before you write.',
  })
  const runtime = createRuntime({
    models: { resolve: () => model },
    plugins: [os],
    hooks: [...style, recall],
  })
  await runtime.register({
    name: 'main',
    model: 'x',
    instructions: 'You help.'.repeat(50),
  })
  const session = await runtime.openSession({ agent: 'main' })
  for (let turn = 0; turn < turns; turn++) {
    await session.send(`Question ${turn}: ${'why? '.repeat(20)}`).result
  }
  await runtime.close()
  const sent = model.requests.map(({ tools, messages }) => {
    return JSON.stringify(tools) + textOf(messages)
  })
  return sent.slice(1).map((text, index) => {
    const before = sent[index] ?? ''
    return commonPrefix(before, text) / before.length
  })
}

function textOf(messages: readonly Message[]): string {
  return messages.map((message) => JSON.stringify(message)).join('')
}

function commonPrefix(one: string, other: string): number {
  let length = 0
  while (length < one.length && one[length] === other[length]) length++
  return length
}

test('what does not change keeps its bytes and its place, so that caches hold', async () => {
  const shares = await sharesOf(true)
  console.log(
    `Of each request the next begins with: ${shares.map((share) => `${(share * 100).toFixed(1)} %`).join(', ')}.`,
  )
  expect(shares).toHaveLength(turns - 1)
  expect(Math.min(...shares)).toBe(1)
})

test('context for one turn alone costs no more than what follows it', async () => {
  const shares = await sharesOf(false)
  // All but the last question, whose context is gone by then.
  expect(Math.min(...shares)).toBeGreaterThan(0.8)
})
