/**
 * A JSON Schema, as far as it is read.
 * @typedef {object} Schema
 * @property {string} [$ref]
 * @property {string} [description]
 * @property {string | string[]} [type]
 * @property {unknown} [const]
 * @property {unknown[]} [enum]
 * @property {Schema[]} [anyOf]
 * @property {Schema[]} [oneOf]
 * @property {Schema[]} [allOf]
 * @property {Schema} [if]
 * @property {Schema} [then]
 * @property {Schema} [else]
 * @property {Schema} [items]
 * @property {Record<string, Schema>} [properties]
 * @property {string[]} [required]
 * @property {Schema | boolean} [additionalProperties]
 * @property {number} [minimum]
 * @property {number} [exclusiveMinimum]
 * @property {number} [maximum]
 */

/**
 * What a value has to be, in a few words.
 * @param {Schema} schema
 * @returns {string}
 */
export function typeText(schema) {
  if (schema.$ref) return link(schema.$ref)
  if (schema.then && schema.else) {
    return `${typeText(schema.else)}, or ${typeText(schema.then)}`
  }
  const [only, ...others] = schema.allOf ?? []
  if (only && others.length === 0) return typeText(only)
  const choices = schema.anyOf ?? schema.oneOf
  if (choices) return [...new Set(choices.map(typeText))].join(', or ')
  if (schema.const !== undefined) return code(schema.const)
  if (schema.enum) return schema.enum.map(code).join(', ')
  if (schema.type === 'array') {
    const { items } = schema
    return items ? `list of ${typeText(items)}` : 'list'
  }
  if (Array.isArray(schema.type)) return schema.type.join(' or ')
  if (schema.type === 'integer') return `whole number${boundsText(schema)}`
  if (schema.type === 'number') return `number${boundsText(schema)}`
  if (schema.type === 'string') return 'text'
  if (schema.type === 'boolean') return 'true or false'
  if (schema.type === 'object') return 'object'
  return 'anything'
}

/** @param {Schema} schema */
function boundsText({ minimum, exclusiveMinimum, maximum }) {
  const hasMost = maximum !== undefined && maximum < 2 ** 31 - 1
  const least =
    minimum !== undefined
      ? `from ${minimum}`
      : exclusiveMinimum !== undefined
        ? `above ${exclusiveMinimum}`
        : ''
  const bounds = [least, hasMost ? `to ${maximum}` : ''].filter(Boolean)
  return bounds.length > 0 ? ` (${bounds.join(' ')})` : ''
}

/** @param {string} reference */
function link(reference) {
  const name = reference.split('/').at(-1) ?? ''
  return `[${name}](#${name})`
}

/** @param {unknown} value */
export function code(value) {
  return `\`${typeof value === 'string' ? value : JSON.stringify(value)}\``
}

/**
 * The rows of a table: a key, what it has to be, what it is for. Keys of
 * objects within follow under their paths; those that only objects of one type
 * have, with that type.
 * @param {Schema} schema
 * @param {string} path
 * @param {string} [ofType]
 * @returns {string[]}
 */
export function keyRows(schema, path = '', ofType) {
  const required = new Set(schema.required ?? [])
  const own = Object.entries(schema.properties ?? {})
  const told = own.filter(([key]) => ofType === undefined || key !== 'type')
  const rows = told.flatMap(([key, value]) => {
    const name = path + key
    const needed = required.has(key) ? ', required' : ''
    const about = cell(value.description ?? '')
    const which = ofType === undefined ? '' : ` (${code(ofType)})`
    const row = `| ${code(name)}${which} | ${cell(typeText(value))}${needed} | ${about} |`
    return [row, ...innerRows(value, name)]
  })
  const typed = typedShapes(schema).flatMap(([type, shape]) =>
    keyRows(shape, path, type),
  )
  return [...rows, ...typed]
}

/**
 * What an object is, for each value that its `type` can have.
 * @param {Schema} schema
 * @returns {[string, Schema][]}
 */
function typedShapes({ allOf = [] }) {
  return allOf.flatMap((one) => {
    const type = one.if?.properties?.['type']?.const
    return typeof type === 'string' && one.then ? [[type, one.then]] : []
  })
}

/**
 * @param {Schema} schema
 * @param {string} name
 * @returns {string[]}
 */
function innerRows(schema, name) {
  const { type, items, additionalProperties, anyOf, oneOf, allOf } = schema
  if (schema.properties) return keyRows(schema, `${name}.`)
  const choices = anyOf ?? oneOf ?? allOf
  if (choices) {
    const rows = choices.flatMap((one) => innerRows(one, name))
    return [...new Set(rows)]
  }
  if (type === 'array' && items) return innerRows(items, `${name}[]`)
  const isMap = typeof additionalProperties === 'object'
  return isMap ? innerRows(additionalProperties, `${name}.*`) : []
}

/**
 * Text as it can stand in a cell of a table.
 * @param {string} text
 */
export function cell(text) {
  return text.replaceAll('|', '\\|').replaceAll('\n', ' ')
}

/** @param {string[]} rows */
export function keyTable(rows) {
  return ['| key | what it has to be | |', '|---|---|---|', ...rows].join('\n')
}
