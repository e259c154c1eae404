import { type Field, fits, type Json } from './field-of.ts'

/** Of a longer list a form would be nothing to read. */
const longestList = 200

/**
 * The field for a part whose value is this one: as the schema says, or as JSON
 * where such a field would change what is there, or cannot show it.
 */
export function partFor(field: Field, value: Json): Field {
  if (!fits(field, value)) {
    return json('What is there is not what the tool says.')
  }
  if (typeof value === 'string' && field.kind === 'text') {
    if (!value.includes('\r')) return field
    return json('It has line ends that a field would change.')
  }
  const length = Array.isArray(value) ? value.length : 0
  return field.kind === 'list' && length > longestList
    ? json('It has too many items for a form.')
    : field
}

function json(why: string): Field {
  return { kind: 'json', why }
}
