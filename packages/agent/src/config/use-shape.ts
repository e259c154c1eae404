import type { UseDefinition } from '../handlers/definition.ts'
import { type CatalogueEntry, useNamePattern } from './catalogue.ts'
import { refuseKey } from './check-handler.ts'
import { milliseconds } from './handler-shapes.ts'
import { type ConfigNode, entryOf } from './node.ts'
import { hint, quote } from './problem.ts'
import { jsonObject, object } from './shape/containers.ts'
import { flag, number, subject, text, word } from './shape/scalars.ts'
import {
  below,
  described,
  type JsonSchema,
  type Reading,
  refuse,
  type Shape,
} from './shape/shape.ts'

/** Beyond that, what is added to it would no longer change it. */
const maxPriority = 1_000_000

const fields = object<UseDefinition>(
  {
    use: described(
      text({ maxLength: 200 }),
      'The name of hooks that somebody has made already.',
    ),
    options: described(jsonObject, 'What they are made with.'),
    name: described(
      text({
        pattern: useNamePattern,
        kind: 'small letters, digits and -',
        maxLength: 64,
      }),
      'Stable: the names of its hooks begin with it. Default: what is used.',
    ),
    description: text({ mayBeEmpty: true }),
    priority: described(
      number({ min: -maxPriority, max: maxPriority }),
      'Moves all of its hooks; default 100, which moves none. Lower is asked earlier on the way in, and later on the way out.',
    ),
    timeoutMs: described(milliseconds, 'Of each of its hooks.'),
    mode: described(
      word(['enforce', 'evaluate']),
      'evaluate: its hooks run and are recorded, and nothing changes.',
    ),
    disabled: flag,
  },
  ['use'],
)

/** Hooks of a catalogue with their options. Without one, any name will do. */
export function useShape(
  entries: readonly CatalogueEntry[] | undefined,
): Shape<UseDefinition> {
  return {
    schema: entries === undefined ? fields.schema : schemaOf(entries),
    read(node, reading) {
      const definition = fields.read(node, reading)
      if (typeof definition?.use !== 'string') return definition
      const full = { ...definition, options: definition.options ?? {} }
      if (entries === undefined) return full
      const { use } = definition
      const entry = entries.find(({ name }) => name === use)
      if (entry === undefined) refuseUnknown(use, entries, { node, reading })
      else readOptions(entry, node, below(reading, 'options'))
      return full
    },
  }
}

/** Whether an entry of a list of hooks is a use, be it a wrong one. */
export function looksLikeUse(node: ConfigNode): boolean {
  if (node.type !== 'map') return false
  const has = (key: string) => node.entries.some((entry) => entry.key === key)
  return has('use') || (has('options') && !has('on') && !has('handler'))
}

function refuseUnknown(
  use: string,
  entries: readonly CatalogueEntry[],
  { node, reading }: { readonly node: ConfigNode; readonly reading: Reading },
): void {
  const known = entries.map(({ name }) => name).toSorted()
  const suggestion = reading.report.nearest(use, known)
  const problem = `is ${quote(use)}, which nobody has registered${hint(suggestion, known)}`
  const code = 'unknown-entry'
  refuseKey(node, reading, { key: 'use', code, problem, suggestion })
}

/** What they come to is of no interest: they are read once more when used. */
function readOptions(
  entry: CatalogueEntry,
  node: ConfigNode,
  reading: Reading,
): void {
  const { at } = node
  const written = entryOf(node, 'options') ?? { type: 'map', entries: [], at }
  // What is no object has been refused.
  if (written.type !== 'map') return
  const mark = reading.report.count
  const read = entry.options.read(written, reading)
  if (read !== undefined || reading.report.count > mark) return
  const message = `${subject(reading)} cannot be used by ${quote(entry.name)}; mend it.`
  refuse(written, reading, { code: 'wrong-value', message })
}

function schemaOf(entries: readonly CatalogueEntry[]): JsonSchema {
  // It is the schema of an object, as `fields` says.
  const properties = fields.schema['properties'] as JsonSchema
  return {
    ...fields.schema,
    properties: { ...properties, use: nameSchema(entries) },
    allOf: entries.map(({ name, options }) => ({
      if: { properties: { use: { const: name } }, required: ['use'] },
      // biome-ignore lint/suspicious/noThenProperty: a word of JSON Schema
      then: {
        properties: { options: options.schema },
        ...(hasNeeded(options.schema) && { required: ['options'] }),
      },
    })),
  }
}

/** Each name with what it is for, so that editors can show both. */
export function nameSchema(
  entries: readonly CatalogueEntry[] | undefined,
): JsonSchema {
  const description = 'The name of hooks that somebody has made already.'
  if (entries === undefined) return { description, type: 'string' }
  const names = entries.map((entry) => ({
    const: entry.name,
    description: entry.description,
  }))
  return names.length === 0
    ? { description, enum: [] }
    : { description, type: 'string', oneOf: names }
}

function hasNeeded({ required }: JsonSchema): boolean {
  return Array.isArray(required) && required.length > 0
}
