import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import {
  admin,
  agent,
  longMs,
  openWorld,
  runner,
} from '../fixtures/open-world.ts'
import { ask } from '../fixtures/strict-output.ts'

vi.setConfig({ testTimeout: longMs })

const files = {
  'managed/hooks.yaml': `hooks:
  - use: call-limit
    name: house
    options: {tools: {probe: 1}, modelCalls: 9, per: session}
`,
  'user/hooks.yaml': `hooks:
  - {use: call-limit, name: sleeping, options: {toolCalls: 1}, disabled: true}
  - {use: call-limit, name: empty}
`,
  'root/.hookline/hooks.yaml': `hooks:
  - {use: call-limit, name: of-project, options: {toolCalls: 7}}
`,
}

test('hooks of a use are listed with the use, its entry and its place', async () => {
  const { operations, place } = await openWorld({ files })
  const { items } = await ask(operations, 'listHooks', { agent }, runner)
  const by = (name: string) => items.find((hook) => hook.name === name)
  const from = (use: string, name: string, line: number) => ({
    source: { kind: 'file', file: expect.stringContaining(name), line, use },
    handler: { id: 'call-limit', kind: 'use' },
  })
  expect(by('house:tools')).toMatchObject({
    ...from('house', 'managed/hooks.yaml', 2),
    ...{ point: 'tool.guard', isEnabled: true, isManaged: true },
  })
  expect(by('house:models')).toMatchObject({
    point: 'llm.pre_call',
    isManaged: true,
  })
  expect(by('house')).toBeUndefined()
  const user = 'user/hooks.yaml'
  expect(by('sleeping')).toMatchObject({
    ...from('sleeping', user, 2),
    ...{ isEnabled: false, disabledBy: 'its own definition' },
  })
  expect(by('empty')).toMatchObject({
    ...from('empty', user, 3),
    ...{ isEnabled: false, disabledBy: 'its options ask for nothing' },
  })
  expect(by('of-project')).toMatchObject({
    ...from('of-project', place.root, 2),
    ...{
      isEnabled: false,
      disabledBy: expect.stringContaining('nobody trusts'),
    },
  })
})

test('a managed use acts, and none of its hooks is switched off by hand', async () => {
  const { operations, callTool } = await openWorld({ files })
  expect(await callTool({})).toContain('it ran')
  expect(await callTool({})).toContain('no more')
  const off = { name: 'house:tools', isEnabled: false }
  await expect(ask(operations, 'setHook', off, admin)).rejects.toThrow(
    'managed',
  )
})

test('a use is switched as a whole, and in one step', async () => {
  const own = {
    'user/hooks.yaml': `hooks:
  - {use: call-limit, name: mine, options: {toolCalls: 0, modelCalls: 9}}
`,
  }
  const { operations, callTool } = await openWorld({ files: own })
  expect(await callTool({})).toContain('no more')
  const off = { use: 'mine', isEnabled: false, reason: 'too strict' }
  const { items } = await ask(operations, 'setUse', off, admin)
  expect(items.map(({ name, isEnabled }) => [name, isEnabled])).toEqual([
    ['mine:models', false],
    ['mine:tools', false],
  ])
  expect(items[0]?.disabledBy).toContain('too strict')
  expect(await callTool({})).toContain('it ran')
  const on = { use: 'mine', isEnabled: true }
  await ask(operations, 'setUse', on, admin)
  expect(await callTool({})).toContain('no more')
})

test('a use that is managed stays whole, and one that is not there is no use', async () => {
  const { operations } = await openWorld({ files })
  const set = (use: string) =>
    ask(operations, 'setUse', { use, isEnabled: false }, admin)
  await expect(set('house')).rejects.toThrow('managed')
  await expect(set('nobody')).rejects.toThrow('There is no use "nobody"')
  const nothing = ask(operations, 'setUse', { use: 'house' }, admin)
  await expect(nothing).rejects.toThrow('Nothing is said')
  const { items } = await ask(operations, 'listHooks', {}, runner)
  const house = items.filter(({ source }) => source.use === 'house')
  expect(house.every(({ isEnabled }) => isEnabled)).toBe(true)
})

test('a plan, a check and a trial know them', async () => {
  const { operations } = await openWorld({ files })
  const point = { point: 'tool.guard', agent }
  const plan = await ask(operations, 'explainHooks', point, runner)
  expect(plan.steps).toMatchObject([
    { name: 'house:tools', source: { use: 'house' } },
  ])
  const { items } = await ask(operations, 'checkHooks', {}, admin)
  const house = items.find(({ hook }) => hook === 'house:tools')
  expect(house?.checks).toContainEqual({
    ...{ name: 'handler', level: 'ok' },
    message: 'Its entry "call-limit" can be used.',
  })
  const tried = { hook: 'house:tools', tool: 'probe', args: {} }
  const { answer } = await ask(operations, 'testHook', tried, admin)
  expect(answer).toMatchObject({ state: 'completed', answer: 'proceed' })
})

test('what somebody trusts acts from then on', async () => {
  const only = 'root/.hookline/hooks.yaml'
  const hooks = 'hooks: [{use: call-limit, options: {toolCalls: 0}}]'
  const { operations, callTool } = await openWorld({ files: { [only]: hooks } })
  expect(await callTool({})).toContain('it ran')
  const { items } = await ask(operations, 'listUntrusted', {}, admin)
  expect(items).toMatchObject([
    { name: 'call-limit', file: expect.stringContaining('hooks.yaml') },
  ])
  const hashes = items.map(({ hash }) => hash)
  await ask(operations, 'trust', { hashes }, admin)
  expect(await callTool({})).toContain('no more')
})

test('one that is only written down is tried as others are', async () => {
  const { operations, callTool } = await openWorld()
  const folder = await mkdtemp(join(tmpdir(), 'hookline-use-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const file = join(folder, 'hooks.yaml')
  await writeFile(file, '')
  await callTool({})
  const options = { toolCalls: 0, modelCalls: 1 }
  const hook = { use: 'call-limit', name: 'tried', options }
  const moment = { hook, file, tool: 'probe', args: {} }
  await expect(ask(operations, 'testHook', moment, admin)).rejects.toThrow(
    'several hooks; say which: tried:tools, tried:models',
  )
  const one = { ...moment, part: 'tried:tools' }
  const { answer } = await ask(operations, 'testHook', one, admin)
  expect(answer).toMatchObject({ answer: 'reject' })
  const back = { hook, file, part: 'tried:tools', since: 0 }
  expect(await ask(operations, 'backtest', back, admin)).toMatchObject({
    point: 'tool.guard',
  })
  const wrong = { ...moment, hook: { use: 'call-limt' } }
  await expect(ask(operations, 'testHook', wrong, admin)).rejects.toThrow(
    'did you mean "call-limit"',
  )
  const untrusted = { hook: { use: 'call-limit', options: { toolCalls: 0 } } }
  await expect(
    ask(operations, 'testHook', { ...untrusted, tool: 'probe' }, admin),
  ).rejects.toThrow('Nobody trusts')
})
