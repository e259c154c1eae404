import type {
  JsonObject,
  JsonValue,
  LlmPostCallInput,
  LlmPreCallInput,
  Message,
  ModelRequest,
  ModelResponse,
  StopReason,
  TextBlock,
  ToolCallBlock,
  ToolResultBlock,
} from 'hookline/lifecycle'
import { isSameData } from '../../data/same-data.ts'
import { textOf } from '../alias-call.ts'
import { messageOf, requestOf, updatedRequest } from '../gemini/model-words.ts'
import { isObject } from '../printed.ts'
import { responseText } from '../response-text.ts'
import { inputIn, type Told, textIn } from './told.ts'
import { objectIn, readCall } from './told-call.ts'

const nothing: ModelRequest = {
  model: '',
  messages: [],
  tools: [],
  settings: {},
}

/** What a model is to be asked with; undefined where it cannot be read. */
export function requestIn(told: Told): LlmPreCallInput | undefined {
  const { llm_request: given } = told.stdin
  if (!isObject(given)) return undefined
  const request = updatedRequest(nothing, { ...given, messages: [] })
  const { messages: said = [] } = given
  const messages = allOf(said, (one) => messageIn(one, told))
  if (request === undefined || messages === undefined) return undefined
  return { request: { ...request, messages }, attempt: 1 }
}

/** What a model has said; undefined where it cannot be read. */
export function replyOfModelIn(told: Told): LlmPostCallInput | undefined {
  const { llm_request: request = null, ...stdin } = told.stdin
  const text = textIn(stdin, 'text')
  const given = stdin['llm_response'] ?? (text === undefined ? null : { text })
  const response = responseIn(given, told)
  // Not every product says what its model was asked with.
  const isUntold = request === null
  const asked = isUntold ? { request: nothing, attempt: 1 } : requestIn(told)
  if (response === undefined || asked === undefined) return undefined
  return { ...asked, type: 'response', response, elapsedMs: 0 }
}

/** A changed request as Gemini CLI reads it; what is as it was, it has told. */
export function requestForGemini(
  request: ModelRequest,
  told: Told,
): JsonObject {
  const { messages: parts } = objectIn(told.stdin['llm_request'])
  const given = Array.isArray(parts) ? parts : []
  const before = given.map((one) => messageIn(one, told))
  const messages = request.messages.map((message) => {
    const at = before.findIndex((one) => isSameData(one, message))
    return given[at] ?? messageOf(message)
  })
  return { ...requestOf(request), messages }
}

function messageIn(given: JsonValue, told: Told): Message | undefined {
  if (!isObject(given)) return undefined
  const { role, content: parts } = given
  const blocks = blocksIn(parts, told)
  if (blocks === undefined) return undefined
  if (role === 'system') return { role, content: blocks.map(asText) }
  if (role === 'model') {
    const content = blocks.map((block) =>
      block.type === 'tool_result' ? asText(block) : block,
    )
    return { role: 'assistant', content }
  }
  if (role !== 'user') return undefined
  const results = blocks.filter((block) => block.type === 'tool_result')
  const isOfTools = results.length > 0 && results.length === blocks.length
  return isOfTools
    ? { role: 'tool', content: results }
    : { role, content: blocks.map(asText) }
}

function responseIn(given: JsonValue, told: Told): ModelResponse | undefined {
  if (!isObject(given)) return undefined
  const candidates = given['candidates'] ?? []
  const text = given['text'] ?? ''
  if (!Array.isArray(candidates) || typeof text !== 'string') return undefined
  const [first = {}] = candidates
  if (!isObject(first)) return undefined
  const { finishReason } = first
  const content = first['content'] ?? {}
  if (!isObject(content)) return undefined
  const blocks = blocksIn(content['parts'] ?? [], told)
  if (blocks === undefined) return undefined
  const said = blocks.map((block) =>
    block.type === 'tool_result' ? asText(block) : block,
  )
  const isSaid = text === '' || said.some(({ type }) => type === 'text')
  const isCall = said.some(({ type }) => type === 'tool_call')
  return {
    content: isSaid ? said : [textBlock(text), ...said],
    stopReason: isCall ? 'tool_calls' : stopReasonOf(finishReason),
    usage: { inputTokens: 0, outputTokens: 0 },
  }
}

function stopReasonOf(finishReason: JsonValue | undefined): StopReason {
  return finishReason === 'MAX_TOKENS' ? 'max_tokens' : 'end_turn'
}

type Block = TextBlock | ToolCallBlock | ToolResultBlock

/** A text may come in pieces, which are looked at as one. */
function blocksIn(
  content: JsonValue | undefined,
  told: Told,
): readonly Block[] | undefined {
  const parts = typeof content === 'string' ? [content] : content
  const read = allOf(parts, (part) => blockIn(part, told))
  if (read === undefined) return undefined
  const blocks: Block[] = []
  for (const block of read) {
    const last = blocks.at(-1)
    if (last?.type !== 'text' || block.type !== 'text') blocks.push(block)
    else blocks.splice(-1, 1, textBlock(last.text + block.text))
  }
  return blocks
}

function blockIn(part: JsonValue, told: Told): Block | undefined {
  if (typeof part === 'string') return textBlock(part)
  if (!isObject(part)) return undefined
  const { text, functionCall, functionResponse } = part
  const said = [text || undefined, functionCall, functionResponse]
  const isOne = said.filter((one) => one !== undefined).length < 2
  if (isOne && isObject(functionCall)) {
    const call = callIn(functionCall, told)
    return call && { type: 'tool_call', ...call }
  }
  if (isOne && isObject(functionResponse)) {
    return resultIn(functionResponse, told)
  }
  // What we have no block for can still be looked at.
  const isText = isOne && typeof text === 'string'
  return textBlock(isText ? text : JSON.stringify(part))
}

function resultIn(given: JsonObject, told: Told): ToolResultBlock | undefined {
  const call = callIn({ ...given, args: {} }, told)
  if (call === undefined) return undefined
  const content = [textBlock(responseText(given['response'] ?? ''))]
  const { id: callId, tool } = call
  return { type: 'tool_result', callId, tool, content, isError: false }
}

/** A call among other things that a model says, with our names. */
function callIn(given: JsonObject, { dialect, cwd }: Told) {
  const name = textIn(given, 'name')
  const input = inputIn(given['args'])
  if (!name || input === undefined) return undefined
  const id = textIn(given, 'id')
  const { call } = readCall({ dialect, name, input, id, cwd, aliases: {} })
  return { id: call.id, tool: call.tool, args: call.args }
}

const textBlock = (text: string): TextBlock => ({ type: 'text', text })

function asText(block: Block): TextBlock {
  if (block.type === 'text') return block
  if (block.type === 'tool_result') return textBlock(textOf(block.content))
  const { tool, args } = block
  return textBlock(JSON.stringify({ tool, args }))
}

/** Undefined as soon as one of them cannot be read. */
function allOf<T>(
  list: JsonValue | undefined,
  read: (one: JsonValue) => T | undefined,
): readonly T[] | undefined {
  if (!Array.isArray(list)) return undefined
  const all = list.map(read)
  const found = all.filter((one) => one !== undefined)
  return found.length === all.length ? found : undefined
}
