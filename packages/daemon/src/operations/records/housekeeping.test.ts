import { defineHook, proceed } from 'hookline'
import { toolGuard } from 'hookline/lifecycle'
import { expect, test, vi } from 'vitest'
import { admin, longMs, openWorld } from '../fixtures/open-world.ts'
import { ask } from '../fixtures/strict-output.ts'

vi.setConfig({ testTimeout: longMs })

const guard = defineHook({ name: 'guard', on: toolGuard, run: () => proceed })

const hooksOf = ({ items }: { readonly items: readonly { hook: string }[] }) =>
  items.map(({ hook }) => hook)

test('what plugins do for every process is listed for whoever asks for it', async () => {
  const off = { os: false, skills: false, delegate: false }
  const config = { plugins: { ...off, memory: {} } }
  const { operations, callTool } = await openWorld({ hooks: [guard], config })
  await callTool({ command: 'ls' })
  const list = async (input = {}) =>
    hooksOf(await ask(operations, 'listRuns', input, admin))
  expect(await list()).toEqual(['guard'])
  const registered = ['memory:register']
  const unique = async (input: object) => [...new Set(await list(input))]
  expect(await unique({ point: 'agent.register' })).toEqual(registered)
  expect(await unique({ hook: 'memory:register' })).toEqual(registered)
  expect(await unique({ search: 'register' })).toEqual(registered)
})
