import type { ModelErrorCode, StopReason, Usage } from 'hookline/lifecycle'
import { checkArgs, checkContent } from './check-content.ts'
import {
  checkCount,
  checkFlag,
  checkList,
  checkObject,
  checkOneOf,
  checkText,
  type Place,
  wrong,
} from './check-value.ts'
import {
  conflictIn,
  type ScriptedCall,
  type ScriptedError,
  type ScriptStep,
} from './script-step.ts'

/** A step that comes from a file; one in code can wait for promises too. */
export type WrittenStep = Omit<ScriptStep, 'waitFor'>

/** Reads what a file has for a step; throws an `AgentError` if it is none. */
export function readStep(value: unknown, number: number): WrittenStep {
  const place: Place = { step: number, path: '' }
  checkKeys(value, place)
  // Every key has just been checked, and there are no others.
  const step = value as WrittenStep
  const conflict = conflictIn(step)
  if (conflict !== undefined) throw wrong(place, conflict)
  return step
}

const stopReasons: Readonly<Record<StopReason, true>> = {
  end_turn: true,
  tool_calls: true,
  max_tokens: true,
  stop_sequence: true,
  refusal: true,
  other: true,
}

const errorCodes: Readonly<Record<ModelErrorCode, true>> = {
  rate_limited: true,
  overloaded: true,
  unavailable: true,
  timeout: true,
  context_too_long: true,
  invalid_request: true,
  unauthorized: true,
  content_filtered: true,
  unknown: true,
}

const checkCall = checkObject<ScriptedCall>(
  { tool: checkText, args: checkArgs, id: checkText },
  ['tool'],
)

const checkUsage = checkObject<Partial<Usage>>(
  {
    inputTokens: checkCount,
    outputTokens: checkCount,
    cacheReadTokens: checkCount,
    cacheWriteTokens: checkCount,
    reasoningTokens: checkCount,
  },
  [],
)

const checkError = checkObject<ScriptedError>(
  {
    code: checkOneOf(errorCodes),
    message: checkText,
    isRetryable: checkFlag,
    retryAfterMs: checkCount,
    httpStatus: checkCount,
  },
  ['code'],
)

const checkKeys = checkObject<WrittenStep>(
  {
    text: checkText,
    reasoning: checkText,
    calls: checkList(checkCall),
    content: checkContent,
    stopReason: checkOneOf(stopReasons),
    usage: checkUsage,
    error: checkError,
    chunks: checkCount,
    cutAfter: checkCount,
    afterMs: checkCount,
  },
  [],
)
