import type {
  CompactionHint,
  Message,
  ModelContent,
  ModelRequest,
  ModelResponse,
  PermissionDecision,
  PreflightPlan,
  Reply,
  RetryDecision,
  ToolResult,
  Usage,
  UserContent,
} from 'hookline/lifecycle'

type Shape = Readonly<Record<string, unknown>>

function isShape(value: unknown): value is Shape {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export function isText(value: unknown): value is string {
  return typeof value === 'string'
}

function isListOf(value: unknown, isItem: (item: unknown) => boolean): boolean {
  if (!Array.isArray(value)) return false
  // Not by `every` or an iterator: on frozen lists they cost many times as much.
  for (let at = 0; at < value.length; at++) {
    if (!isItem(value[at])) return false
  }
  return true
}

function isSource(value: unknown): boolean {
  if (!isShape(value)) return false
  const { type, data, url } = value
  return (type === 'base64' && isText(data)) || (type === 'url' && isText(url))
}

function isMedia(value: unknown): boolean {
  if (!isShape(value)) return false
  const { type, text, mediaType, source } = value
  if (type === 'text') return isText(text)
  const isMedium = type === 'image' || type === 'file'
  return isMedium && isText(mediaType) && isSource(source)
}

function isSpoken(value: unknown): boolean {
  if (isMedia(value)) return true
  return (
    isShape(value) && value['type'] === 'reasoning' && isText(value['text'])
  )
}

function isCall(value: unknown): boolean {
  if (!isShape(value)) return false
  const { type, tool, args } = value
  return type === 'tool_call' && isText(tool) && isShape(args)
}

function isResultBlock(value: unknown): boolean {
  if (!isShape(value)) return false
  const { type, callId, content } = value
  return type === 'tool_result' && isText(callId) && isListOf(content, isMedia)
}

export function isUserContent(value: unknown): value is UserContent {
  return isListOf(value, isMedia)
}

export function isReply(value: unknown): value is Reply {
  return isListOf(value, isSpoken)
}

function isModelContent(value: unknown): value is ModelContent {
  return isListOf(value, (block) => isSpoken(block) || isCall(block))
}

function isCount(value: unknown): boolean {
  return value === undefined || (Number.isFinite(value) && Number(value) >= 0)
}

function isUsage(value: unknown): value is Usage {
  if (!isShape(value)) return false
  const { inputTokens, outputTokens } = value
  if (inputTokens === undefined || outputTokens === undefined) return false
  for (const key in value) if (!isCount(value[key])) return false
  return true
}

export function isModelResponse(value: unknown): value is ModelResponse {
  if (!isShape(value)) return false
  const { content, stopReason, usage } = value
  return isModelContent(content) && isText(stopReason) && isUsage(usage)
}

function isMessage(value: unknown): value is Message {
  if (!isShape(value)) return false
  const { role, content } = value
  switch (role) {
    case 'system':
    case 'user':
      return isUserContent(content)
    case 'assistant':
      return isModelContent(content)
    case 'tool':
      return isListOf(content, isResultBlock)
    default:
      return false
  }
}

function isDeclaration(value: unknown): boolean {
  if (!isShape(value)) return false
  const { name, description, inputSchema } = value
  return isText(name) && isText(description) && isShape(inputSchema)
}

export function isModelRequest(value: unknown): value is ModelRequest {
  if (!isShape(value)) return false
  const { model, messages, tools, settings } = value
  const isNamed = isText(model) && model !== ''
  const hasLists =
    isListOf(messages, isMessage) && isListOf(tools, isDeclaration)
  return isNamed && hasLists && isShape(settings)
}

export function isToolResult(value: unknown): value is ToolResult {
  if (!isShape(value)) return false
  const { content, isError, error } = value
  if (!isListOf(content, isMedia)) return false
  return isError === false || (isError === true && isText(error))
}

function isWait(value: unknown): boolean {
  return value === undefined || (Number.isFinite(value) && Number(value) >= 0)
}

export function isRetryDecision(value: unknown): value is RetryDecision {
  if (!isShape(value)) return false
  const { type, afterMs, model, response } = value
  switch (type) {
    case 'retry':
      return afterMs !== undefined && isWait(afterMs)
    case 'switch_model':
      return isText(model) && model !== '' && isWait(afterMs)
    case 'answer':
      return isModelResponse(response)
    default:
      return type === 'give_up'
  }
}

export function isDecision(value: unknown): value is PermissionDecision {
  if (!isShape(value)) return false
  const { type, reason, args } = value
  if (type === 'edit') return isShape(args)
  return type === 'allow' || (type === 'deny' && isText(reason))
}

export function isHint(value: unknown): value is CompactionHint {
  if (!isShape(value)) return false
  const { instructions, keepMessages, summary } = value
  const isOptional = (text: unknown) => text === undefined || isText(text)
  return isOptional(instructions) && isOptional(summary) && isWait(keepMessages)
}

export function isArgs(value: unknown): boolean {
  return isShape(value)
}

function isRecall(value: unknown): boolean {
  if (!isShape(value)) return false
  const { domain, query, maxResults } = value
  return isText(domain) && isText(query) && isCount(maxResults)
}

export function isPreflightPlan(value: unknown): value is PreflightPlan {
  if (!isShape(value)) return false
  const { source, recall, findings } = value
  const isKnown = source === 'model' || source === 'local' || source === 'none'
  const hasFindings = findings === undefined || isShape(findings)
  return isKnown && isListOf(recall, isRecall) && hasFindings
}
