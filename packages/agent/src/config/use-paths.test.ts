import { expect, test } from 'vitest'
import { shippedHooks as hooks } from '../hooks.ts'
import type { CatalogueEntry } from './catalogue.ts'
import { createConfigWorld } from './fixtures/config-world.ts'

const cedar = { use: 'cedar', options: { file: 'policy.cedar' } }
const opa = { use: 'opa', options: { policy: 'policy.wasm' } }
const auditLog = { use: 'audit-log', options: { file: 'audit.jsonl' } }

async function loadFiles(files: Readonly<Record<string, object>>, given = {}) {
  const world = await createConfigWorld()
  for (const [file, use] of Object.entries(files)) {
    await world.write(file, { hooks: [use] })
  }
  const config = await world.load({ catalogue: hooks, ...given })
  const { problems } = config
  return {
    config,
    names: config.hooks.map(({ name }) => name),
    codes: problems.map(({ code }) => code),
  }
}

test.each([cedar, opa, auditLog])(
  'uses whose options name a file in two folders are two: %j',
  async (use) => {
    const theirs = { ...use, name: 'theirs' }
    const { names, codes } = await loadFiles({
      'user/hooks.json': use,
      'root/.hookline/hooks.json': theirs,
    })
    expect([names, codes]).toEqual([[use.use, 'theirs'], []])
    const beside = await loadFiles({
      'root/hookline.config.json': use,
      'root/.hookline/hooks.json': theirs,
    })
    expect(beside.names.toSorted()).toEqual([use.use, 'theirs'].toSorted())
  },
)

test.each([
  { use: 'cedar', options: { file: '/etc/policy.cedar' } },
  {
    use: 'cedar',
    options: { policies: 'permit (principal, action, resource);' },
  },
  { use: 'secret-scan', options: { action: 'reject' } },
])(
  'uses whose options name no file, or one wherever they are, run once: %j',
  async (use) => {
    const { names, codes } = await loadFiles({
      'user/hooks.json': use,
      'root/.hookline/hooks.json': { ...use, name: 'theirs' },
    })
    expect([names, codes]).toEqual([[use.use], ['same-hook']])
  },
)

test('a use with the name of another one whose file is in another folder does not count, and that is told', async () => {
  const { names, codes } = await loadFiles({
    'user/hooks.json': cedar,
    'root/.hookline/hooks.json': cedar,
  })
  expect([names, codes]).toEqual([['cedar'], ['shadowed']])
})

test('T04 nobody makes a managed use stricter with a file of a folder of his own', async () => {
  const { config, names, codes } = await loadFiles({
    'managed/hooks.json': cedar,
    'user/hooks.json': cedar,
  })
  expect([names, codes]).toEqual([['cedar'], ['managed-hook']])
  expect(config.hooks[0]?.tightenedBy).toBeUndefined()
})

test('where nobody says what options are, any text may be a path', async () => {
  const files = (options: object) => ({
    'user/hooks.json': { use: 'x', options },
    'root/.hookline/hooks.json': { use: 'x', name: 'theirs', options },
  })
  const catalogue = undefined
  const { names } = await loadFiles(files({ deep: [{ a: 'b' }] }), {
    catalogue,
  })
  expect(names).toEqual(['x', 'theirs'])
  const same = await loadFiles(files({ deep: [{ a: 1 }, '/b'] }), { catalogue })
  expect(same.names).toEqual(['x'])
})

test('an entry that cannot say which paths it has may have some', async () => {
  const [spec] = hooks.filter(({ name }) => name === 'secret-scan')
  const broken = {
    ...spec,
    paths() {
      throw new Error('broken')
    },
  } as unknown as CatalogueEntry
  const use = { use: 'secret-scan', options: { action: 'reject' } }
  const { names } = await loadFiles(
    {
      'user/hooks.json': use,
      'root/.hookline/hooks.json': { ...use, name: 'theirs' },
    },
    { catalogue: [broken] },
  )
  expect(names).toEqual(['secret-scan', 'theirs'])
})
