import type { JsonObject } from 'hookline/lifecycle'
import { isObject } from './printed.ts'
import { type Verdict, withLapse } from './verdict.ts'

/**
 * Who allows a call with other arguments does not allow it as it is: where
 * those are said in words that the product does not read, nothing is allowed.
 */
export function unlessLost(verdict: Verdict, document: JsonObject): Verdict {
  const { decision, reason: _, ...rest } = verdict
  if (decision !== 'allow' || rest.updatedInput !== undefined) return verdict
  const lost = argumentsIn(document)
  if (lost === undefined) return verdict
  const message = `It allows a call with other arguments, but its "${lost}" has no effect here; it has allowed nothing.`
  return withLapse(rest, 'not-honoured', message)
}

/** What the products call other arguments, at the top and further in. */
const outerKeys = ['updatedInput', 'updated_input', 'modifiedArgs']
const innerKeys = [...outerKeys, 'tool_input']

function argumentsIn(document: JsonObject): string | undefined {
  const { hookSpecificOutput: specific } = document
  const inner = isObject(specific) ? specific : {}
  const answer = isObject(inner['decision']) ? inner['decision'] : {}
  return (
    keyIn(document, outerKeys) ??
    keyIn(inner, innerKeys) ??
    keyIn(answer, innerKeys)
  )
}

function keyIn(from: JsonObject, keys: readonly string[]): string | undefined {
  return keys.find((key) => (from[key] ?? undefined) !== undefined)
}
