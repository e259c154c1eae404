import type {
  CompactionPostInput,
  CompactionPreInput,
  JsonObject,
  Reply,
  SubagentStartInput,
  SubagentStopInput,
  ToolPostBatchInput,
  ToolPostCallInput,
  ToolResult,
  TurnStopInput,
  UserContent,
} from 'hookline/lifecycle'
import { isObject } from '../printed.ts'
import { responseText } from '../response-text.ts'
import { callIn, responseIn, type Told, textIn } from './told.ts'
import type { ToldCall } from './told-call.ts'

const said = (text: string) => [{ type: 'text' as const, text }]

/** Undefined where it is not said what the user has said. */
export function contentIn({ stdin }: Told): UserContent | undefined {
  const prompt = textIn(stdin, 'transformedPrompt', 'prompt')
  return prompt === undefined ? undefined : said(prompt)
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

/** Undefined where one of the calls cannot be read. */
export function batchIn(told: Told): ToolPostBatchInput | undefined {
  const { tool_calls: calls } = told.stdin
  if (!Array.isArray(calls)) return undefined
  const results = calls.map((stdin) => {
    if (!isObject(stdin)) return undefined
    const call = callIn({ ...told, stdin, aliases: {} }, told.cwd)
    return call && { ...postCallIn({ ...told, stdin }, call) }
  })
  const read = results.filter((result) => result !== undefined)
  return read.length === calls.length ? { results: read } : undefined
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
