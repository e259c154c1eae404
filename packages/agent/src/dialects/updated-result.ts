import type { JsonObject, JsonValue, ToolResult } from 'hookline/lifecycle'
import type { Moment } from './moment.ts'
import { type Verdict, withLapse } from './verdict.ts'

/**
 * A result as a hook wants the model to see it. A text is one; anything else
 * needs the shape of the response that the hook was shown.
 */
export function readUpdatedResult(
  updated: JsonValue,
  response: JsonValue,
): ToolResult | undefined {
  if (typeof updated === 'string') return textResult(updated)
  if (!isSameShape(updated, response)) return undefined
  return { ...textResult(textFor(updated)), data: updated }
}

/** The verdict without a new result that has not the shape of what was shown. */
export function withReadableOutput(verdict: Verdict, moment: Moment): Verdict {
  const { updatedOutput, ...rest } = verdict
  if (moment.kind !== 'tool-post' || updatedOutput === undefined) return verdict
  if (readUpdatedResult(updatedOutput, moment.response)) return verdict
  const message = `The new result has not the shape that ${moment.call.name} gives; it was ignored.`
  return withLapse(rest, 'wrong-shape', message)
}

function textResult(text: string): ToolResult & { readonly isError: false } {
  return { content: [{ type: 'text', text }], isError: false }
}

/** What a model would have read of it. */
function textFor(value: JsonValue): string {
  if (Array.isArray(value)) {
    const texts = value.map((item) => (isObject(item) ? item['text'] : item))
    if (texts.every((text) => typeof text === 'string')) return texts.join('\n')
  }
  if (isObject(value)) {
    const { stdout, stderr } = value
    if (typeof stdout === 'string' && typeof stderr === 'string') {
      return [stdout, stderr].filter((text) => text !== '').join('\n')
    }
  }
  return JSON.stringify(value)
}

function isSameShape(updated: JsonValue, response: JsonValue): boolean {
  if (Array.isArray(updated)) return Array.isArray(response)
  if (!isObject(updated) || !isObject(response)) {
    return typeof updated === typeof response
  }
  const keys = Object.keys(updated)
  return keys.length > 0 && keys.every((key) => Object.hasOwn(response, key))
}

function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
