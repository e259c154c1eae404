import { expect, test } from 'vitest'
import { checkArguments } from './check-arguments.ts'
import { emptyOf, fieldOf, fits } from './field-of.ts'

const schema = {
  type: 'object',
  required: ['path', 'mode'],
  $defs: { tag: { type: 'object', properties: { name: { type: 'string' } } } },
  properties: {
    path: { type: 'string', description: 'Where.' },
    mode: { enum: ['fast', 'slow'] },
    count: { type: 'integer' },
    isDry: { type: 'boolean' },
    tags: { type: 'array', items: { $ref: '#/$defs/tag' } },
    either: { anyOf: [{ type: 'string' }, { type: 'number' }] },
  },
}

test('a schema becomes fields, and what no field can ask for says why', () => {
  expect(fieldOf(schema)).toMatchObject({
    kind: 'group',
    fields: [
      { name: 'path', about: 'Where.', isRequired: true },
      { name: 'mode', field: { kind: 'choice', choices: ['fast', 'slow'] } },
      { name: 'count', field: { kind: 'number', isWhole: true } },
      { name: 'isDry', isRequired: false, field: { kind: 'flag' } },
      {
        name: 'tags',
        field: {
          kind: 'list',
          item: { kind: 'group', fields: [{ field: { kind: 'text' } }] },
        },
      },
      {
        name: 'either',
        field: { kind: 'json', why: 'It may have one of several shapes.' },
      },
    ],
  })
})

test.each([
  undefined,
  null,
  7,
  {},
  { type: 'object' },
  { $ref: 'https://example.com/schema' },
  { $ref: '#/nowhere' },
  { $ref: '#' },
  { type: ['string', 'null'] },
])('what cannot be read is written as JSON: %j', (given) => {
  expect(fieldOf(given)).toMatchObject({ kind: 'json' })
})

test('a schema that names itself comes to an end', () => {
  const endless = {
    type: 'object',
    properties: { inner: { $ref: '#/properties/inner2' }, inner2: {} },
  }
  const deep: Record<string, unknown> = { type: 'object' }
  deep['properties'] = { again: deep }
  expect(JSON.stringify(fieldOf(deep))).toContain('nested too deeply')
  expect(fieldOf(endless)).toMatchObject({ kind: 'group' })
})

test('what is plainly wrong is found before it is sent', () => {
  const field = fieldOf(schema)
  expect(checkArguments(field, { path: 'a', mode: 'fast' })).toEqual([])
  const wrong = {
    mode: 'other',
    count: 1.5,
    isDry: 'yes',
    tags: [{ name: 'a' }, { name: 1 }, 'b'],
    either: [],
  }
  expect(checkArguments(field, wrong).map(({ path }) => path)).toEqual([
    'path',
    'mode',
    'count',
    'isDry',
    'tags[1].name',
    'tags[2]',
  ])
})

test('a new part begins with what fits', () => {
  const field = fieldOf(schema)
  const empty = emptyOf(field)
  expect(empty).toEqual({ path: '', mode: 'fast' })
  expect(fits(field, empty)).toBe(true)
  expect(checkArguments(field, empty)).toEqual([])
})
