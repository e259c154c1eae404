import type {
  CompactionPostInput,
  CompactionPreInput,
  JsonObject,
  LlmPostCallInput,
  LlmPreCallInput,
  ModelRequest,
  Reply,
  SubagentStartInput,
  SubagentStopInput,
  ToolPostBatchInput,
  ToolPostCallInput,
  ToolResult,
  TurnStopInput,
  UserContent,
} from 'hookline/lifecycle'
import { updatedRequest, updatedResponse } from '../gemini/model-words.ts'
import { isObject } from '../printed.ts'
import { responseText } from '../response-text.ts'
import { callIn, responseIn, type Told, textIn } from './told.ts'
import { readCall, type ToldCall } from './told-call.ts'

const noCall = readCall({
  ...{ dialect: 'claude-code', name: '', input: {}, id: '', cwd: '' },
  aliases: {},
})

const said = (text: string) => [{ type: 'text' as const, text }]

export function contentIn({ stdin }: Told): UserContent {
  return said(textIn(stdin, 'transformedPrompt', 'prompt') ?? '')
}

function resultIn(told: Told): ToolResult {
  const { stdin, kind } = told
  if (kind === 'tool-failure' || hasFailed(stdin)) {
    const error = textIn(stdin, 'error', 'error_message') ?? ''
    return { content: said(error), isError: true, error: 'tool' }
  }
  const response = responseIn(stdin)
  const content = said(responseText(response))
  return typeof response === 'string'
    ? { content, isError: false }
    : { content, isError: false, data: response }
}

/** Gemini has one event for both. */
function hasFailed({ tool_response: response }: JsonObject): boolean {
  return Object.hasOwn(Object(response), 'error')
}

export function postCallIn(told: Told, { call }: ToldCall): ToolPostCallInput {
  const { grant: _, ...ended } = call
  const { duration, duration_ms } = told.stdin
  return {
    call: ended,
    result: resultIn(told),
    status: 'executed',
    elapsedMs: Number(duration_ms ?? duration ?? 0),
  }
}

export function batchIn(told: Told): ToolPostBatchInput {
  const calls = told.stdin['tool_calls']
  const ended = Array.isArray(calls) ? calls.filter(isObject) : []
  return {
    results: ended.map((stdin) => {
      const call = callIn({ ...told, stdin, aliases: {} }, told.cwd)
      return { ...postCallIn({ ...told, stdin }, call ?? noCall) }
    }),
  }
}

export function stopIn({ stdin }: Told): TurnStopInput {
  return {
    stopReason: 'end_turn',
    reply: replyIn(stdin),
    continuesSoFar: continuesIn(stdin),
    isVoluntary: true,
  }
}

function replyIn(stdin: JsonObject): Reply {
  const keys = [
    'last_assistant_message',
    'prompt_response',
    'response',
    'result',
  ]
  return said(textIn(stdin, ...keys) ?? '')
}

function continuesIn({ stop_hook_active, loop_count }: JsonObject): number {
  if (typeof loop_count === 'number') return loop_count
  return stop_hook_active === true ? 1 : 0
}

export function childIn({ stdin }: Told): SubagentStartInput {
  const keys = ['agent_type', 'subagent_type', 'agentType', 'agentName']
  const child = textIn(stdin, ...keys) ?? 'agent'
  return { parent: 'main', child, task: textIn(stdin, 'prompt', 'task') ?? '' }
}

export function childEndIn(told: Told): SubagentStopInput {
  const { stdin } = told
  return {
    ...childIn(told),
    status: 'succeeded',
    reply: replyIn(stdin),
    continuesSoFar: continuesIn(stdin),
  }
}

const noBudget = { usedTokens: 0, maxTokens: 0, targetTokens: 0 }

export function compactionIn({ stdin }: Told): CompactionPreInput {
  const keys = ['custom_instructions', 'customInstructions']
  const instructions = textIn(stdin, ...keys) ?? ''
  return {
    messages: [],
    budget: noBudget,
    trigger: triggerIn(stdin),
    hint: instructions === '' ? {} : { instructions },
  }
}

export function compactedIn({ stdin }: Told): CompactionPostInput {
  const summary = textIn(stdin, 'compact_summary') ?? ''
  return { removedCount: 0, summary, trigger: triggerIn(stdin) }
}

function triggerIn({ trigger }: JsonObject): CompactionPreInput['trigger'] {
  return trigger === 'manual' ? 'manual' : 'threshold'
}

const nothing: ModelRequest = {
  model: '',
  messages: [],
  tools: [],
  settings: {},
}

/** Undefined where the product tells no request, or one that makes no sense. */
export function requestIn({ stdin }: Told): LlmPreCallInput | undefined {
  const given = stdin['llm_request'] ?? null
  const request = updatedRequest(nothing, given)
  return request === undefined ? undefined : { request, attempt: 1 }
}

export function replyOfModelIn(told: Told): LlmPostCallInput | undefined {
  const { stdin } = told
  const text = textIn(stdin, 'text')
  const given = stdin['llm_response'] ?? (text === undefined ? null : { text })
  const response = updatedResponse(given)
  if (response === undefined) return undefined
  const asked = requestIn(told) ?? { request: nothing, attempt: 1 }
  return { ...asked, type: 'response', response, elapsedMs: 0 }
}
