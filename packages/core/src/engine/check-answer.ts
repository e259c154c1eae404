import { type AnswerType, payloadOf } from './answer.ts'
import { sealData } from './data.ts'
import { type FailureCode, HookError } from './error.ts'
import type { Hook } from './hook.ts'
import { cleanText } from './text.ts'

/** An answer that was checked whole: what it says, read once, frozen. */
export interface CheckedAnswer {
  readonly type: AnswerType | 'proceed'
  readonly payload: unknown
}

const maxTextPoints = 4_000
const noText = 'No reason was given.'

/** Reads an answer once and checks all of it, or says why it is none. */
export function checkAnswer(
  hook: Hook,
  answer: unknown,
): CheckedAnswer | HookError<FailureCode> {
  try {
    return readAnswer(hook, answer)
  } catch (cause) {
    return invalid(hook, 'cannot be read', cause)
  }
}

function readAnswer(
  hook: Hook,
  answer: unknown,
): CheckedAnswer | HookError<FailureCode> {
  if (typeof answer !== 'object' || answer === null) {
    const what = answer === null ? 'null' : typeof answer
    return invalid(hook, `is ${what}; return an answer on every path`)
  }
  const prototype = Object.getPrototypeOf(answer)
  if (prototype !== Object.prototype && prototype !== null) {
    return invalid(hook, 'is not a plain object')
  }
  const read = answer as Record<string, unknown>
  const type = Object.hasOwn(read, 'type') ? read['type'] : undefined
  if (type === 'proceed') return { type, payload: undefined }
  if (!isAnswerType(type)) return invalid(hook, 'has no known type')
  const refusal = refuse(hook, type)
  if (refusal !== undefined) return refusal
  const { key, text } = payloadOf[type]
  const payload = Object.hasOwn(read, key) ? read[key] : undefined
  if (text) return readText(hook, type, payload)
  const problem = sealData(payload, hook.on.limits)
  if (problem === undefined) return { type, payload }
  return new HookError(
    problem,
    `What hook "${hook.name}" answered with "${type}" is ${problem}.`,
    { hook: hook.name },
  )
}

function isAnswerType(type: unknown): type is AnswerType {
  return typeof type === 'string' && Object.hasOwn(payloadOf, type)
}

function refuse(
  hook: Hook,
  type: AnswerType,
): HookError<FailureCode> | undefined {
  const { on: point, name } = hook
  if (!point.answers.has(type)) {
    const allowed = ['proceed', ...point.answers].join(', ')
    return new HookError(
      'answer-not-allowed',
      `Hook "${name}" answered "${type}", but ${point.name} allows only: ${allowed}.`,
      { hook: name },
    )
  }
  if ((type === 'transform' || type === 'replace') && !hook.writes) {
    return new HookError(
      'answer-not-allowed',
      `Hook "${name}" answered "${type}" without declaring writes: true.`,
      { hook: name },
    )
  }
  const right = point.rights.get(type)
  if (right === undefined || hook.capabilities?.includes(right)) {
    return undefined
  }
  return new HookError(
    'missing-capability',
    `Hook "${name}" answered "${type}" without the capability "${right}".`,
    { hook: name },
  )
}

function readText(
  hook: Hook,
  type: AnswerType,
  payload: unknown,
): CheckedAnswer | HookError<FailureCode> {
  if (typeof payload === 'string') {
    return { type, payload: cleanText(payload, maxTextPoints).trim() || noText }
  }
  // A refusal that forgot its reason is a refusal all the same.
  if (type === 'reject') return { type, payload: noText }
  return invalid(hook, `"${type}" carries no text`)
}

function invalid(
  hook: Hook,
  problem: string,
  cause?: unknown,
): HookError<FailureCode> {
  return new HookError(
    'invalid-answer',
    `The answer of hook "${hook.name}" ${problem}.`,
    { hook: hook.name, cause },
  )
}
