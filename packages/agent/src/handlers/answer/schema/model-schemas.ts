import { message, modelContent } from './content-schemas.ts'
import {
  anyOf,
  count,
  flag,
  is,
  list,
  number,
  object,
  oneOf,
  record,
  recordOf,
  text,
  words,
} from './typed-schema.ts'

const toolDeclaration = object({
  name: text,
  description: text,
  inputSchema: record,
})

export const modelSettings = object(
  {},
  {
    maxOutputTokens: number,
    temperature: number,
    topP: number,
    stopSequences: list(text),
    toolChoice: anyOf(
      oneOf('auto', 'none', 'required'),
      object({ tool: text }),
    ),
    reasoningEffort: oneOf('none', 'low', 'medium', 'high'),
    responseSchema: record,
    providerOptions: recordOf(record),
  },
)

export const modelRequest = object({
  model: words,
  messages: list(message),
  tools: list(toolDeclaration),
  settings: modelSettings,
})

export const stopReason = oneOf(
  'end_turn',
  'tool_calls',
  'max_tokens',
  'stop_sequence',
  'refusal',
  'other',
)

export const usage = object(
  { inputTokens: count, outputTokens: count },
  { cacheReadTokens: count, cacheWriteTokens: count, reasoningTokens: count },
)

export const modelResponse = object({
  content: modelContent,
  stopReason,
  usage,
})

export const modelAbilities = object(
  { tools: flag, images: flag, files: flag, reasoning: flag },
  { contextTokens: count },
)

export const modelError = object(
  {
    code: oneOf(
      'rate_limited',
      'overloaded',
      'unavailable',
      'timeout',
      'context_too_long',
      'invalid_request',
      'unauthorized',
      'content_filtered',
      'unknown',
    ),
    message: text,
    isRetryable: flag,
  },
  { retryAfterMs: number, httpStatus: number },
)

export const retryDecision = anyOf(
  object({ type: is('retry'), afterMs: count }),
  object({ type: is('switch_model'), model: words }, { afterMs: count }),
  object({ type: is('give_up') }),
  object({ type: is('answer'), response: modelResponse }),
)

export const compactionHint = object(
  {},
  { instructions: text, keepMessages: count, summary: text },
)
