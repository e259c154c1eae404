import type { JsonObject } from 'hookline/lifecycle'
import { inspectJson } from '../../handlers/answer/strict-json.ts'
import { isObject } from '../printed.ts'

const outputKeys = [
  'continue',
  'stopReason',
  'suppressOutput',
  'systemMessage',
  'decision',
  'hookSpecificOutput',
  'async',
]

/** Whether a document is for the product, rather than something it prints. */
export function isOutput(document: JsonObject): boolean {
  return outputKeys.some((key) => Object.hasOwn(document, key))
}

const maxDocuments = 50

/** The documents of a text that holds more than one, or more than documents. */
export function documentsIn(text: string): readonly JsonObject[] {
  const found: JsonObject[] = []
  let at = text.indexOf('{')
  while (at !== -1 && found.length < maxDocuments) {
    const end = endOfObject(text, at)
    if (end === undefined) break
    const { value, problem } = inspectJson(text.slice(at, end))
    const isWhole = problem === undefined && isObject(value)
    if (isWhole) found.push(value)
    at = text.indexOf('{', isWhole ? end : at + 1)
    // What is no document is not searched for ever.
    if (!isWhole && found.length === 0 && at > maxNoise) break
  }
  return found
}

const maxNoise = 100_000

/** Where the object that begins here ends, by its brackets. */
function endOfObject(text: string, start: number): number | undefined {
  let depth = 0
  let isText = false
  for (let at = start; at < text.length; at++) {
    const sign = text[at]
    if (isText) {
      if (sign === '\\') at++
      else if (sign === '"') isText = false
    } else if (sign === '"') isText = true
    else if (sign === '{') depth++
    else if (sign === '}' && --depth === 0) return at + 1
  }
  return undefined
}
