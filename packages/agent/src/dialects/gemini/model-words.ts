import type {
  JsonObject,
  JsonValue,
  Message,
  ModelContent,
  ModelRequest,
  ModelResponse,
  ModelSettings,
  StopReason,
} from 'hookline/lifecycle'
import { textOf } from '../alias-call.ts'
import { isObject } from '../printed.ts'

/** A request as hooks of Gemini CLI know it: texts only, no instructions. */
export function requestOf(request: ModelRequest): JsonObject {
  const { temperature, topP, maxOutputTokens, stopSequences } = request.settings
  return {
    model: request.model,
    messages: spokenIn(request).map(messageOf),
    config: {
      ...(temperature !== undefined && { temperature }),
      ...(topP !== undefined && { topP }),
      ...(maxOutputTokens !== undefined && { maxOutputTokens }),
      ...(stopSequences !== undefined && { stopSequences: [...stopSequences] }),
    },
  }
}

function spokenIn({ messages }: ModelRequest): readonly Message[] {
  return messages.filter(({ role }) => role !== 'system')
}

export function messageOf({ role, content }: Message): JsonObject {
  const said = content.map((block) =>
    block.type === 'tool_result'
      ? { type: 'text', text: textOf(block.content) }
      : block,
  )
  return {
    role: roles[role],
    content: textOf(said),
  }
}

const roles: Readonly<Record<Message['role'], string>> = {
  system: 'system',
  user: 'user',
  assistant: 'model',
  tool: 'user',
}

/** What a hook wants to be asked instead; undefined where it cannot be read. */
export function updatedRequest(
  request: ModelRequest,
  given: JsonValue,
): ModelRequest | undefined {
  if (!isObject(given)) return undefined
  const { model = request.model, messages, config } = given
  if (typeof model !== 'string' || model === '') return undefined
  const said =
    messages === undefined ? request.messages : messagesOf(request, messages)
  if (said === undefined) return undefined
  const settings = { ...request.settings, ...settingsOf(config) }
  return { ...request, model, messages: said, settings }
}

/** Messages that were not changed keep what is not text in them. */
function messagesOf(
  request: ModelRequest,
  given: JsonValue,
): readonly Message[] | undefined {
  if (!Array.isArray(given)) return undefined
  const spoken = spokenIn(request)
  const system = request.messages.filter(({ role }) => role === 'system')
  const read = given.map((message, at) => readMessage(message, spoken[at]))
  const isReadable = (message: Message | undefined) => message !== undefined
  if (!read.every(isReadable)) return undefined
  return [...system, ...read.filter((message) => message !== undefined)]
}

function readMessage(
  given: JsonValue,
  before: Message | undefined,
): Message | undefined {
  if (!isObject(given)) return undefined
  const { role, content } = given
  const text = typeof content === 'string' ? content : partsOf(content)
  if (text === undefined) return undefined
  if (before !== undefined) {
    const known = messageOf(before)
    if (known['role'] === role && known['content'] === text) return before
  }
  const blocks = [{ type: 'text' as const, text }]
  if (role === 'model') return { role: 'assistant', content: blocks }
  return role === 'user' ? { role: 'user', content: blocks } : undefined
}

function settingsOf(config: JsonValue | undefined): ModelSettings {
  if (!isObject(config)) return {}
  const number = (key: string) => {
    const value = config[key]
    return typeof value === 'number' ? value : undefined
  }
  const temperature = number('temperature')
  const topP = number('topP')
  const maxOutputTokens = number('maxOutputTokens')
  return {
    ...(temperature !== undefined && { temperature }),
    ...(topP !== undefined && { topP }),
    ...(maxOutputTokens !== undefined && { maxOutputTokens }),
  }
}

const finishReasons: Readonly<Record<StopReason, string>> = {
  end_turn: 'STOP',
  tool_calls: 'STOP',
  stop_sequence: 'STOP',
  max_tokens: 'MAX_TOKENS',
  refusal: 'SAFETY',
  other: 'OTHER',
}

export function responseOf({
  content,
  stopReason,
  usage,
}: ModelResponse): JsonObject {
  const text = textOf(content)
  return {
    text,
    candidates: [
      {
        content: { role: 'model', parts: [text] },
        finishReason: finishReasons[stopReason],
        index: 0,
      },
    ],
    usageMetadata: {
      promptTokenCount: usage.inputTokens,
      candidatesTokenCount: usage.outputTokens,
      totalTokenCount: usage.inputTokens + usage.outputTokens,
    },
  }
}

const noUsage = { inputTokens: 0, outputTokens: 0 }

/** A reply that a hook gives; what was no text in the one before stays. */
export function updatedResponse(
  given: JsonValue,
  before?: ModelResponse,
): ModelResponse | undefined {
  if (!isObject(given)) return undefined
  const { candidates } = given
  const first = Array.isArray(candidates) ? candidates[0] : undefined
  const content = isObject(first) ? first['content'] : undefined
  const parts = isObject(content) ? partsOf(content['parts']) : undefined
  const whole = given['text']
  const text = parts ?? (typeof whole === 'string' ? whole : undefined)
  if (text === undefined) return undefined
  const spoken = { type: 'text' as const, text }
  const said: ModelContent = before?.content ?? [spoken]
  const at = said.findIndex(({ type }) => type === 'text')
  const rest = said.flatMap((block, index): readonly (typeof block)[] => {
    if (block.type !== 'text') return [block]
    return index === at ? [spoken] : []
  })
  const isCut = isObject(first) && first['finishReason'] === 'MAX_TOKENS'
  return {
    content: at === -1 ? [spoken, ...rest] : rest,
    stopReason: before?.stopReason ?? (isCut ? 'max_tokens' : 'end_turn'),
    usage: before?.usage ?? noUsage,
  }
}

function partsOf(parts: JsonValue | undefined): string | undefined {
  if (!Array.isArray(parts)) return undefined
  const texts = parts.map((part) => (isObject(part) ? part['text'] : part))
  if (!texts.every((text) => typeof text === 'string')) return undefined
  return texts.join('')
}
