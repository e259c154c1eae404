import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { scriptedModels } from './scripted-models.ts'

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

test('a script that is not there is said at once for the agent, and on use for others', async () => {
  const missing = `script:${join(folder, 'none.yaml')}`
  await expect(scriptedModels({ HOOKLINE_MODEL: missing })).rejects.toThrow(
    /none\.yaml" cannot be read/,
  )
  const name = `script:${join(folder, 'agent.yaml')}`
  const models = await scriptedModels({ HOOKLINE_MODEL: name })
  await expect(models?.resolve(missing)).rejects.toThrow(/cannot be read/)
})

test('without one there is nothing to say', async () => {
  expect(await scriptedModels({})).toBeUndefined()
  expect(await scriptedModels({ HOOKLINE_MODEL: 'a/b' })).toBeUndefined()
})
