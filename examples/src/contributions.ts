import assert from 'node:assert/strict'

// #region contributions
import { compileTable, createEngine, defineHook, proceed } from 'hookline'
import {
  mergeContext,
  promptContext,
  turnPrePromptContext,
} from 'hookline/lifecycle'

const openTasks = defineHook({
  name: 'open-tasks',
  on: turnPrePromptContext,
  capabilities: ['context'],
  async run(_, { contribute }) {
    const content = 'Two tasks are open: the release notes, the migration.'
    contribute(promptContext({ id: 'tasks', domain: 'work', content }))
    return proceed
  },
})

const engine = createEngine(compileTable([openTasks]))
const input = { content: [], history: [], policies: [], model: 'any' }
const { contributions } = await engine.run(turnPrePromptContext, input)
const { entries } = mergeContext(contributions.of(promptContext))
// #endregion

assert.deepEqual(
  entries.map(({ hook }) => hook),
  ['open-tasks'],
)
