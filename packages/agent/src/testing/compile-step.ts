import { freezeDeep } from 'hookline'
import type {
  ModelContent,
  ModelError,
  ModelErrorCode,
  ModelResponse,
  TextEvent,
  Usage,
} from 'hookline/lifecycle'
import { AgentError } from '../ports/agent-error.ts'
import {
  conflictIn,
  type ScriptedCall,
  type ScriptedError,
  type ScriptStep,
} from './script-step.ts'
import { partsOf } from './step-parts.ts'

/** A step with everything made that can be made before it is called. */
export interface CompiledStep {
  readonly step: ScriptStep
  readonly response: ModelResponse
  /** What it fails with, when it has been streamed. */
  readonly error: ModelError | undefined
  /** Made at the first use: most calls stream nothing. */
  parts(): readonly TextEvent[]
}

interface StepPlace {
  readonly number: number
  /** How many tool calls the script has made until here. */
  readonly callsBefore: number
}

export function compileStep(
  step: ScriptStep,
  { number, callsBefore }: StepPlace,
): CompiledStep {
  const conflict = conflictIn(step)
  if (conflict !== undefined) {
    throw new AgentError('invalid-script', `Step ${number} ${conflict}.`)
  }
  const { chunks, cutAfter } = step
  const response = responseOf(step, callsBefore)
  let parts: readonly TextEvent[] | undefined
  return {
    step,
    response,
    error: errorOf(step),
    parts: () => {
      parts ??= partsOf(response.content, { chunks, cutAfter })
      return parts
    },
  }
}

const usage: Usage = Object.freeze({ inputTokens: 10, outputTokens: 5 })

export function responseOf(
  step: ScriptStep,
  callsBefore: number,
): ModelResponse {
  const content = step.content ?? contentOf(step, callsBefore)
  const calls = content.some(({ type }) => type === 'tool_call')
  return freezeDeep({
    content,
    stopReason: step.stopReason ?? (calls ? 'tool_calls' : 'end_turn'),
    usage: step.usage ? { ...usage, ...step.usage } : usage,
  })
}

function contentOf(
  { text, reasoning, calls = [] }: ScriptStep,
  callsBefore: number,
): ModelContent {
  const content: ModelContent[number][] = []
  if (reasoning !== undefined) {
    content.push({ type: 'reasoning', text: reasoning })
  }
  if (text !== undefined) content.push({ type: 'text', text })
  for (const [index, call] of calls.entries()) {
    content.push(callOf(call, callsBefore + index + 1))
  }
  return content
}

function callOf({ tool, args = {}, id }: ScriptedCall, number: number) {
  return { type: 'tool_call', id: id ?? `call-${number}`, tool, args } as const
}

function errorOf({ error, cutAfter }: ScriptStep): ModelError | undefined {
  if (error) return Object.freeze(modelErrorOf(error))
  if (cutAfter === undefined) return undefined
  const message = 'The script cuts the stream here.'
  return Object.freeze(modelErrorOf({ code: 'unavailable', message }))
}

const retryable: ReadonlySet<ModelErrorCode> = new Set<ModelErrorCode>([
  'rate_limited',
  'overloaded',
  'unavailable',
  'timeout',
])

function modelErrorOf(error: ScriptedError): ModelError {
  const { code } = error
  const message = `The script fails this call: ${code}.`
  return { message, isRetryable: retryable.has(code), ...error }
}
