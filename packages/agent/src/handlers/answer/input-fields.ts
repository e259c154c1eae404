import type { Point } from 'hookline'
import type { JsonObject } from 'hookline/lifecycle'
import { inputSchemas } from './schema/input-schemas.ts'

/** What the input of a point can have, where that is known. */
export function inputFields({
  name,
}: Pick<Point, 'name'>): readonly string[] | undefined {
  // Points of users' own have no entry here; and each event has its own fields.
  const known: Readonly<Record<string, JsonObject>> = inputSchemas
  if (!Object.hasOwn(known, name) || name === 'event') return undefined
  const fields = fieldsOf(known[name])
  return fields.length === 0 ? undefined : [...new Set(fields)]
}

function fieldsOf(schema: JsonObject | undefined): readonly string[] {
  const { properties, anyOf } = schema ?? {}
  // They are of our own making: forms of objects, or a choice of such.
  if (Array.isArray(anyOf)) return (anyOf as JsonObject[]).flatMap(fieldsOf)
  return Object.keys((properties ?? {}) as JsonObject)
}
