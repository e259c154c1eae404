import type { IncomingMessage } from 'node:http'
import { readStrictJson } from '@hookline/agent/handlers'
import type { z } from 'zod'
import { type InputProblem, ProtocolError } from '../protocol/errors.ts'
import { keyHeader } from '../protocol/http-input.ts'
import type { PreparedOperation } from './prepared-operation.ts'
import type { Match } from './router.ts'

type Given = readonly (readonly [string, unknown])[]

export interface InputParts {
  readonly match: Match
  readonly query: URLSearchParams
  /** Absent: the method has none. */
  readonly body: Buffer | undefined
  readonly headers: IncomingMessage['headers']
}

/** The input of an operation, wherever its parts came in. Throws if it is wrong. */
export function readInput(
  parts: InputParts,
): Readonly<Record<string, unknown>> {
  const { match, query, body } = parts
  const { operation, values } = match
  const inPath = operation.pathInputs.map(
    (name, at) => [name, fromText(operation, name, values[at] ?? '')] as const,
  )
  if (body !== undefined && query.size > 0) {
    throw refused([
      {
        path: '',
        message: 'The inputs of a change are in its body, not in its query.',
      },
    ])
  }
  const rest = body === undefined ? fromQuery(operation, query) : fromBody(body)
  const inHeaders = fromHeaders(operation, parts.headers)
  return check(operation, withoutDoubles([...inPath, ...rest], inHeaders))
}

function fromQuery(
  operation: PreparedOperation,
  query: URLSearchParams,
): Given {
  return [...query].map(([name, text]) => [
    name,
    fromText(operation, name, text),
  ])
}

function fromText(
  { kinds }: PreparedOperation,
  name: string,
  text: string,
): unknown {
  const kind = kinds.get(name)
  if (kind === 'boolean') {
    return text === 'true' ? true : text === 'false' ? false : text
  }
  if (kind !== 'number') return text
  // Anything else stays a text, which the schema refuses.
  return /^-?\d{1,16}(?:\.\d{1,16})?$/.test(text) ? Number(text) : text
}

function fromBody(body: Buffer): Given {
  if (body.length === 0) return []
  const { value, problem } = readStrictJson(body, { maxBytes: body.length })
  if (problem !== undefined) {
    const { code, message } = problem
    if (code === 'too-large') throw new ProtocolError('too-large', message)
    throw refused([{ path: '', message }])
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw refused([
      { path: '', message: 'The body is an object with the inputs.' },
    ])
  }
  return Object.entries(value)
}

function fromHeaders(
  operation: PreparedOperation,
  headers: IncomingMessage['headers'],
): Given {
  const given: (readonly [string, unknown])[] = []
  const key = headers[keyHeader]
  if (key !== undefined) {
    if (!operation.hasKey) {
      const message =
        'This operation knows no key, and would be done each time; leave the header out.'
      throw refused([{ path: keyHeader, message }])
    }
    given.push(['key', key])
  }
  const cursor = headers['last-event-id']
  if (operation.route.answer === 'events' && cursor) {
    given.push(['after', cursor])
  }
  return given
}

/** A browser says again in its header where it was, so that this goes first. */
function withoutDoubles(
  given: Given,
  inHeaders: Given,
): Record<string, unknown> {
  const seen = new Map<string, unknown>()
  for (const [name, value] of given) {
    if (seen.has(name)) {
      throw refused([
        { path: name, message: 'It was given twice; give it once.' },
      ])
    }
    seen.set(name, value)
  }
  for (const [name, value] of inHeaders) {
    if (name === 'key' && seen.has(name) && seen.get(name) !== value) {
      throw refused([
        {
          path: name,
          message: 'The header and the body give two keys; give one.',
        },
      ])
    }
    seen.set(name, value)
  }
  return Object.fromEntries(seen)
}

function check(
  { input }: PreparedOperation,
  given: Record<string, unknown>,
): Readonly<Record<string, unknown>> {
  const parsed = input.safeParse(given)
  if (parsed.success) return parsed.data
  throw refused(parsed.error.issues.slice(0, 20).map(problemOf))
}

function problemOf({ path, message }: z.core.$ZodIssue): InputProblem {
  return {
    path: path.map(String).join('.').slice(0, 200),
    message: sentenceOf(message.slice(0, 500)),
  }
}

function sentenceOf(message: string): string {
  return /[.!?]$/.test(message) ? message : `${message}.`
}

function refused(problems: readonly InputProblem[]): ProtocolError {
  const told = problems
    .slice(0, 3)
    .map(({ path, message }) => (path === '' ? message : `${path}: ${message}`))
  const message = `The request is not as it has to be. ${told.join(' ')}`
  return new ProtocolError('bad-request', message, { problems })
}
