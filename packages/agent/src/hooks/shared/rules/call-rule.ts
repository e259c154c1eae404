import { compileCondition, HookError } from 'hookline'
import type { JsonObject, SafetyClass, ToolCall } from 'hookline/lifecycle'
import {
  described,
  jsonObject,
  list,
  type Shape,
  text,
  word,
} from '../../../define-hooks.ts'
import { compileWholeMatch } from './linear-pattern.ts'

/** Which calls of tools are meant: all that is said has to hold. */
export interface CallRuleOptions {
  /** Names, in which `*`, `?` and `{a,b}` are wildcards; absent: every tool. */
  readonly tools?: readonly string[]
  /** The worst that they can do; absent: whatever it is. */
  readonly safety?: readonly SafetyClass[]
  /** Conditions on arguments by path, as in `match` of hooks. */
  readonly args?: JsonObject
}

const engines = { regex: compileWholeMatch }

const conditions: Shape<JsonObject> = {
  ...jsonObject,
  read(node, reading) {
    const value = jsonObject.read(node, reading)
    if (value === undefined) return undefined
    try {
      compileCondition(value, engines)
      return value
    } catch (error) {
      const { path, report } = reading
      const message = `\`${path.join('.')}\` is no condition: ${whyNot(error)}`
      report.add({ code: 'wrong-value', at: node.at, path, message })
      return undefined
    }
  },
}

const glob = text({ maxLength: 200 })

export const callRuleFields = {
  tools: described(
    list(glob, { min: 1, max: 500 }),
    'Names of tools, in which * ? and {a,b} are wildcards; absent: every tool.',
  ),
  safety: described(
    list(word(['read_only', 'mutating', 'destructive', 'network']), {
      ...{ min: 1, max: 4 },
    }),
    'The worst that tools can do; absent: whatever it is.',
  ),
  args: described(
    conditions,
    'Conditions on arguments by path, as in match of hooks.',
  ),
}

/** Whether a call is meant; throws where that cannot be told. */
export function compileCallRule({
  tools,
  safety,
  args,
}: CallRuleOptions): (call: ToolCall) => boolean {
  const isTool = tools && compileCondition(tools)
  const isArgs = args && compileCondition(args, engines)
  return (call) =>
    (isTool?.(call.tool) ?? true) &&
    (safety?.includes(call.safety) ?? true) &&
    (isArgs?.(call.args) ?? true)
}

function whyNot(error: unknown): string {
  const cause = error instanceof HookError ? error.cause : undefined
  const first = error instanceof Error ? error.message : 'it cannot be read.'
  return cause instanceof Error ? `${first} (${cause.message})` : first
}
