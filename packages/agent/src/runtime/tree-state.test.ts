import { createMemoryState, defineCell, defineHook, proceed } from 'hookline'
import { llmPreCall, sessionEnd, sessionStart } from 'hookline/lifecycle'
import { expect, test } from 'vitest'
import { createDelegatePlugin } from '../plugins/delegate/create-delegate-plugin.ts'
import { scriptedModel } from '../testing/index.ts'
import { createRuntime } from './create-runtime.ts'

const moments = defineCell<readonly string[]>('moments', {
  initial: () => [],
  scope: 'tree',
})

const watched = [sessionStart, llmPreCall, sessionEnd].map((point) =>
  defineHook({
    name: `watch:${point.name}`,
    on: point,
    async run(_, { state, scope }) {
      const moment = `${scope.agent} ${point.name}`
      await state.update(moments, (before) => [...before, moment])
      return proceed
    },
  }),
)

test('a session and all that work for it share the cells of their tree', async () => {
  const tasks = ['child', 'child'].map((agent) => ({ agent, task: 'Do.' }))
  const models = {
    main: scriptedModel([
      { calls: [{ tool: 'delegate', args: { tasks } }] },
      { text: 'Done.' },
    ]),
    child: scriptedModel([{ text: 'Did.' }], { loop: true }),
  }
  const state = createMemoryState()
  const runtime = createRuntime({
    state,
    hooks: watched,
    plugins: [createDelegatePlugin()],
    // Each agent has the model of its name.
    models: { resolve: (name) => models[name as keyof typeof models] },
  })
  const config = { instructions: '', description: 'Works.' }
  for (const name of ['main', 'child']) {
    await runtime.register({ ...config, name, model: name })
  }
  const session = await runtime.openSession({ agent: 'main' })
  await session.send('Go.').result
  const shared = state.at({ tree: session.id })
  expect((await shared.get(moments)).toSorted()).toEqual([
    ...['child llm.pre_call', 'child llm.pre_call'],
    ...['child session.end', 'child session.end'],
    ...['child session.start', 'child session.start'],
    ...['main llm.pre_call', 'main llm.pre_call', 'main session.start'],
  ])
  await session.close()
  expect(await shared.get(moments)).toEqual([])
  await runtime.close()
})
