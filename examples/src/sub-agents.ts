// Two sub-agents at the same time. Each has what its own config says and never
// more than the agent that hands the task on, and all gates of that one.
import assert from 'node:assert/strict'
import { createPolicy, createRuntime, defineTool } from '@hookline/agent'
import { scriptedModel } from '@hookline/agent/testing'

const tool = (name: string) =>
  defineTool({
    name,
    description: `Does ${name}.`,
    input: { type: 'object' },
    safety: 'read_only',
    execute: () => `${name} ran`,
  })
const models = {
  lead: scriptedModel([
    {
      calls: [
        {
          tool: 'delegate',
          args: {
            tasks: [
              { agent: 'reader', task: 'Read the ledger.' },
              { agent: 'writer', task: 'Write the letter.' },
            ],
          },
        },
      ],
    },
    { text: 'Both are done.' },
  ]),
  reader: scriptedModel([
    { calls: [{ tool: 'read' }, { tool: 'write' }] },
    { text: 'Read.' },
  ]),
  writer: scriptedModel([
    { calls: [{ tool: 'write' }, { tool: 'publish' }] },
    { text: 'Written.' },
  ]),
}

// #region sub-agents
import { createDelegatePlugin } from '@hookline/agent/plugins'
import { defineHook, proceed, reject } from 'hookline'
import { subagentStart, toolGuard } from 'hookline/lifecycle'

const shortTasks = defineHook({
  name: 'short-tasks',
  on: subagentStart,
  run: ({ task }) =>
    task.length < 200 ? proceed : reject('Say it in 200 characters.'),
})

// A condition on an agent holds for those that work for it, too.
const nothingLeaves = defineHook({
  name: 'nothing-leaves',
  on: toolGuard,
  match: { agent: 'lead', tool: 'publish' },
  run: () => reject('Nothing leaves this house.'),
})

const runtime = createRuntime({
  models: { resolve: (name) => models[name as keyof typeof models] },
  policy: createPolicy({ mode: 'open' }),
  tools: [tool('read'), tool('write'), tool('publish')],
  plugins: [createDelegatePlugin()],
  hooks: [shortTasks, nothingLeaves],
})
await runtime.register({
  name: 'reader',
  model: 'reader',
  instructions: 'You read.',
  tools: ['read'], // `[]` would mean none; absent means all
})
await runtime.register({ name: 'writer', model: 'writer', instructions: '' })
await runtime.register({ name: 'lead', model: 'lead', instructions: '' })
// #endregion

const session = await runtime.openSession({ agent: 'lead' })
const { text } = await session.send('Do both.').result
await runtime.close()
console.log(text)

const told = (name: keyof typeof models) =>
  JSON.stringify(models[name].requests.at(-1)?.messages)
assert.match(told('reader'), /read ran/)
assert.doesNotMatch(told('reader'), /write ran/)
assert.match(told('writer'), /write ran/)
assert.match(told('writer'), /Nothing leaves this house/)
