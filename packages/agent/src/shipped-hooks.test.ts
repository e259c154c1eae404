import { existsSync, readFileSync } from 'node:fs'
import { Ajv } from 'ajv'
import { expect, test } from 'vitest'
import { createConfigSchema } from './config.ts'
import { shippedHooks } from './hooks.ts'

const pathOf = (path: string) =>
  new URL(`../../../docs/guide/hooks/${path}`, import.meta.url)

test('every entry that ships is in the table of the guide, and nothing else is', () => {
  const guide = readFileSync(pathOf('README.md'), 'utf8')
  const rows = guide.split('\n').filter((line) => /^\| \[`/.test(line))
  const wanted = shippedHooks.map(
    ({ name, description }) => `| [\`${name}\`](${name}.md) | ${description} |`,
  )
  // A row that is missing here is what to add to docs/guide/hooks/README.md.
  expect(rows).toEqual(wanted.toSorted())
})

test('entries are listed by name, once', () => {
  const names = shippedHooks.map(({ name }) => name)
  expect(names).toEqual([...new Set(names)].toSorted())
})

test('what editors complete by takes every entry', () => {
  const schema = createConfigSchema({ catalogue: shippedHooks })
  const rules = { strict: true, strictRequired: false, strictTypes: false }
  const validate = new Ajv(rules).compile(schema)
  for (const { name, options } of shippedHooks) {
    const use = { use: name, name: 'mine', disabled: true }
    const isNeeded = Array.isArray(options.schema['required'])
    expect(validate({ hooks: [use] }), name).toBe(!isNeeded)
    expect(validate({ hooks: [{ ...use, options: { 'no such': 1 } }] })).toBe(
      false,
    )
  }
})

test.each(shippedHooks.map(({ name }) => name))('%s has a page', (name) => {
  expect(existsSync(pathOf(`${name}.md`)), `docs/guide/hooks/${name}.md`).toBe(
    true,
  )
})
