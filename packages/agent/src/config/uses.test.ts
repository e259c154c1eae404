import { Ajv } from 'ajv'
import { expect, test, vi } from 'vitest'
import { createConfigSchema } from './config-schema.ts'
import { catalogue } from './fixtures/catalogue.ts'
import { createConfigWorld, gate } from './fixtures/config-world.ts'
import type { LoadOptions } from './loader.ts'

const file = 'user/hooks.yaml'

async function load(text: string, options: LoadOptions = { catalogue }) {
  const world = await createConfigWorld()
  await world.write(file, text)
  return await world.load(options)
}

test('a use is an entry with a name of its own, or that of what it uses', async () => {
  const { hooks, problems } = await load(`hooks:
  - use: limit
    options: { calls: 4, tools: { shell: 1 } }
  - { use: watch, name: onlooker, priority: 10, mode: evaluate, timeoutMs: 5 }
`)
  expect(problems).toEqual([])
  expect(hooks).toMatchObject([
    {
      name: 'limit',
      line: 2,
      definition: {
        use: 'limit',
        options: { calls: 4, tools: { shell: 1 } },
      },
    },
    { name: 'onlooker', line: 4, definition: { options: {}, priority: 10 } },
  ])
})

test.each([
  [
    'an unknown entry',
    'use: limt\n    options: { calls: 1 }',
    { code: 'unknown-entry', line: 2, column: 10, suggestion: 'limit' },
  ],
  [
    'an unknown option',
    'use: limit\n    options: { calls: 1, tool: {} }',
    { code: 'unknown-key', line: 3, column: 26, suggestion: 'tools' },
  ],
  [
    'a wrong value',
    'use: limit\n    options:\n      calls: 1001',
    {
      code: 'wrong-value',
      line: 4,
      column: 14,
      path: 'hooks[0].options.calls',
    },
  ],
  [
    'a wrong word',
    'use: limit\n    options: { calls: 1, per: sesion }',
    { code: 'wrong-value', line: 3, suggestion: 'session' },
  ],
  [
    'a value deep inside',
    'use: limit\n    options: { calls: 1, tools: { a: -1 } }',
    { code: 'wrong-value', path: 'hooks[0].options.tools.a' },
  ],
  [
    'no options where some are needed',
    'use: limit',
    { code: 'missing-key', path: 'hooks[0].options' },
  ],
  [
    'options that are none',
    'use: limit\n    options: 4',
    { code: 'wrong-type', line: 3, path: 'hooks[0].options' },
  ],
  [
    'a misspelt use',
    'uses: limit\n    options: { calls: 1 }',
    { code: 'unknown-key', line: 2, suggestion: 'use' },
  ],
  [
    'a key of other hooks',
    'use: limit\n    options: { calls: 1 }\n    on: tool.guard',
    { code: 'unknown-key', line: 4, path: 'hooks[0].on' },
  ],
  [
    'a name that is none of a plugin',
    'use: limit\n    options: { calls: 1 }\n    name: "a:b"',
    { code: 'wrong-value', line: 4, path: 'hooks[0].name' },
  ],
])(
  '%s takes the file out, and is said with its place',
  async (_, entry, problem) => {
    const { hooks, problems } = await load(`hooks:\n  - ${entry}\n`)
    expect(hooks).toEqual([])
    expect(problems).toContainEqual(
      expect.objectContaining({ severity: 'error', ...problem }),
    )
  },
)

test('what only watches is left out alone', async () => {
  const { hooks, problems } = await load(`hooks:
  - { use: watch, options: { isLout: true } }
  - { use: limit, options: { calls: 1 } }
`)
  expect(hooks).toMatchObject([{ name: 'limit' }])
  expect(problems).toMatchObject([
    { severity: 'warning', suggestion: 'isLoud', line: 2 },
  ])
})

test('two uses of one entry need two names, and say so', async () => {
  const { hooks, problems } = await load(`hooks:
  - { use: limit, options: { calls: 1 } }
  - { use: limit, options: { calls: 2 } }
`)
  expect(hooks).toEqual([])
  expect(problems).toMatchObject([
    {
      code: 'duplicate-name',
      line: 3,
      message: expect.stringMatching(/"limit".*line 2.*`name`/),
    },
  ])
})

