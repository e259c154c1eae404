import type { JsonValue } from 'hookline/lifecycle'
import {
  defaultLimits,
  type JsonLimits,
  type JsonProblem,
  type JsonProblemCode,
} from './json-limits.ts'
import { scanJson } from './scan-json.ts'

export type StrictJson =
  | { readonly value: JsonValue; readonly problem?: undefined }
  | { readonly problem: JsonProblem; readonly value?: undefined }

/** What could be read of a text, and what is wrong with it all the same. */
export interface JsonFindings {
  readonly value?: JsonValue
  readonly problem?: JsonProblem
}

/**
 * Reads one JSON value that can mean only one thing, within limits: no key
 * twice in an object, none that reaches a prototype, no number that arrives as
 * another one, no half of a character. A byte order mark at the start is fine.
 */
export function readStrictJson(
  given: string | Uint8Array,
  limits: JsonLimits = {},
): StrictJson {
  const { value, problem } = inspectJson(given, limits)
  if (problem !== undefined) return { problem }
  // The parser gave a value, or there would be a problem.
  return { value: value as JsonValue }
}

/**
 * The same, but a value comes along where the text says clearly what it means:
 * enough to refuse something by it, and for nothing else.
 */
export function inspectJson(
  given: string | Uint8Array,
  limits: JsonLimits = {},
): JsonFindings {
  const asked = { ...defaultLimits, ...limits }
  // Reading goes as deep as the value does, so that the stack sets a bound too.
  const bounds = { ...asked, maxDepth: Math.min(asked.maxDepth, 1_000) }
  if (isLarger(given, bounds.maxBytes)) {
    const message = `It is larger than ${bounds.maxBytes} bytes; send less.`
    return { problem: { code: 'too-large', message } }
  }
  const text = typeof given === 'string' ? withoutMark(given) : decoded(given)
  if (text === undefined) return of('bad-encoding', 'It is not UTF-8.')
  const scan = scanJson(text, bounds)
  if ('code' in scan) return { problem: scan }
  let value: JsonValue
  try {
    // What the parser gives is JSON, by its contract.
    value = JSON.parse(text) as JsonValue
  } catch (error) {
    return of('not-json', `It is not JSON${placeOf(error)}.`)
  }
  const walk = walkJson(value, bounds.maxTextLength)
  if (walk.isLarge) return of('too-large', 'It holds a text that is too long.')
  if (walk.keys !== scan.keys) {
    return of('duplicate-key', 'An object has a key twice; write it once.')
  }
  const problem = problemOf(walk, scan.unsafeNumberAt)
  return problem === undefined ? { value } : { value, ...problem }
}

function isLarger(given: string | Uint8Array, maxBytes: number): boolean {
  if (typeof given !== 'string') return given.byteLength > maxBytes
  // A unit is at most three bytes, so that most texts need no counting.
  if (given.length * 3 <= maxBytes) return false
  return given.length > maxBytes || Buffer.byteLength(given) > maxBytes
}

function withoutMark(text: string): string {
  return text.startsWith('\ufeff') ? text.slice(1) : text
}

/** Making one takes longer than reading a short text with it. */
const decoder = new TextDecoder('utf-8', { fatal: true })

function decoded(bytes: Uint8Array): string | undefined {
  try {
    return decoder.decode(bytes)
  } catch {
    return undefined
  }
}

/** The parser's own words repeat the text, so that only the place is taken. */
function placeOf(error: unknown): string {
  const message = error instanceof Error ? error.message : ''
  if (/end of JSON|Unterminated/.test(message)) return ', as it ends too early'
  const place = /position (\d+)/.exec(message)?.[1]
  return place === undefined ? '' : `, as the character at ${place} shows`
}

interface Walk {
  keys: number
  isLarge: boolean
  hasUnsafeKey: boolean
  hasLoneSurrogate: boolean
}

const unsafeKeys = new Set(['__proto__', 'constructor', 'prototype'])

/** Goes through all of a value; the scan has bounded its depth and its size. */
function walkJson(root: JsonValue, maxTextLength: number): Walk {
  const walk: Walk = {
    keys: 0,
    isLarge: false,
    hasUnsafeKey: false,
    hasLoneSurrogate: false,
  }
  const readText = (text: string) => {
    if (text.length > maxTextLength) walk.isLarge = true
    if (!text.isWellFormed()) walk.hasLoneSurrogate = true
  }
  const read = (value: JsonValue): void => {
    if (typeof value === 'string') readText(value)
    if (typeof value !== 'object' || value === null) return
    if (Array.isArray(value)) {
      for (const item of value) read(item)
      return
    }
    for (const [key, member] of Object.entries(value)) {
      walk.keys++
      if (unsafeKeys.has(key)) walk.hasUnsafeKey = true
      readText(key)
      read(member)
    }
  }
  read(root)
  return walk
}

function problemOf(
  { hasUnsafeKey, hasLoneSurrogate }: Walk,
  unsafeNumberAt: number | undefined,
): { readonly problem: JsonProblem } | undefined {
  if (hasUnsafeKey) {
    const names = '"__proto__", "constructor" or "prototype"'
    return of('unsafe-key', `A key is ${names}; leave it out.`)
  }
  if (unsafeNumberAt !== undefined) {
    const message = `The number at ${unsafeNumberAt} would arrive as another one; send it as a text.`
    return of('unsafe-number', message)
  }
  if (!hasLoneSurrogate) return undefined
  const message = 'A text holds half of a character; escape whole pairs.'
  return of('lone-surrogate', message)
}

function of(code: JsonProblemCode, message: string): { problem: JsonProblem } {
  return { problem: { code, message } }
}
