import type { AgentConfig } from 'hookline/lifecycle'
import { createFakeClock } from 'hookline/testing'
import { describe, expect, test } from 'vitest'
import {
  createMemoryApprovals,
  createPolicy,
  createRuntime,
  defineTool,
  type PendingApproval,
  type PolicyMode,
} from '../../index.ts'
import { type ScriptStep, scriptedModel } from '../../testing/index.ts'
import { createDelegatePlugin } from './create-delegate-plugin.ts'

const day = 24 * 3_600_000

const tasks = [{ agent: 'helper', task: 'Write it.' }]
const handsOn: readonly ScriptStep[] = [
  { calls: [{ tool: 'delegate', id: 'd1', args: { tasks } }] },
  { text: 'Done.' },
]
const writes: readonly ScriptStep[] = [
  { calls: [{ tool: 'write', id: 'w1' }] },
  { calls: [{ tool: 'write', id: 'w2' }] },
  { text: 'Written.' },
]

/** Hands a task on to another one, whose writes take long or are asked about. */
async function open(limits: AgentConfig['limits'] = {}, mode = 'ask-writes') {
  const clock = createFakeClock()
  const approvals = createMemoryApprovals({ clock, expiresMs: 7 * day })
  const writing: ((said: string) => void)[] = []
  const write = defineTool({
    name: 'write',
    description: 'Writes.',
    input: { type: 'object' },
    safety: 'mutating',
    execute: () => new Promise<string>((resolve) => writing.push(resolve)),
  })
  const models = {
    main: scriptedModel(handsOn, { clock }),
    helper: scriptedModel(writes, { clock }),
  }
  const runtime = createRuntime({
    clock,
    approvals,
    policy: createPolicy({ mode: mode as PolicyMode }),
    models: { resolve: (name) => models[name as keyof typeof models] },
    tools: [write],
    plugins: [createDelegatePlugin()],
    environment: '',
  })
  const helper = { name: 'helper', model: 'helper', instructions: '' }
  await runtime.register(helper)
  await runtime.register({ ...helper, name: 'main', model: 'main', limits })
  const session = await runtime.openSession({ agent: 'main', id: 's' })
  const told = () =>
    JSON.stringify(models.main.requests.at(-1)?.messages.at(-1)?.content)
  return { clock, approvals, writing, session, told }
}

describe('a call that hands work on', () => {
  test('is not ended while a sub-agent waits for a person, however long that takes', async () => {
    const stage = await open({ maxWallMs: 60_000 })
    const { clock, approvals, writing, session, told } = stage
    const { result } = session.send('Go.')
    for (const count of [1, 2]) {
      await expect.poll(() => approvals.pending()).toHaveLength(1)
      const [{ question }] = approvals.pending() as [PendingApproval]
      await clock.advance(3 * day)
      approvals.answer(question.id, { type: 'allow' }, 'ann')
      await expect.poll(() => writing).toHaveLength(count)
      writing.at(-1)?.('written')
    }
    expect(await result).toMatchObject({ status: 'succeeded' })
    expect(told()).toContain('Task 1 succeeded.\\nWritten.')
  })

  test('has the time that those have who work for it', async () => {
    const { clock, writing, session, told } = await open({}, 'open')
    const { result } = session.send('Go.')
    for (const count of [1, 2]) {
      await expect.poll(() => writing).toHaveLength(count)
      await clock.advance(100_000)
      writing.at(-1)?.('written')
    }
    expect(await result).toMatchObject({ status: 'succeeded' })
    expect(told()).toContain('Task 1 succeeded.\\nWritten.')
  })

  test('is ended by the limit of its own turn while they work', async () => {
    const { clock, writing, session } = await open({ maxWallMs: 1_000 }, 'open')
    const { result } = session.send('Go.')
    await expect.poll(() => writing).toHaveLength(1)
    await clock.advance(1_000)
    await clock.advance(60_000)
    expect(await result).toMatchObject({ status: 'limited' })
  })

  test('ends with its turn while a sub-agent waits for a person', async () => {
    const { approvals, session } = await open()
    const turn = session.send('Go.')
    await expect.poll(() => approvals.pending()).toHaveLength(1)
    turn.cancel('Enough.')
    expect(await turn.result).toMatchObject({ status: 'cancelled' })
    expect(approvals.pending()).toEqual([])
  })
})