test('uses that mean the same are one, and who names a hook of the other means it', async () => {
  const { hooks, problems } = await load(`hooks:
  - { use: limit, options: { calls: 1 } }
  - { use: limit, name: second, options: { calls: 1 }, description: Again. }
  - { name: last, on: tool.guard, after: ["second:tools"], handler: { type: builtin, name: x } }
`)
  expect(problems).toMatchObject([{ code: 'same-hook', severity: 'warning' }])
  expect(hooks.map(({ name }) => name)).toEqual(['limit', 'last'])
  expect(hooks[1]?.definition).toMatchObject({ after: ['limit:tools'] })
})

test('a use is switched off by its name, and a managed one by nobody below', async () => {
  const world = await createConfigWorld()
  const hooks = (name: string) => [
    { use: 'limit', name, options: { calls: 1 } },
  ]
  await world.write('managed/hooks.json', { hooks: hooks('house') })
  await world.write('user/hooks.json', {
    hooks: [{ use: 'limit', name: 'mine', options: { calls: 2 } }],
    disable: ['mine', 'house', 'house:tools'],
  })
  const config = await world.load({ catalogue })
  expect(config.hooks).toMatchObject([
    { name: 'house', definition: {} },
    { name: 'mine', definition: { disabled: true } },
  ])
  expect(config.hooks[0]?.definition.disabled).toBeUndefined()
  expect(config.problems).toMatchObject([
    { code: 'managed-hook', path: 'disable[1]' },
    { code: 'unknown-name', severity: 'warning' },
  ])
})

test.each([
  ['more calls', { options: { calls: 100 } }],
  [
    'fewer calls, which may be more of something else',
    { options: { calls: 1 } },
  ],
  ['another entry', { use: 'watch', options: {} }],
  ['only looking', { mode: 'evaluate' }],
  ['off', { disabled: true }],
  ['less time', { timeoutMs: 1 }],
  ['another place', { priority: 1_000_000 }],
  ['a hook in its place', gate('house')],
])('a managed use cannot be loosened: %s', async (_, change) => {
  const world = await createConfigWorld()
  const use = { use: 'limit', name: 'house', options: { calls: 4 } }
  const other = 'on' in change ? change : { ...use, ...change }
  await world.write('managed/hooks.json', { hooks: [use] })
  await world.write('root/hookline.config.json', { hooks: [other] })
  const isTrusted = () => true
  const { hooks, problems } = await world.load({ catalogue, isTrusted })
  expect(hooks).toMatchObject([{ layer: 'managed', definition: use }])
  expect(hooks[0]?.definition).toEqual(use)
  expect(problems).toMatchObject([{ code: 'managed-hook', layer: 'project' }])
})

test('a managed use that is off can be switched on below', async () => {
  const world = await createConfigWorld()
  const use = { use: 'limit', options: { calls: 4 } }
  await world.write('managed/hooks.json', {
    hooks: [{ ...use, disabled: true }],
  })
  await world.write('user/hooks.json', { hooks: [use] })
  const { hooks, problems } = await world.load({ catalogue })
  expect(problems).toEqual([])
  expect(hooks).toMatchObject([{ layer: 'managed', tightenedBy: [{}] }])
  expect(hooks[0]?.definition.disabled).toBeUndefined()
})

test('a catalogue is loaded for files that use it, and once', async () => {
  const loads = vi.fn(async () => catalogue)
  const world = await createConfigWorld()
  await world.write(
    file,
    'hooks: [{ on: event, handler: { type: builtin, name: x } }]',
  )
  await world.load({ catalogue: loads })
  expect(loads).not.toHaveBeenCalled()
  await world.write(file, 'hooks: [{ use: watch }]')
  await world.write(
    'root/hookline.config.yaml',
    'hooks: [{ use: watch, name: other, options: { isLoud: true } }]',
  )
  expect((await world.load({ catalogue: loads })).hooks).toHaveLength(2)
  expect(loads).toHaveBeenCalledOnce()
})

test('without a catalogue any entry will do', async () => {
  const { hooks, problems } = await load('hooks: [{ use: anything }]', {})
  expect(problems).toEqual([])
  expect(hooks).toMatchObject([{ name: 'anything' }])
})

const deep = (levels: number): string =>
  levels === 0 ? '1' : `{"a":${deep(levels - 1)}}`

