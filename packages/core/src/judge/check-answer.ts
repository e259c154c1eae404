import {
  type AnswerType,
  type CheckedAnswer,
  type FailureCode,
  type HookDescriptor,
  type HookError,
  hookError,
  isPlain,
  type Point,
  payloadKeys,
} from '../engine/index.ts'
import { cleanText } from './clean-text.ts'
import { sealData } from './seal-data.ts'

const maxTextChars = 4_000

/** Reads an answer once and checks all of it, or says why it is none. */
export function checkAnswer(
  { name, writes, capabilities }: HookDescriptor,
  point: Point,
  given: unknown,
): CheckedAnswer | HookError<FailureCode> {
  const refuse = (code: FailureCode, problem: string) =>
    hookError(code, name, `gave an answer that ${problem}`)
  try {
    if (!isPlain(given) || Array.isArray(given)) {
      const what = given === null ? 'null' : typeof given
      return refuse('invalid-answer', `is ${what}; return one on every path`)
    }
    const read = (key: string) =>
      Object.hasOwn(given, key) ? given[key] : undefined
    const type = read('type')
    if (type === 'proceed') return { type }
    if (!isAnswerType(type))
      return refuse('invalid-answer', 'has no known type')
    const key = payloadKeys[type]
    if (!point.answers.has(type)) {
      const allowed = ['proceed', ...point.answers].join(', ')
      const problem = `is "${type}", but ${point.name} allows only: ${allowed}`
      return refuse('answer-not-allowed', problem)
    }
    if (key === 'value' && !writes) {
      const problem = `is "${type}" without declaring writes`
      return refuse('answer-not-allowed', problem)
    }
    const right = point.rights.get(type)
    if (right !== undefined && !capabilities.includes(right)) {
      return refuse('missing-capability', `lacks the capability "${right}"`)
    }
    const payload = read(key)
    if (key === 'value' || key === 'output') {
      const sealed = sealData(payload, point.limits)
      if (sealed.problem === undefined) return { type, payload: sealed.value }
      return refuse(sealed.problem, `carries what is ${sealed.problem}`)
    }
    const text =
      typeof payload === 'string' ? cleanText(payload, maxTextChars) : ''
    // A refusal that forgot its reason is a refusal all the same.
    const reason = text === '' && type === 'reject' ? 'No reason given.' : text
    if (reason !== '') return { type, payload: reason, reason }
    return refuse('invalid-answer', 'carries no text')
  } catch {
    return refuse('invalid-answer', 'cannot be read')
  }
}

function isAnswerType(type: unknown): type is AnswerType {
  return typeof type === 'string' && Object.hasOwn(payloadKeys, type)
}
