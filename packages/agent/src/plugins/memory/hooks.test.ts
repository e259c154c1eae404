import { expect, test } from 'vitest'
import { createRuntime, createTransientMemories } from '../../index.ts'
import { createMemoryPlugin } from './create-memory-plugin.ts'

const memories = createTransientMemories()
const main = { name: 'main', model: 'x', instructions: '' }

async function describeHooks() {
  const plugins = [createMemoryPlugin({ memories })]
  const runtime = createRuntime({ plugins })
  await runtime.register({ ...main, plugins: { memory: {} } })
  const { hooks } = runtime.tableOf('main')
  await runtime.close()
  return hooks.filter(({ name }) => name.startsWith('memory:'))
}

const common = {
  match: 'a predicate',
  priority: 100,
  after: [],
  before: [],
  needs: [],
  onFailure: 'open',
  writes: false,
  beforeWrites: false,
  holdBack: 'all',
  visibility: 'internal',
  mode: 'enforce',
  disabled: false,
}

function described(name: string, point: string, rest: object) {
  const handler = { id: name, kind: 'code', version: '1' }
  return { ...common, name, point, handler, ...rest }
}

const blocking = { execution: 'blocking', timeoutMs: 30_000 }
const soon = { execution: { deadlineMs: 1_000 }, timeoutMs: 1_000 }

test('the six hooks are what they are', async () => {
  const hooks = await describeHooks()
  const life = ['memory:register', 'memory:unregister']
  const six = hooks.filter(({ name }) => !life.includes(name))
  expect(six).toEqual([
    described('memory:policy', 'turn.pre_policy', {
      ...blocking,
      capabilities: ['policy'],
    }),
    described('memory:deterministic-recall', 'turn.pre_prompt_context', {
      ...soon,
      capabilities: ['context'],
    }),
    described('memory:tools', 'turn.pre_tool_materialization', {
      ...blocking,
      capabilities: ['tools'],
    }),
    described('memory:active-recall', 'turn.post_preflight_prompt_context', {
      ...soon,
      capabilities: ['context'],
    }),
    described('memory:prompt-contract', 'turn.pre_prompt_compile', {
      ...blocking,
      capabilities: ['section'],
    }),
    described('memory:extractor', 'turn.post_turn', {
      execution: 'background',
      timeoutMs: 30_000,
      idempotent: true,
      retry: { type: 'fixed', delayMs: 1_000, maxAttempts: 3 },
      capabilities: ['audit'],
    }),
  ])
})
