import type { z } from 'zod'
import { pathInputs } from '../protocol/http-input.ts'
import { inputProperties, operationNames } from '../protocol/openapi.ts'
import { operationSchemas } from '../protocol/operations.ts'
import { type OperationName, type Route, routes } from '../protocol/routes.ts'

/** An operation with all that can be known of it before it is asked for. */
export interface PreparedOperation {
  readonly name: OperationName
  readonly route: Route
  readonly input: z.ZodObject
  readonly output: z.ZodType
  /** The inputs that its path names, in order. */
  readonly pathInputs: readonly string[]
  /** How the text of an input in a path or query is read. */
  readonly kinds: ReadonlyMap<string, 'number' | 'boolean' | 'text'>
  readonly hasKey: boolean
}

export function prepareOperations(): PreparedOperation[] {
  return operationNames.map((name) => {
    const route: Route = routes[name]
    const { properties } = inputProperties(name)
    const kinds = Object.entries(properties).map(
      ([key, { type }]) => [key, kindOf(type)] as const,
    )
    return {
      name,
      route,
      input: operationSchemas[name].input,
      output: operationSchemas[name].output,
      pathInputs: pathInputs(route.path),
      kinds: new Map(kinds),
      hasKey: 'key' in properties,
    }
  })
}

function kindOf(type: unknown): 'number' | 'boolean' | 'text' {
  if (type === 'number' || type === 'integer') return 'number'
  return type === 'boolean' ? 'boolean' : 'text'
}
