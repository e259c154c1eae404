import type { JsonObject, JsonValue } from 'hookline/lifecycle'

/** A JSON Schema that the compiler knows the values of. */
export type Schema<T> = JsonObject & {
  /** Only for the compiler. */
  readonly '~type'?: T
}

export type SchemaType<S> =
  S extends Schema<infer T> ? Exclude<T, undefined> : never

type Members = Readonly<Record<string, JsonObject>>
type Flat<T> = { [K in keyof T]: T[K] }
type ObjectType<R, O> = Flat<
  { readonly [K in keyof R]: SchemaType<R[K]> } & {
    readonly [K in keyof O]?: SchemaType<O[K]>
  }
>

/** The schema itself has no type; what it was made from says it. */
function typed<T>(schema: JsonObject): Schema<T> {
  return Object.freeze(schema)
}

export const text = typed<string>({ type: 'string' })
export const number = typed<number>({ type: 'number' })
export const count = typed<number>({ type: 'number', minimum: 0 })
export const flag = typed<boolean>({ type: 'boolean' })
export const words = typed<string>({ type: 'string', pattern: '\\S' })
export const anything = typed<JsonValue>({})
export const record = typed<JsonObject>({ type: 'object' })

/** As the core takes names: `checkName` in its `check-value.ts`. */
export const name = typed<string>({
  type: 'string',
  pattern: '^[\\w.:/@-]{1,128}$',
})

export function is<const T extends string | boolean>(value: T): Schema<T> {
  return typed({ const: value })
}

export function oneOf<const T extends string>(
  ...values: readonly T[]
): Schema<T> {
  return typed({ type: 'string', enum: values })
}

export function list<T>(items: Schema<T>): Schema<readonly T[]> {
  return typed({ type: 'array', items })
}

export function recordOf<T>(values: Schema<T>): Schema<{
  readonly [key: string]: T
}> {
  return typed({ type: 'object', additionalProperties: values })
}

export function object<
  const R extends Members,
  // biome-ignore lint/complexity/noBannedTypes: no property at all
  const O extends Members = {},
>(required: R, optional?: O): Schema<ObjectType<R, O>> {
  return typed({
    type: 'object',
    properties: { ...required, ...optional },
    required: Object.keys(required),
  })
}

/** Nothing beside what it names. */
export function exactly<T>(schema: Schema<T>): Schema<T> {
  const plain: JsonObject = schema
  return typed({ ...plain, additionalProperties: false })
}

export function anyOf<const S extends readonly JsonObject[]>(
  ...schemas: S
): Schema<SchemaType<S[number]>> {
  return typed({ anyOf: schemas })
}
