import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { readyModels, scriptedModels } from './scripted-models.ts'

let folder: string

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hookline-scripts-'))
  await writeFile(join(folder, 'agent.yaml'), '- text: Done.\n')
  await writeFile(join(folder, 'judge.yaml'), '- text: Fine.\n')
})

afterEach(async () => await rm(folder, { recursive: true }))

test('a hook that asks a model may have a script of its own beside the agent', async () => {
  const name = `script:${join(folder, 'agent.yaml')}`
  const models = await scriptedModels({ HOOKLINE_MODEL: name })
  const judge = `script:${join(folder, 'judge.yaml')}`
  const [agent, first, again] = await Promise.all([
    models?.resolve(name),
    models?.resolve(judge),
    models?.resolve(judge),
  ])
  expect(first).toBeDefined()
  // It goes on where it was, whoever asks.
  expect(again).toBe(first)
  expect(first).not.toBe(agent)
})

test('a script that is not there is said on use; at once where the agent is to take turns', async () => {
  const missing = `script:${join(folder, 'none.yaml')}`
  const told = /none\.yaml" cannot be read/
  const env = { HOOKLINE_MODEL: missing }
  await expect(readyModels(env)).rejects.toThrow(told)
  const models = await scriptedModels(env)
  await expect(models?.resolve(missing)).rejects.toThrow(told)
  const name = `script:${join(folder, 'agent.yaml')}`
  const ready = await readyModels({ HOOKLINE_MODEL: name })
  await expect(ready?.resolve(missing)).rejects.toThrow(told)
})

test('without one there is nothing to say', async () => {
  expect(await scriptedModels({})).toBeUndefined()
  expect(await scriptedModels({ HOOKLINE_MODEL: 'a/b' })).toBeUndefined()
  expect(await readyModels({})).toBeUndefined()
})
