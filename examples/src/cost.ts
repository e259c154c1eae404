// What it costs: counted where replies arrive, refused where calls begin. Two
// agents work at the same time and share one sum.
import assert from 'node:assert/strict'
import { createRuntime } from '@hookline/agent'
import { createDelegatePlugin } from '@hookline/agent/plugins'
import { scriptedModel } from '@hookline/agent/testing'

// #region cost
import { defineCell, defineHook, proceed, reject } from 'hookline'
import { llmPostCall, llmPreCall } from 'hookline/lifecycle'

const prices: Record<string, { in: number; out: number }> = {
  large: { in: 3, out: 15 }, // millionths of a dollar for each token
  small: { in: 1, out: 5 },
}
// One number for the whole process. Its changes are atomic.
const spent = defineCell('spent', { initial: () => 0, scope: 'global' })

const count = defineHook({
  name: 'cost:count',
  on: llmPostCall,
  match: { type: 'response' },
  async run({ request: { model }, response }, { state }) {
    const price = prices[model]
    if (price === undefined || response === undefined) {
      return reject(`Nobody knows what ${model} costs.`)
    }
    const { inputTokens, outputTokens } = response.usage
    const cost = inputTokens * price.in + outputTokens * price.out
    await state.update(spent, (before) => before + cost)
    return proceed
  },
})

const limit = defineHook({
  name: 'cost:limit',
  on: llmPreCall,
  async run(_, { state }) {
    const sum = await state.get(spent)
    return sum < 5_000 ? proceed : reject('The money of today is spent.')
  },
})
// #endregion

const tokens = { inputTokens: 100, outputTokens: 20 }
const large = scriptedModel([
  {
    calls: [
      {
        tool: 'delegate',
        args: {
          tasks: [
            { agent: 'worker', task: 'one' },
            { agent: 'worker', task: 'two' },
          ],
        },
      },
    ],
    usage: tokens,
  },
  { text: 'Both are done.', usage: tokens },
])
const small = scriptedModel([
  { text: 'Done.', usage: tokens },
  { text: 'Done.', usage: tokens },
])
const sums: number[] = []
const runtime = createRuntime({
  models: { resolve: (name) => (name === 'large' ? large : small) },
  plugins: [createDelegatePlugin()],
  hooks: [
    count,
    limit,
    defineHook({
      name: 'cost:watch',
      on: llmPostCall,
      execution: 'record',
      run: async (_, { state }) => void sums.push(await state.get(spent)),
    }),
  ],
})
await runtime.register({ name: 'worker', model: 'small', instructions: '' })
await runtime.register({ name: 'main', model: 'large', instructions: '' })
const session = await runtime.openSession({ agent: 'main' })
const { status } = await session.send('Do both.').result
await runtime.close()

assert.equal(status, 'succeeded')
// Two calls of the large model, two of the small one: none is lost.
assert.equal(Math.max(...sums), 2 * 600 + 2 * 200)
console.log(`spent: ${Math.max(...sums)} millionths of a dollar`)
