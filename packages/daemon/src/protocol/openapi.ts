import { z } from 'zod'
import { errorStatus } from './errors.ts'
import { keyHeader, pathInputs } from './http-input.ts'
import { operationSchemas } from './operations.ts'
import { type OperationName, type Route, routes } from './routes.ts'

type JsonSchema = { readonly [key: string]: unknown }

/** A description of all operations that other programs can read (OpenAPI 3.1). */
export interface OpenApiDocument {
  readonly openapi: '3.1.0'
  readonly info: JsonSchema
  readonly paths: Readonly<Record<string, JsonSchema>>
  readonly components: {
    readonly schemas: Readonly<Record<string, JsonSchema>>
    readonly [part: string]: unknown
  }
  readonly [part: string]: unknown
}

/** Made from the schemas that check requests, so that it cannot differ. */
export function makeOpenApi(version: string): OpenApiDocument {
  const schemas: Record<string, JsonSchema> = { Error: errorSchema }
  const paths: Record<string, Record<string, unknown>> = {}
  for (const name of operationNames) {
    const route: Route = routes[name]
    const path = route.path.replaceAll(/:(\w+)/g, '{$1}')
    const method = route.method.toLowerCase()
    paths[path] = { ...paths[path], [method]: describe(name, route, schemas) }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'hookline daemon',
      version,
      description:
        'Sessions of agents, their hooks and records. Every request but health and readiness carries a token.',
    },
    security: [{ token: [] }],
    paths,
    components: {
      schemas,
      securitySchemes: { token: { type: 'http', scheme: 'bearer' } },
      responses: {
        Error: {
          description: 'The request was not done; the code says why.',
          content: { 'application/json': { schema: refTo('Error') } },
        },
      },
    },
  }
}

export const operationNames = Object.keys(routes)
  // Its keys are the names.
  .map((name) => name as OperationName)

/** The properties of an input, as JSON Schema has them. */
export function inputProperties(name: OperationName): {
  readonly properties: Readonly<Record<string, JsonSchema>>
  readonly required: ReadonlySet<string>
} {
  const { properties = {}, required = [] } = toJsonSchema(
    operationSchemas[name].input,
    'input',
  )
  return {
    // Every input is an object, by the type of the operations.
    properties: properties as Record<string, JsonSchema>,
    required: new Set(required as string[]),
  }
}

function describe(
  name: OperationName,
  route: Route,
  schemas: Record<string, JsonSchema>,
): JsonSchema {
  const { properties, required } = inputProperties(name)
  const named = pathInputs(route.path)
  const rest = Object.keys(properties).filter((key) => !named.includes(key))
  const parameterOf = (place: string) => (key: string) => ({
    name: key,
    in: place,
    required: place === 'path' || required.has(key),
    schema: properties[key],
  })
  const isGet = route.method === 'GET'
  const parameters = [
    ...named.map(parameterOf('path')),
    ...(isGet ? rest.map(parameterOf('query')) : []),
    ...headersOf(route, 'key' in properties),
  ]
  const title = name[0]?.toUpperCase() + name.slice(1)
  schemas[`${title}Output`] = toJsonSchema(
    operationSchemas[name].output,
    'output',
  )
  if (!isGet) {
    schemas[`${title}Body`] = {
      type: 'object',
      properties: Object.fromEntries(rest.map((key) => [key, properties[key]])),
      required: rest.filter((key) => required.has(key)),
      additionalProperties: false,
    }
  }
  return {
    operationId: name,
    'x-right': route.right,
    ...(route.right === 'anybody' ? { security: [] } : {}),
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(isGet
      ? {}
      : { requestBody: jsonOf(`${title}Body`, { required: true }) }),
    responses: {
      200: answerOf(route, `${title}Output`),
      default: { $ref: '#/components/responses/Error' },
    },
  }
}

function headersOf(route: Route, hasKey: boolean): JsonSchema[] {
  const header = (name: string, description: string) => ({
    name,
    in: 'header',
    required: false,
    description,
    schema: { type: 'string' },
  })
  if (route.answer === 'events') {
    return [header('last-event-id', 'The cursor to go on after.')]
  }
  return hasKey ? [header(keyHeader, 'The same as the input "key".')] : []
}

function answerOf(route: Route, schema: string): JsonSchema {
  if (route.answer === undefined) {
    return jsonOf(schema, { description: 'What was asked for.' })
  }
  const type = {
    events: 'text/event-stream',
    lines: 'application/x-ndjson',
    text: 'text/plain',
  }[route.answer]
  const description = {
    events: 'A message for each item, with its cursor as id.',
    lines: 'An item on each line.',
    text: 'As a text.',
  }[route.answer]
  return { description, content: { [type]: { schema: refTo(schema) } } }
}

function jsonOf(schema: string, rest: JsonSchema): JsonSchema {
  return { ...rest, content: { 'application/json': { schema: refTo(schema) } } }
}

const refTo = (name: string) => ({ $ref: `#/components/schemas/${name}` })

function toJsonSchema(schema: z.ZodType, io: 'input' | 'output'): JsonSchema {
  const { $schema, ...rest } = z.toJSONSchema(schema, {
    target: 'draft-2020-12',
    io,
    unrepresentable: 'any',
  })
  return rest
}

const errorSchema: JsonSchema = {
  type: 'object',
  required: ['error'],
  properties: {
    error: {
      type: 'object',
      required: ['code', 'message'],
      properties: {
        code: { type: 'string', enum: Object.keys(errorStatus) },
        message: { type: 'string' },
        problems: {
          type: 'array',
          items: {
            type: 'object',
            required: ['path', 'message'],
            properties: {
              path: { type: 'string' },
              message: { type: 'string' },
            },
          },
        },
      },
    },
  },
}
