export type Json =
  | null
  | boolean
  | number
  | string
  | readonly Json[]
  | { readonly [key: string]: Json }
export type JsonFields = { readonly [key: string]: Json }

/** How a part of some arguments is asked for, as a JSON Schema says it. */
export type Field =
  | { readonly kind: 'text' }
  | { readonly kind: 'number'; readonly isWhole: boolean }
  | { readonly kind: 'flag' }
  | { readonly kind: 'choice'; readonly choices: readonly Json[] }
  | { readonly kind: 'list'; readonly item: Field }
  | { readonly kind: 'group'; readonly fields: readonly NamedField[] }
  /** A form cannot ask for it: why, and it is written as JSON. */
  | { readonly kind: 'json'; readonly why: string }

export interface NamedField {
  readonly name: string
  readonly about: string
  readonly isRequired: boolean
  readonly field: Field
}

type Schema = Readonly<Record<string, unknown>>

/** A schema may name itself. */
const maxDepth = 8
/** Of one object; who writes more than that writes JSON. */
const maxFields = 100

/** The form for arguments of a tool. Schemas of others are read, not trusted. */
export function fieldOf(schema: unknown): Field {
  return read(schema, { root: schema, depth: 0 })
}

interface Where {
  readonly root: unknown
  readonly depth: number
}

function read(given: unknown, where: Where): Field {
  if (where.depth > maxDepth) return json('It is nested too deeply for a form.')
  const schema = resolve(given, where.root)
  if (schema === undefined) return json('The tool does not say what it takes.')
  const { type, enum: choices, const: only } = schema
  if (Array.isArray(choices)) return choiceOf(choices)
  if (only !== undefined) return choiceOf([only])
  const several = schema['anyOf'] ?? schema['oneOf']
  if (Array.isArray(several)) return severalOf(several, where)
  if (schema['allOf'] !== undefined) {
    return json('It has to fit several schemas at once.')
  }
  switch (type) {
    case 'string':
      return { kind: 'text' }
    case 'number':
    case 'integer':
      return { kind: 'number', isWhole: type === 'integer' }
    case 'boolean':
      return { kind: 'flag' }
    case 'array':
      return listOf(schema, where)
    case 'object':
      return groupOf(schema, where)
    default:
      return Array.isArray(type)
        ? json('It may be of several types.')
        : json('The tool does not say what it takes.')
  }
}

function listOf({ items }: Schema, { root, depth }: Where): Field {
  if (items === undefined || Array.isArray(items)) {
    return json('Its items are not all of one kind.')
  }
  return { kind: 'list', item: read(items, { root, depth: depth + 1 }) }
}

function groupOf(
  { properties, required }: Schema,
  { root, depth }: Where,
): Field {
  const entries = Object.entries(objectOf(properties) ?? {})
  if (entries.length === 0) return json('The tool does not name its fields.')
  if (entries.length > maxFields) return json('It has too many fields.')
  const needed: readonly unknown[] = Array.isArray(required) ? required : []
  const fields = entries.map(([name, part]) => {
    const { description } = objectOf(part) ?? {}
    return {
      name,
      about: typeof description === 'string' ? description : '',
      isRequired: needed.includes(name),
      field: read(part, { root, depth: depth + 1 }),
    }
  })
  return { kind: 'group', fields }
}

function severalOf(several: readonly unknown[], where: Where): Field {
  const constants = several.map((one) => objectOf(one)?.['const'])
  if (constants.every((one) => one !== undefined)) return choiceOf(constants)
  const others = several.filter((one) => objectOf(one)?.['type'] !== 'null')
  const [only] = others
  if (others.length === 1 && others.length === several.length) {
    return read(only, where)
  }
  return json('It may have one of several shapes.')
}

function choiceOf(choices: readonly unknown[]): Field {
  // What a schema allows came as JSON.
  return { kind: 'choice', choices: choices as readonly Json[] }
}

/** What a schema refers to within its own document; nothing else is fetched. */
function resolve(given: unknown, root: unknown): Schema | undefined {
  let schema = objectOf(given)
  for (let steps = 0; steps < maxDepth; steps++) {
    const reference = schema?.['$ref']
    if (typeof reference !== 'string') return schema
    if (!reference.startsWith('#/')) return undefined
    const found = reference
      .slice(2)
      .split('/')
      .map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'))
      .reduce<unknown>((at, key) => objectOf(at)?.[key], root)
    schema = objectOf(found)
  }
  return undefined
}

function objectOf(value: unknown): Schema | undefined {
  const isObject =
    typeof value === 'object' && value !== null && !Array.isArray(value)
  // Whatever has keys can be asked for any of them.
  return isObject ? (value as Schema) : undefined
}

function json(why: string): Field {
  return { kind: 'json', why }
}

/** Whether a form can show what is there; half a number is shown, too. */
export function fits(field: Field, value: Json): boolean {
  switch (field.kind) {
    case 'text':
      return typeof value === 'string'
    case 'number':
      return typeof value === 'number' || typeof value === 'string'
    case 'flag':
      return typeof value === 'boolean'
    case 'choice':
      return field.choices.some((one) => isSame(one, value))
    case 'list':
      return Array.isArray(value)
    case 'group':
      return isFields(value)
    case 'json':
      return true
  }
}

export function isSame(one: Json, other: Json): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}

export function isFields(value: Json | undefined): value is JsonFields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** What a new part begins with. */
export function emptyOf(field: Field): Json {
  switch (field.kind) {
    case 'text':
      return ''
    case 'number':
      return 0
    case 'flag':
      return false
    case 'choice':
      return field.choices[0] ?? null
    case 'list':
      return []
    case 'group':
      return Object.fromEntries(
        field.fields
          .filter(({ isRequired }) => isRequired)
          .map(({ name, field: part }) => [name, emptyOf(part)]),
      )
    case 'json':
      return null
  }
}
