import { expect, test } from 'vitest'
import { openWorld, runner } from './fixtures/open-world.ts'
import { ask } from './fixtures/strict-output.ts'

const guard = (on: string) =>
  `hooks:\n  - { name: guard, on: ${on}, handler: { type: command, argv: ['true'] } }\n`
const dialects = 'dialects: [{ dialect: claude-code, file: settings.json }]\n'

test('each file of the project that is wrong is told with its first reason', async () => {
  const { operations, place } = await openWorld({
    files: {
      'root/.hookline/hooks.yaml': `${guard('nowhere')}more: 1\n`,
      'root/hookline.config.yaml': guard('tool.guard'),
    },
  })
  const { broken } = await ask(operations, 'getConfig', {}, runner)
  expect(broken).toEqual([
    expect.objectContaining({
      file: `${place.root}/.hookline/hooks.yaml`,
      line: 2,
      message: expect.stringContaining('"nowhere"'),
    }),
  ])
})

test.each(['{', '[]', '{"hooks": []}'])(
  'a hook file of another product (%j) is told where the project names it, not where the user does',
  async (text) => {
    const { operations, place } = await openWorld({
      files: {
        'root/.hookline/hooks.yaml': dialects,
        'root/.hookline/settings.json': text,
        'user/hooks.yaml': dialects,
        'user/settings.json': text,
      },
    })
    const { broken } = await ask(operations, 'getConfig', {}, runner)
    const files = broken.map(({ file }) => file)
    expect(files).toEqual([`${place.root}/.hookline/settings.json`])
  },
)

test('a file whose last right words stay in force is not told', async () => {
  const path = 'root/.hookline/hooks.yaml'
  const { operations, place, workspace } = await openWorld({
    files: { [path]: guard('tool.guard') },
  })
  await place.write(path, guard('nowhere'))
  await workspace.reload()
  const state = await ask(operations, 'getConfig', {}, runner)
  expect(state.sources).toContainEqual(
    expect.objectContaining({ state: 'kept' }),
  )
  expect(state.broken).toEqual([])
})
