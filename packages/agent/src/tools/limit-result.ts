import type { MediaBlock, ToolFailure, ToolResult } from 'hookline/lifecycle'

const headBytes = 1_024

/** The result, or where it is too large a failure that shows how it begins. */
export function limitResult(result: ToolResult, maxBytes: number): ToolResult {
  const parts = partsOf(result)
  let chars = 0
  for (const part of parts) chars += part.length
  // A code unit has at most three bytes in UTF-8.
  if (chars * 3 <= maxBytes) return result
  let bytes = 0
  for (const part of parts) bytes += Buffer.byteLength(part)
  return bytes <= maxBytes ? result : tooLarge(result, { bytes, maxBytes })
}

/** Every string of a result that can be long. */
function partsOf(result: ToolResult): string[] {
  const parts: string[] = []
  for (const block of result.content) {
    if (block.type === 'text') parts.push(block.text)
    else parts.push(sourceOf(block), block.mediaType)
    if (block.type === 'file') parts.push(block.name ?? '')
    if (block.providerData !== undefined) {
      parts.push(JSON.stringify(block.providerData))
    }
  }
  if (!result.isError && result.data !== undefined) {
    parts.push(JSON.stringify(result.data))
  }
  return parts
}

function sourceOf({ source }: Exclude<MediaBlock, { type: 'text' }>): string {
  return source.type === 'url' ? source.url : source.data
}

function tooLarge(
  result: ToolResult,
  { bytes, maxBytes }: { readonly bytes: number; readonly maxBytes: number },
): ToolFailure {
  const text = `The result is too large: ${bytes} bytes, and the limit is ${maxBytes}. Ask for less, such as a range or with a filter.${headOf(result, maxBytes)}`
  return Object.freeze({
    content: Object.freeze([Object.freeze({ type: 'text', text })]),
    isError: true,
    error: result.isError ? result.error : 'tool',
  })
}

function headOf({ content }: ToolResult, maxBytes: number): string {
  const first = content.find((block) => block.type === 'text')
  if (!first || first.text === '') return ''
  const room = new Uint8Array(Math.min(headBytes, maxBytes))
  // It writes whole code points only.
  const { read } = new TextEncoder().encodeInto(first.text, room)
  return ` It begins:\n${first.text.slice(0, read)}`
}
