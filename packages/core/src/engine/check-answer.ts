import { type AnswerType, payloadKeys } from './answer.ts'
import { isPlain, sealData } from './data.ts'
import { type FailureCode, type HookError, hookError } from './error.ts'
import type { Hook } from './hook.ts'
import { cleanText } from './text.ts'

/** An answer that was checked whole: what it says, read once, frozen. */
export interface CheckedAnswer {
  readonly type: AnswerType | 'proceed'
  readonly payload?: unknown
}

const maxTextChars = 4_000

/** Reads an answer once and checks all of it, or says why it is none. */
export function checkAnswer(
  hook: Hook,
  given: unknown,
): CheckedAnswer | HookError<FailureCode> {
  const { on: point, name } = hook
  const refuse = (code: FailureCode, problem: string) =>
    hookError(code, name, `gave an answer that ${problem}`)
  try {
    if (!isPlain(given)) {
      return refuse('invalid-answer', 'is none')
    }
    const type = given['type'] as AnswerType | 'proceed'
    if (type === 'proceed') return { type }
    if (!Object.hasOwn(payloadKeys, type)) {
      return refuse('invalid-answer', 'has no known type')
    }
    const key = payloadKeys[type]
    if (!point.answers.has(type)) {
      const allowed = ['proceed', ...point.answers].join(', ')
      const problem = `is "${type}", but ${point.name} allows only: ${allowed}`
      return refuse('answer-not-allowed', problem)
    }
    if (key === 'value' && !hook.writes) {
      const problem = `is "${type}" without declaring writes`
      return refuse('answer-not-allowed', problem)
    }
    const right = point.rights.get(type)
    if (right !== undefined && !hook.capabilities?.includes(right)) {
      return refuse('missing-capability', `lacks the capability "${right}"`)
    }
    const payload = given[key]
    if (key === 'value' || key === 'output') {
      const problem = sealData(payload, point.limits)
      if (problem === undefined) return { type, payload }
      return refuse(problem, `carries what is ${problem}`)
    }
    // A refusal that forgot its reason is a refusal all the same.
    const text = payload === undefined && type === 'reject' ? '' : payload
    if (typeof text !== 'string') {
      return refuse('invalid-answer', 'carries no text')
    }
    return {
      type,
      payload: cleanText(text, maxTextChars) || 'No reason given.',
    }
  } catch {
    return refuse('invalid-answer', 'cannot be read')
  }
}
