import type { JsonObject } from 'hookline/lifecycle'
import type { Capability } from '../capability.ts'
import { capabilitiesOf } from './product.ts'
import { inShapeOf } from './render.ts'
import type { Said } from './said.ts'
import type { Told } from './told.ts'

/** Some results cannot be changed: of tools but MCP's, of an unknown shape. */
export function capableOf({
  dialect,
  event,
  call,
  stdin,
}: Told): readonly Capability[] {
  const can = capabilitiesOf(dialect, event)
  const isMcp = call?.claudeName.startsWith('MCP:') ?? false
  const isFixed =
    (dialect === 'cursor' && !isMcp) ||
    (dialect === 'claude-code' &&
      inShapeOf(stdin['tool_response'], '') === undefined)
  return isFixed ? can.filter((one) => one !== 'rewrite-result') : can
}

/** Whether a call can run with other arguments than the product has for it. */
export function canRunWith(told: Told, updatedInput: JsonObject): boolean {
  const isAble = capableOf(told).includes('rewrite-args')
  return isAble && inItsWords({ updatedInput }, told) !== undefined
}

/** Undefined where the product has no words for what was changed. */
export function inItsWords(
  said: Said,
  { dialect, call }: Told,
): Said | undefined {
  const { updatedInput } = said
  if (updatedInput === undefined || call === undefined) return said
  const input = call.inItsWords(updatedInput)
  if (input === undefined) return undefined
  // Gemini adds what it is given, so that nothing can be taken away.
  const isMerged = dialect === 'gemini'
  const isLess = Object.keys(call.input).some(
    (key) => !Object.hasOwn(input, key),
  )
  return isMerged && isLess ? undefined : { ...said, updatedInput: input }
}
