import type { Route } from './routes.ts'

/** What both sides have to agree on before anything else. */
export const protocolVersion = 2

/** The header that says it, in requests and in answers. */
export const versionHeader = 'hookline-protocol'

/** The header that stands for the input `key` of an operation. */
export const keyHeader = 'idempotency-key'

/** The inputs that a path names, in order. */
export function pathInputs(path: string): string[] {
  return path
    .split('/')
    .filter((part) => part.startsWith(':'))
    .map((part) => part.slice(1))
}

export interface HttpInput {
  /** With its query. */
  readonly path: string
  readonly body: string | undefined
}

/** Writes an input as HTTP has it: into the path, the query or the body. */
export function writeHttpInput(
  route: Route,
  input: Readonly<Record<string, unknown>>,
): HttpInput {
  const rest = { ...input }
  const path = route.path.replaceAll(/:(\w+)/g, (_, name: string) => {
    delete rest[name]
    return encodeURIComponent(textOf(input[name]))
  })
  if (route.method !== 'GET') return { path, body: JSON.stringify(rest) }
  const query = new URLSearchParams(
    Object.entries(rest)
      .filter(([, value]) => value !== undefined)
      .map(([name, value]): [string, string] => [name, textOf(value)]),
  ).toString()
  return { path: query === '' ? path : `${path}?${query}`, body: undefined }
}

function textOf(value: unknown): string {
  if (typeof value === 'string') return value
  return typeof value === 'number' || typeof value === 'boolean'
    ? String(value)
    : JSON.stringify(value ?? '')
}
