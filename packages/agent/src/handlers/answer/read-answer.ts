import type { JsonObject, JsonValue } from 'hookline/lifecycle'
import type { WireContribution } from '../definition.ts'
import type { WireAnswer, WireDiagnostic } from '../handler.ts'
import { HandlerFailure } from '../handler-failure.ts'
import { answerKeys, isWireAnswerType } from './answer-keys.ts'
import type { JsonLimits, JsonProblem } from './json-limits.ts'
import { inspectJson } from './strict-json.ts'

export interface ReadAnswerOptions {
  /** The run that was asked; an answer that names another one is none. */
  readonly run: string
  /** An answer has to name it; default false. */
  readonly mustNameRun?: boolean
  /** What is wrong with silence; by default it means: go on. */
  readonly ifSilent?: string | undefined
  /** Those that its point has, to name them where it gives none; default: all. */
  readonly types?: readonly string[]
  readonly limits?: JsonLimits
}

/**
 * Reads what a handler said: one JSON object, `{"type": …}` with what its type
 * carries, and perhaps `run`, `contributions` and `diagnostics`. Anything else
 * throws a `HandlerFailure`; nothing invalid is read as an answer.
 */
export function readAnswer(
  text: string | Uint8Array,
  { run, mustNameRun = false, ifSilent, types, limits }: ReadAnswerOptions,
): WireAnswer {
  if (isBlank(text)) {
    if (ifSilent === undefined) return silence
    throw new HandlerFailure('missing', ifSilent)
  }
  const { value, problem } = inspectJson(text, limits)
  if (problem !== undefined)
    return refusalIn(value, problem, { run, mustNameRun })
  if (!isObject(value)) {
    throw invalid('It is no JSON object; answer with {"type": "proceed"}')
  }
  checkRun(value, { run, mustNameRun })
  const unknown = unknownKeys(value)
  return {
    answer: answerIn(value, types),
    contributions: listIn(value, 'contributions', contributionIn),
    diagnostics: [
      ...(unknown > 0 ? [unknownNote(unknown)] : []),
      ...listIn(value, 'diagnostics', diagnosticIn),
    ],
  }
}

const silence: WireAnswer = Object.freeze({
  answer: Object.freeze({ type: 'proceed' }),
  contributions: Object.freeze([]),
  diagnostics: Object.freeze([]),
})

/** Nothing but the white space of JSON, perhaps after a byte order mark. */
function isBlank(text: string | Uint8Array): boolean {
  if (typeof text === 'string') return /^\ufeff?[ \t\r\n]*$/.test(text)
  const hasMark = text[0] === 0xef && text[1] === 0xbb && text[2] === 0xbf
  const isSpace = (byte: number) =>
    byte === 0x20 || byte === 0x09 || byte === 0x0d || byte === 0x0a
  return text.subarray(hasMark ? 3 : 0).every(isSpace)
}

/**
 * To let something happen takes a valid answer; to refuse it, a text that
 * clearly says so. An unclean number or key elsewhere does not undo a reject.
 */
function refusalIn(
  value: JsonValue | undefined,
  { code, message }: JsonProblem,
  expected: ExpectedRun,
): WireAnswer {
  if (!isObject(value) || ownOf(value, 'type') !== 'reject') {
    const isLarge = code === 'too-large' || code === 'too-deep'
    throw new HandlerFailure(isLarge ? 'too-large' : 'invalid', message)
  }
  checkRun(value, expected)
  const reason = ownOf(value, 'reason')
  const text = typeof reason === 'string' ? reason.toWellFormed() : ''
  return {
    answer: { type: 'reject', reason: text },
    contributions: [],
    diagnostics: [{ code: 'unclean-reject', message }],
  }
}

interface ExpectedRun {
  readonly run: string
  readonly mustNameRun: boolean
}

function checkRun(value: JsonObject, { run, mustNameRun }: ExpectedRun): void {
  const named = ownOf(value, 'run')
  if (named === run || (named === undefined && !mustNameRun)) return
  const problem =
    named === undefined ? 'It names no run' : 'It answers another run'
  const message = `${problem}; repeat the "run" of the envelope in the answer.`
  throw new HandlerFailure('wrong-run', message)
}

function answerIn(
  value: JsonObject,
  types: readonly string[] = Object.keys(answerKeys),
): WireAnswer['answer'] {
  const type = ownOf(value, 'type')
  if (!isWireAnswerType(type)) {
    const known = types.join(', ')
    throw invalid(`It has no known type; use one of: ${known}`)
  }
  const key = answerKeys[type]
  if (key === undefined) return { type }
  const payload = ownOf(value, key)
  if (key === 'value' || key === 'output') {
    if (payload !== undefined) return { type, [key]: payload }
    throw invalid(`It is "${type}" without "${key}"; say what to use`)
  }
  // A refusal that forgot its reason is a refusal all the same.
  if (type === 'reject') {
    return { type, reason: typeof payload === 'string' ? payload : '' }
  }
  if (typeof payload === 'string' && payload.trim() !== '') {
    return { type, [key]: payload }
  }
  throw invalid(`It is "${type}" without a text as "${key}"; add one`)
}

function listIn<T>(
  value: JsonObject,
  key: string,
  read: (item: JsonValue) => T | undefined,
): readonly T[] {
  const list = ownOf(value, key)
  if (list === undefined) return []
  if (!Array.isArray(list)) throw invalid(`"${key}" is no list; make it one`)
  return list.map((item: JsonValue, index) => {
    const made = read(item)
    if (made !== undefined) return made
    throw invalid(
      `Item ${index} of "${key}" is not of its form; see the schema`,
    )
  })
}

function contributionIn(item: JsonValue): WireContribution | undefined {
  if (!isObject(item)) return undefined
  const kind = ownOf(item, 'kind')
  const value = ownOf(item, 'value')
  if (typeof kind !== 'string' || value === undefined) return undefined
  return { kind, value }
}

function diagnosticIn(item: JsonValue): WireDiagnostic | undefined {
  if (!isObject(item)) return undefined
  const code = ownOf(item, 'code')
  const message = ownOf(item, 'message')
  if (typeof code !== 'string' || typeof message !== 'string') return undefined
  return { code, message }
}

const commonKeys = ['type', 'run', 'contributions', 'diagnostics']

function unknownKeys(value: JsonObject): number {
  const type = ownOf(value, 'type')
  const own = isWireAnswerType(type) ? answerKeys[type] : undefined
  const isKnown = (key: string) => key === own || commonKeys.includes(key)
  return Object.keys(value).filter((key) => !isKnown(key)).length
}

function unknownNote(count: number): WireDiagnostic {
  const what = count === 1 ? 'key that is' : 'keys that are'
  const message = `The answer has ${count} ${what} not known; nothing reads them.`
  return { code: 'unknown-keys', message }
}

function ownOf(value: JsonObject, key: string): JsonValue | undefined {
  return Object.hasOwn(value, key) ? value[key] : undefined
}

function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function invalid(message: string): HandlerFailure {
  return new HandlerFailure('invalid', `${message}.`)
}
