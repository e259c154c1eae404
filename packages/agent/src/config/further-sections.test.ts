import { expect, test } from 'vitest'
import { createConfigWorld, gate } from './fixtures/config-world.ts'
import type { ConfigSection } from './section.ts'
import { text } from './shape/scalars.ts'

const wish: ConfigSection<string> = {
  name: 'wish',
  shape: text(),
  needsTrust: true,
}

test('a section that needs trust counts from a project only while its file is trusted', async () => {
  const world = await createConfigWorld()
  const file = await world.write('root/hookline.config.json', {
    hooks: [gate('theirs')],
    wish: 'more',
  })
  const options = { sections: [wish] }
  const untrusted = await world.load(options)
  expect(untrusted.sections).toEqual([])
  const [source] = untrusted.sources
  expect(untrusted.problems).toMatchObject([
    { code: 'needs-trust', severity: 'warning', file, line: 1, path: 'wish' },
  ])
  expect(untrusted.problems[0]?.message).toContain(source?.hash)
  // The rest of the file is as it is without it.
  expect(untrusted.hooks.map(({ name }) => name)).toEqual(['theirs'])
  const trusted = await world.load({
    ...options,
    isTrusted: ({ hash }) => hash === source?.hash,
  })
  expect(trusted.sections).toMatchObject([{ name: 'wish', value: 'more' }])
  expect(trusted.problems).toEqual([])
})

test('the same section needs no trust in the file of the user', async () => {
  const world = await createConfigWorld()
  await world.write('user/hooks.json', { wish: 'mine' })
  const { sections } = await world.load({ sections: [wish] })
  expect(sections).toMatchObject([{ value: 'mine', layer: 'user' }])
})

test('where no code is run, a file of code is refused, and a managed one is fatal', async () => {
  const world = await createConfigWorld()
  await world.write('user/hookline.config.js', 'while (true) {}')
  const user = await world.load({ runsCode: false })
  expect(user.problems).toMatchObject([{ code: 'code-failed', layer: 'user' }])
  expect(user.sources).toMatchObject([{ state: 'refused' }])
  expect(user.fatal).toBeUndefined()
  await world.write('managed/hookline.config.js', 'while (true) {}')
  const managed = await world.load({ runsCode: false })
  expect(managed.fatal).toMatchObject({ code: 'code-failed', layer: 'managed' })
})
