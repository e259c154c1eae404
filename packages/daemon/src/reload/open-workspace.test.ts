import { mkdir, realpath, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { scriptedModel } from '@hookline/agent/testing'
import { describe, expect, test, vi } from 'vitest'
import { makePlace, type Place, scripted } from './fixtures/place.ts'

vi.setConfig({ testTimeout: 60_000 })

/** What a tool tells an agent of a workspace that was just opened. */
async function callIn(
  place: Place,
  call: { readonly tool: string; readonly args: Record<string, string> },
  options: Parameters<Place['open']>[0] = {},
) {
  const models = scripted([{ calls: [call] }, { text: 'Done.' }])
  const { runtime } = await place.open({ models, ...options })
  const session = await runtime.openSession({ agent: 'main', cwd: place.root })
  await session.send('Go.').result
  const results = session.messages.flatMap((one) =>
    one.role === 'tool' ? one.content : [],
  )
  return JSON.stringify(results)
}

describe('without any configuration', () => {
  test('there is an agent with files, skills, memory, delegation and questions', async () => {
    const place = await makePlace()
    const skill = '---\nname: bake\ndescription: How to bake.\n---\nBake it.'
    await place.write('root/.hookline/skills/bake/SKILL.md', skill)
    await place.write(
      'user/skills/cook/SKILL.md',
      skill.replaceAll('bake', 'cook'),
    )
    const model = scriptedModel([{ text: 'Hello.' }])
    const workspace = await place.open({ models: { resolve: () => model } })
    expect(workspace.runtime.agents.map(({ name }) => name)).toEqual(['main'])
    const { root } = place
    const session = await workspace.runtime.openSession({
      agent: 'main',
      cwd: root,
    })
    const { status, text } = await session.send('Hi.').result
    expect({ status, text }).toEqual({ status: 'succeeded', text: 'Hello.' })
    const tools = model.requests[0]?.tools?.map(({ name }) => name)
    expect(tools).toEqual(
      expect.arrayContaining([
        ...['read', 'write', 'edit', 'glob', 'grep', 'shell'],
        ...['skill', 'delegate', 'ask_user'],
        ...['recall', 'remember', 'forget'],
      ]),
    )
    expect(workspace.skills?.list().map(({ name }) => name)).toEqual([
      'cook',
      'bake',
    ])
    expect(workspace.store.parts.database.dialect).toBe('sqlite')
  })

  test('a skill of the user is not another one because a project has one of its name', async () => {
    const place = await makePlace()
    const skill = '---\nname: bake\ndescription: OWNER bakes.\n---\nBake it.'
    const file = 'skills/bake/SKILL.md'
    await place.write(`user/${file}`, skill.replace('OWNER', 'The user'))
    await place.write(`root/.hookline/${file}`, skill)
    const { skills } = await place.open({ models: scripted([]) })
    const told = skills?.list().map(({ description }) => description)
    expect(told).toEqual(['The user bakes.'])
  })

  test('what writes is asked for', async () => {
    const place = await makePlace()
    const models = scripted([
      { calls: [{ tool: 'write', args: { path: 'x', content: 'x' } }] },
      { text: 'Done.' },
    ])
    const { runtime, store } = await place.open({ models })
    const session = await runtime.openSession({
      agent: 'main',
      cwd: place.root,
    })
    const turn = session.send('Go.')
    const pending = async () => (await store.approvals.pending()).items.length
    await expect.poll(pending).toBe(1)
    turn.cancel()
    await turn.result
  })
})

test('how often hooks keep an agent going, and how much they write, is as a file says', async () => {
  const place = await makePlace()
  const agent =
    '{name: a, limits: {maxContinues: 5}, budgets: {context: {maxEntries: 2}, sections: {maxCodePoints: 900}}}'
  await place.write('user/hookline.config.yaml', `agents:\n  - ${agent}`)
  const { runtime } = await place.open({ models: scripted([]) })
  expect(runtime.agents).toMatchObject([
    {
      name: 'a',
      limits: { maxContinues: 5 },
      budgets: { context: { maxEntries: 2 }, sections: { maxCodePoints: 900 } },
    },
  ])
})

test('no agent sees the state directory, also where it may use all around it', async () => {
  const place = await makePlace()
  await writeFile(join(place.home, 'token'), 'hkl_secret')
  const around = await realpath(join(place.home, '..'))
  const values = [{ policy: { mode: 'open', roots: ['.', around] } }]
  const path = join(place.home, 'token')
  const told = await callIn(place, { tool: 'read', args: { path } }, { values })
  expect(told).toContain('"isError":true')
  expect(told).not.toContain('hkl_secret')
})

test('a plugin that is switched off is not there', async () => {
  const place = await makePlace()
  const values = [{ plugins: { os: false, skills: false } }]
  const workspace = await place.open({ values })
  expect(workspace.skills).toBeUndefined()
  expect(workspace.switches.hooks.map(({ name }) => name)).not.toContain(
    'os:forget',
  )
})

test('skills that are written later are there without a restart', async () => {
  const place = await makePlace()
  const workspace = await place.open()
  const folder = join(place.root, '.hookline', 'skills', 'later')
  await mkdir(folder, { recursive: true })
  await writeFile(
    join(folder, 'SKILL.md'),
    '---\nname: later\ndescription: Later.\n---\nNow.',
  )
  await workspace.reload()
  expect(workspace.skills?.list().map(({ name }) => name)).toEqual(['later'])
})

test('what was opened is closed, also where opening fails in the middle', async () => {
  const place = await makePlace()
  await place.write(
    'user/hookline.config.yaml',
    'agents: [{name: a, model: test/x, core: nobody}]',
  )
  await expect(place.open()).rejects.toThrow('wants the core "nobody"')
  await place.write(
    'user/hookline.config.yaml',
    'agents: [{name: a, model: test/x}]',
  )
  const workspace = await place.open()
  await workspace.close()
  await workspace.close()
})
