import type { JsonValue, ToolResult, ToolSuccess } from 'hookline/lifecycle'

/**
 * What a tool may return: text, any other JSON value, or a whole result. An
 * object with `content` and `isError` is taken for a result.
 */
export type ToolOutput = JsonValue | ToolResult | undefined

export function resultOf(output: ToolOutput): ToolResult {
  if (output === undefined) return success('')
  if (typeof output === 'string') return success(output)
  if (isResult(output)) return output
  const text = JSON.stringify(output)
  // Read back, so that programs are told just what the model is told.
  const data: JsonValue = JSON.parse(text)
  return { ...success(text), data }
}

function success(text: string): ToolSuccess {
  return { content: [{ type: 'text', text }], isError: false }
}

function isResult(output: JsonValue | ToolResult): output is ToolResult {
  return (
    typeof output === 'object' &&
    output !== null &&
    'isError' in output &&
    typeof output.isError === 'boolean' &&
    'content' in output &&
    Array.isArray(output.content)
  )
}
