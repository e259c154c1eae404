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
  'a hook file of another product (%j) is told with whose it is, and logged',
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
    const { root, user, lines } = place
    expect(broken.map(({ file, layer }) => [layer, file])).toEqual([
      ['user', `${user}/settings.json`],
      ['project', `${root}/.hookline/settings.json`],
    ])
    for (const { file } of broken) {
      const told = { event: 'config-problem', severity: 'error', file, line: 1 }
      expect(lines).toContainEqual(expect.objectContaining(told))
    }
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

test('F117 F118 a hook file of another product that stays in force as it was is told as the reason, and logged', async () => {
  const { operations, place, workspace } = await openWorld({
    files: { 'user/hooks.yaml': dialects, 'user/settings.json': '{}' },
  })
  const file = await place.write('user/settings.json', '{"hooks" {}}')
  await workspace.reload()
  const state = await ask(operations, 'getConfig', {}, runner)
  expect(state.broken).toEqual([])
  expect(state.refusal).toContain(`${file}:1:`)
  expect(place.lines).toContainEqual(
    expect.objectContaining({
      event: 'config-refused',
      refusal: state.refusal,
    }),
  )
  await place.write('user/settings.json', '{}')
  expect((await workspace.reload()).refusal).toBeUndefined()
})
