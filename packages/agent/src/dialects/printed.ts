import type { JsonObject, JsonValue } from 'hookline/lifecycle'
import { inspectJson } from '../handlers/answer/strict-json.ts'

/** What a handler has printed. */
export type Printed =
  | { readonly type: 'nothing' }
  | { readonly type: 'text'; readonly text: string }
  | {
      readonly type: 'document'
      readonly document: JsonObject
      /** There is more around it, such as a log or an earlier document. */
      readonly isNoisy: boolean
    }
  /** It was to be a document. What can be read of it may refuse, no more. */
  | {
      readonly type: 'broken'
      readonly problem: string
      readonly document: JsonObject
    }
  | {
      readonly type: 'broken'
      readonly problem: string
      readonly document?: undefined
    }

/** Finds the document in a text: all of it, or the last one that is complete. */
export function readPrinted(given: string): Printed {
  const text = given.trim()
  if (text === '') return { type: 'nothing' }
  const { value, problem } = inspectJson(text)
  if (problem === undefined) {
    if (isObject(value))
      return { type: 'document', document: value, isNoisy: false }
    return { type: 'text', text }
  }
  if (isObject(value)) {
    return { type: 'broken', problem: problem.message, document: value }
  }
  const found = problem.code === 'not-json' ? lastDocument(text) : undefined
  if (found !== undefined) {
    return { type: 'document', document: found, isNoisy: true }
  }
  if (!text.startsWith('{')) return { type: 'text', text }
  return { type: 'broken', problem: problem.message }
}

export function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

const maxTries = 200

/** The last part, from the start of a line to the end of one, that is a document. */
function lastDocument(text: string): JsonObject | undefined {
  const lines = text.split('\n')
  let tries = 0
  for (let start = lines.length - 1; start >= 0; start--) {
    if (!lines[start]?.trimStart().startsWith('{')) continue
    for (let end = lines.length; end > start; end--) {
      if (!lines[end - 1]?.trimEnd().endsWith('}')) continue
      if (++tries > maxTries) return undefined
      const { value, problem } = inspectJson(lines.slice(start, end).join('\n'))
      if (problem === undefined && isObject(value)) return value
    }
  }
  return undefined
}
