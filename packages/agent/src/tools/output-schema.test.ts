import { expect, test } from 'vitest'
import { readOutputSchema } from './output-schema.ts'

const slowPattern = '^(a+)+$'
const slowText = `${'a'.repeat(40)}!`

test.each([
  ['a pattern', { type: 'string', pattern: slowPattern }, slowText],
  [
    'a pattern of names',
    { patternProperties: { [slowPattern]: {} }, additionalProperties: false },
    { [slowText]: 1 },
  ],
])(
  '%s of whoever asks cannot hold up the process',
  async (_, schema, value) => {
    const began = performance.now()
    const { problem } = await readOutputSchema(schema).check(value)
    expect(problem).toBeDefined()
    // Another engine needs hours.
    expect(performance.now() - began).toBeLessThan(10_000)
  },
)

test('patterns mean what they say, each for its own place', async () => {
  const schema = readOutputSchema({
    type: 'object',
    properties: {
      size: { type: 'string', pattern: '\\d+' },
      name: { type: 'string', pattern: '^[a-z]+$' },
    },
  })
  expect(
    await schema.check({ size: 'about 12 cm', name: 'ann' }),
  ).not.toHaveProperty('problem')
  expect((await schema.check({ size: 'ann', name: 'ann' })).problem).toContain(
    'size',
  )
  expect((await schema.check({ size: '12', name: '12' })).problem).toContain(
    'name',
  )
})

test('a pattern that cannot be tried in linear time is refused', async () => {
  const schema = readOutputSchema({ type: 'string', pattern: '(?=a)a' })
  await expect(schema.check('a')).rejects.toThrow()
})

test('references that lead to more and more of them are cut off', async () => {
  const definitions = Object.fromEntries(
    Array.from({ length: 40 }, (_, at) => {
      const next = { $ref: `#/definitions/d${at + 1}` }
      return [`d${at}`, { allOf: [next, next] }]
    }),
  )
  const schema = readOutputSchema({
    definitions: { ...definitions, d40: { type: 'string' } },
    $ref: '#/definitions/d0',
  })
  expect((await schema.check('a')).problem).toContain('takes more than')
})