test.each([
  ['a prototype', '{"__proto__":{"calls":1}}', 'forbidden-key'],
  ['a constructor', '{"calls":1,"constructor":{}}', 'forbidden-key'],
  ['what every object has', '{"calls":1,"hasOwnProperty":1}', 'unknown-key'],
  ['a key twice', '{"calls":1,"calls":2}', 'duplicate-key'],
  ['great depth', deep(5_000), 'too-deep'],
  ['great length', `{"calls":1,"x":"${'x'.repeat(3_000_000)}"}`, 'too-large'],
  ['no number', '{"calls":1e999}', ''],
])('options with %s are refused', async (_, options, code) => {
  const world = await createConfigWorld()
  await world.write(
    'user/hooks.json',
    `{"hooks":[{"use":"limit","options":${options}}]}`,
  )
  const { hooks, problems } = await world.load({ catalogue })
  expect(hooks).toEqual([])
  expect(problems.map((problem) => problem.code).join()).toContain(code)
  expect(JSON.stringify(problems).length).toBeLessThan(5_000)
})

test('a name that every object has is no entry', async () => {
  const { problems } = await load('hooks: [{ use: constructor }]')
  expect(problems).toMatchObject([{ code: 'unknown-entry' }])
})

test('a project says nothing in options that it may not say elsewhere', async () => {
  const world = await createConfigWorld()
  const hooks = [{ use: 'limit', options: { calls: 1, apiKey: 'x' } }]
  await world.write('root/hookline.config.json', { hooks })
  const { problems } = await world.load({ catalogue })
  expect(problems).toMatchObject([{ code: 'refused-key', layer: 'project' }])
})

const validate = new Ajv({
  strict: true,
  strictRequired: false,
  strictTypes: false,
}).compile(createConfigSchema({ catalogue }))

test.each<[boolean, object]>([
  [true, { use: 'limit', options: { calls: 1 } }],
  [true, { use: 'watch', name: 'x', mode: 'evaluate', disabled: true }],
  [true, { use: 'watch', options: { words: ['a'] } }],
  [false, { use: 'limit' }],
  [false, { use: 'limit', options: {} }],
  [false, { use: 'limit', options: { calls: 1, tols: {} } }],
  [false, { use: 'watch', options: { calls: 1 } }],
  [false, { use: 'other' }],
  [false, { use: 'watch', name: 'A' }],
  [false, { use: 'watch', priority: 1e9 }],
  [false, { use: 'watch', on: 'event' }],
  [false, { use: 7 }],
])('the loader and the schema agree (%s): %j', async (isRight, entry) => {
  const content = { hooks: [entry] }
  const { problems } = await load(JSON.stringify(content))
  expect(problems.length === 0).toBe(isRight)
  expect(validate(content)).toBe(isRight)
})

test('the schema tells editors what can be used, and what for', () => {
  const { definitions, properties } = JSON.parse(
    JSON.stringify(createConfigSchema({ catalogue })),
  )
  const named = [
    { const: 'limit', description: 'No more than so many calls.' },
    { const: 'watch', description: 'Looks on.' },
  ]
  expect(definitions.use.properties.use.oneOf).toEqual(named)
  expect(properties.hooks.items.properties.use.oneOf).toEqual(named)
  const [limit] = definitions.use.allOf
  expect(limit.then.properties.options.properties.calls).toMatchObject({
    description: 'How many.',
  })
})

test('a catalogue with one name twice, or a name that is none, is refused', async () => {
  const [entry] = catalogue
  if (entry === undefined) throw new Error('There is none.')
  const text = 'hooks: [{ use: limit, options: { calls: 1 } }]'
  const said = async (given: LoadOptions['catalogue'] & object) => {
    const { hooks, problems } = await load(text, { catalogue: given })
    expect(hooks).toEqual([])
    return problems.map(({ code, message }) => `${code}: ${message}`).join()
  }
  const twice = [entry, { ...entry, description: 'Another.' }]
  expect(await said(twice)).toMatch(/^unknown-entry: .*Two entries/)
  expect(await said([{ ...entry, name: 'Limit' }])).toContain('no name')
  const gone = () => Promise.reject(new Error('It is gone.'))
  expect(await said(gone)).toContain('It is gone.')
})
