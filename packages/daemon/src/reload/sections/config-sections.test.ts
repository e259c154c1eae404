import { createConfigSchema } from '@hookline/agent/config'
import { expect, test } from 'vitest'
import { configSections } from './config-sections.ts'

/** Every object somewhere in a value. */
function* objectsIn(value: unknown): Generator<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null) return
  if (!Array.isArray(value)) yield value as Record<string, unknown>
  for (const part of Object.values(value)) yield* objectsIn(part)
}

test('the schema of files knows the sections, and what it refers to is there', () => {
  const schema = createConfigSchema({ sections: configSections() })
  const { properties, definitions } = JSON.parse(JSON.stringify(schema))
  expect(Object.keys(properties)).toEqual(
    expect.arrayContaining([
      'hooks',
      'agents',
      'models',
      'policy',
      'plugins',
      'store',
      'daemon',
    ]),
  )
  const references = [...objectsIn(schema)].flatMap(({ $ref }) =>
    typeof $ref === 'string' ? [$ref] : [],
  )
  for (const reference of new Set(references)) {
    const name = reference.replace('#/definitions/', '')
    expect(Object.keys(definitions)).toContain(name)
  }
})
