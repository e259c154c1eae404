import type { JsonValue, ModelRequest } from 'hookline/lifecycle'
import { failed } from '../handler-ends.ts'
import { isObject } from '../printed.ts'
import { type Verdict, withLapse } from '../verdict.ts'

/** What the product calls a tool of ours. */
export type ToolNames = (tool: string) => string

const noneLeft =
  'Of the tools that it names none is left; hooks here take tools away, and give none back.'

/** Leaves the model the tools that a hook of BeforeToolSelection names. */
export function selectTools(
  request: ModelRequest,
  config: JsonValue | undefined,
  names: ToolNames,
): Verdict {
  if (config === undefined || config === null) return {}
  if (!isObject(config)) return failed('It has a wrong toolConfig.')
  const { mode = 'AUTO', allowedFunctionNames: allowed } = config
  if (mode === 'NONE') {
    const settings = { ...request.settings, toolChoice: 'none' as const }
    return { updatedRequest: { ...request, tools: [], settings } }
  }
  if (mode !== 'AUTO' && mode !== 'ANY') return failed('It has a wrong mode.')
  const isList = Array.isArray(allowed)
  if (allowed !== undefined && !isList) {
    return failed('It has wrong allowedFunctionNames.')
  }
  const tools = request.tools.filter(
    ({ name }) =>
      !isList || allowed.includes(names(name)) || allowed.includes(name),
  )
  const { toolChoice, ...rest } = request.settings
  // One of none cannot be wanted, whoever wanted it of those before.
  const isWanted = tools.length > 0 && toolChoice !== 'none'
  const choice = isWanted && mode === 'ANY' ? 'required' : toolChoice
  const isKept = choice !== undefined && (isWanted || choice === 'none')
  const settings = isKept ? { ...rest, toolChoice: choice } : rest
  const verdict: Verdict = { updatedRequest: { ...request, tools, settings } }
  const isLost = isList && allowed.length > 0 && tools.length === 0
  return isLost ? withLapse(verdict, 'conflict', noneLeft) : verdict
}
