import { Ajv } from 'ajv'
import { points } from 'hookline/lifecycle'
import { expect, test } from 'vitest'
import { createConfigSchema } from './config-schema.ts'
import { createConfigWorld, gate, observer } from './fixtures/config-world.ts'
import { richConfig } from './fixtures/rich-config.ts'
import { text } from './shape/scalars.ts'
import { described } from './shape/shape.ts'

const validate = new Ajv({
  allErrors: true,
  strict: true,
  strictRequired: false,
  strictTypes: false,
}).compile(createConfigSchema())

/** What the file itself and its schema say of a content. */
async function judge(content: unknown) {
  const world = await createConfigWorld()
  await world.write('user/hooks.json', JSON.stringify(content))
  const { problems } = await world.load()
  const errors = problems.filter(({ code }) => code !== 'missing-program')
  return { loads: errors.length === 0, fits: validate(content), errors }
}

const everyPoint = Object.values(points).map(({ name }) => {
  return { on: name, handler: { type: 'builtin', name: 'x' } }
})

test.each<[string, unknown]>([
  ['nothing but its schema', { $schema: './hookline.schema.json', version: 1 }],
  ['a hook of every kind with every key', richConfig],
  ['a hook at every point', { hooks: everyPoint }],
])('%s passes the loader and the schema', async (_, content) => {
  const { loads, errors } = await judge(content)
  expect(errors).toEqual([])
  expect(loads).toBe(true)
  expect(validate(content) || validate.errors).toBe(true)
})

const handler = (more: object) => ({ hooks: [gate('a', { handler: more })] })

test.each<[string, unknown]>([
  ['a list', []],
  ['an unknown section', { hoks: [] }],
  ['hooks by name', { hooks: { a: gate('a') } }],
  ['an unknown key', { hooks: [{ ...gate('a'), oops: 1 }] }],
  ['no handler', { hooks: [{ on: 'tool.guard' }] }],
  ['an unknown point', { hooks: [{ ...gate('a'), on: 'tool.gard' }] }],
  ['a bad name', { hooks: [gate('a b')] }],
  ['a text for a number', { hooks: [gate('a', { priority: '1' })] }],
  ['no time', { hooks: [gate('a', { timeoutMs: 0 })] }],
  ['an unknown word', { hooks: [gate('a', { mode: 'test' })] }],
  [
    'a field of another point',
    { hooks: [gate('a', { match: { status: 'x' } })] },
  ],
  [
    'an unknown operator',
    { hooks: [gate('a', { match: { tool: { $in: [] } } })] },
  ],
  ['a list of nothing', { hooks: [gate('a', { match: { tool: [] } })] }],
  ['an unknown capability', { hooks: [gate('a', { capabilities: ['x'] })] }],
  [
    'a gate where none is',
    { hooks: [observer('a', { execution: 'blocking' })] },
  ],
  [
    'closed where nothing closes',
    { hooks: [gate('a', { on: 'turn.stop', onFailure: 'closed' })] },
  ],
  ['writing at a guard', { hooks: [gate('a', { writes: true })] }],
  ['holding back at a guard', { hooks: [gate('a', { holdBack: 'all' })] }],
  [
    'a window of nothing',
    { hooks: [gate('a', { on: 'llm.post_call', holdBack: { window: 0 } })] },
  ],
  [
    'half a retry',
    {
      hooks: [
        gate('a', {
          execution: 'background',
          idempotent: true,
          retry: { type: 'fixed' },
        }),
      ],
    },
  ],
  ['an unknown kind of handler', handler({ type: 'magic' })],
  ['a handler without a type', handler({ argv: ['x'] })],
  ['no program', handler({ type: 'command' })],
  ['two programs', handler({ type: 'command', argv: ['x'], shell: 'y' })],
  ['an empty argv', handler({ type: 'command', argv: [] })],
  [
    'a key of another handler',
    handler({ type: 'command', argv: ['x'], url: 'y' }),
  ],
  ['a bad variable', handler({ type: 'command', argv: ['x'], env: ['1'] })],
  [
    'a value that is none',
    handler({ type: 'command', argv: ['x'], setEnv: { A: 1 } }),
  ],
  ['an address that is none', handler({ type: 'http', url: 'gopher://x' })],
  [
    'a header that is none',
    handler({
      type: 'http',
      url: 'https://x.example',
      headers: { 'a b': 'c' },
    }),
  ],
  ['no template', handler({ type: 'prompt', model: 'm' })],
  [
    'an unknown isolation',
    handler({ type: 'module', file: 'a.ts', isolation: 'none' }),
  ],
  ['an unknown dialect', { dialects: [{ dialect: 'emacs', file: 'x' }] }],
  ['a dialect without a file', { dialects: [{ dialect: 'codex' }] }],
  ['a later version', { version: 2 }],
])('%s fails in the loader and in the schema', async (_, content) => {
  const { loads, fits } = await judge(content)
  expect({ loads, fits }).toEqual({ loads: false, fits: false })
})

test('the schema speaks to editors', () => {
  const written = JSON.parse(
    JSON.stringify(createConfigSchema({ builtins: ['judge', 'audit'] })),
  )
  expect(JSON.stringify(written)).toContain('"enum":["audit","judge"]')
  const { properties } = written.definitions.hook
  for (const key of ['on', 'match', 'onFailure', 'execution', 'handler']) {
    expect(properties[key].description, key).toMatch(/\.$/)
  }
  expect(properties.on.enum).toContain('tool.guard')
})

test('a further section is one entry: it is read, checked, and in the schema', async () => {
  const world = await createConfigWorld()
  const shape = described(text({ maxLength: 5 }), 'Which store.')
  const section = { name: 'store', shape, layers: ['managed', 'user'] as const }
  const options = { sections: [section] }
  await world.write('user/hooks.json', { store: 'a' })
  const config = await world.load(options)
  expect(config.problems).toEqual([])
  expect(config.sections).toMatchObject([
    { name: 'store', value: 'a', layer: 'user', at: { line: 1, column: 2 } },
  ])
  await world.write('root/hookline.config.json', { store: 'a' })
  await world.write('user/hooks.json', { store: 'too long' })
  const { problems } = await world.load(options)
  expect(problems).toMatchObject([
    { code: 'wrong-value', path: 'store', layer: 'user' },
    { code: 'refused-key', path: 'store', layer: 'project' },
  ])
  expect(createConfigSchema(options)['properties']).toHaveProperty('store')
})
