import type { JsonValue, ToolCall } from 'hookline/lifecycle'
import { shownValue } from '../shared/rules/shown-value.ts'

const maxValue = 300
const maxArgs = 1_000

/** What people are asked where a rule does not say. */
export const defaultQuestion = 'May {tool} run with {args}?'

const place = /\{(tool|owner|safety|agent|args(?:\.[^{}]{1,200})?)\}/g

/**
 * Fills in a question. Values come from a model: they are quoted, bounded, and
 * cannot pass for words of the question.
 */
export function questionText(
  template: string,
  call: ToolCall,
  agent: string,
): string {
  return template.replace(place, (_, name: string) => {
    if (name === 'tool') return shownValue(call.tool, maxValue)
    if (name === 'owner') return shownValue(call.owner, maxValue)
    if (name === 'safety') return call.safety
    if (name === 'agent') return shownValue(agent, maxValue)
    if (name === 'args') return shownValue(call.args, maxArgs)
    const path = name.split('.').slice(1)
    return shownValue(valueAt(call.args, path), maxValue)
  })
}

function valueAt(
  args: JsonValue,
  path: readonly string[],
): JsonValue | undefined {
  let here: JsonValue | undefined = args
  for (const key of path) {
    if (typeof here !== 'object' || here === null) return undefined
    if (!Object.hasOwn(here, key)) return undefined
    here = (here as Readonly<Record<string, JsonValue>>)[key]
  }
  return here
}
