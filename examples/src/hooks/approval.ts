import assert from 'node:assert/strict'
import {
  createAgent,
  createMemoryApprovals,
  createPolicy,
  defineTool,
} from '@hookline/agent'
import { scriptedModel } from '@hookline/agent/testing'

const pay = (to: string, amount: number) => ({
  calls: [{ tool: 'pay', args: { to, amount } }],
})
const model = scriptedModel([
  pay('Ann', 20),
  pay('Bob', 4000),
  pay('Bob', 4000),
  { text: 'All is paid.' },
])
const paid: unknown[] = []
const payTool = defineTool({
  name: 'pay',
  description: 'Pays somebody.',
  input: {
    type: 'object',
    properties: { to: { type: 'string' }, amount: { type: 'number' } },
    required: ['to', 'amount'],
  },
  safety: 'mutating',
  execute({ to, amount }) {
    paid.push([to, amount])
    return 'paid'
  },
})

const questions: string[] = []
const approvals = createMemoryApprovals({
  onQuestion({ question: { id, questions: asked } }) {
    questions.push(...asked.map(({ question }) => question))
    approvals.answer(id, { type: 'allow' }, 'eve')
  },
})

// #region approval
import { approval } from '@hookline/agent/hooks'

const largePayments = approval({
  rules: [
    {
      tools: ['pay'],
      args: { to: { $not: 'Ann' } },
      question: 'May {args.amount} be paid to {args.to}?',
      lasts: 'turn',
    },
  ],
})
const agent = createAgent({
  ...{ model, approvals, tools: [payTool] },
  // Else the policy would ask about every call that changes something.
  policy: createPolicy({ mode: 'open' }),
  plugins: [largePayments],
})
// #endregion

await agent.run('Pay them.').result
assert.deepEqual(questions, ['May 4000 be paid to "Bob"?'])
assert.equal(paid.length, 3)
console.log(`asked: ${questions.join(' ')}`)
await agent.close()
