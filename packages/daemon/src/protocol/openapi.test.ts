import { Ajv } from 'ajv'
import { expect, test } from 'vitest'
import { pathInputs } from './http-input.ts'
import { makeOpenApi } from './openapi.ts'
import { type Route, routes } from './routes.ts'

// What came out is looked at as any reader would, without its types.
const document = JSON.parse(JSON.stringify(makeOpenApi('1.2.3')))

test('the document has what OpenAPI 3.1 asks for', () => {
  expect(document.openapi).toBe('3.1.0')
  expect(document.info).toMatchObject({
    title: expect.any(String),
    version: '1.2.3',
  })
  for (const [path, methods] of Object.entries<Record<string, never>>(
    document.paths,
  )) {
    expect(path).toMatch(/^\/v1\/[\w./{}-]+$/)
    for (const operation of Object.values<Record<string, unknown>>(methods)) {
      expect(Object.keys(operation['responses'] as object)).toEqual([
        '200',
        'default',
      ])
    }
  }
})

test.each(Object.entries<Route>(routes))(
  '%s is described, with each of its inputs',
  (name, route) => {
    const path = route.path.replaceAll(/:(\w+)/g, '{$1}')
    const operation = document.paths[path][route.method.toLowerCase()]
    expect(operation.operationId).toBe(name)
    expect(operation['x-right']).toBe(route.right)
    expect(operation.security).toEqual(
      route.right === 'anybody' ? [] : undefined,
    )
    const parameters: {
      name: string
      in: string
      required: boolean
      schema: unknown
    }[] = operation.parameters ?? []
    const inPath = parameters.filter((one) => one.in === 'path')
    expect(inPath.map((one) => one.name)).toEqual(pathInputs(route.path))
    for (const one of parameters) expect(one.schema).toBeTypeOf('object')
    expect(operation.requestBody === undefined).toBe(route.method === 'GET')
    const names = parameters.map((one) => `${one.in} ${one.name}`)
    expect(new Set(names).size).toBe(names.length)
  },
)

test('there is nothing in it that is no route', () => {
  const described = Object.values<object>(document.paths).flatMap((methods) =>
    Object.keys(methods),
  )
  expect(described).toHaveLength(Object.keys(routes).length)
  const ids = Object.values<Record<string, { operationId: string }>>(
    document.paths,
  ).flatMap((methods) => Object.values(methods).map((one) => one.operationId))
  expect(new Set(ids)).toEqual(new Set(Object.keys(routes)))
})

test('every reference leads somewhere', () => {
  const references = [
    ...JSON.stringify(document).matchAll(/"\$ref":"([^"]+)"/g),
  ].map((match) => String(match[1]))
  expect(references.length).toBeGreaterThan(100)
  for (const reference of references) {
    const parts = reference.replace(/^#\//, '').split('/')
    const found = parts.reduce((value, key) => Object(value)[key], document)
    expect(found, reference).toBeTypeOf('object')
  }
})

test('every schema is one, and the ones of inputs refuse what is not known', () => {
  const ajv = new Ajv({ strict: false })
  const { schemas } = document.components
  for (const schema of Object.values<object>(schemas)) ajv.compile(schema)
  const send = ajv.compile(schemas.SendBody)
  expect(send({ input: 'hello', wait: true })).toBe(true)
  expect(send({ input: 'hello', other: 1 })).toBe(false)
  expect(send({})).toBe(false)
})
