import type {
  JsonValue,
  MediaBlock,
  MediaSource,
  ToolErrorKind,
  ToolFailure,
  ToolResult,
} from 'hookline/lifecycle'
import { describeIssues } from '../data/args-issue.ts'
import { copyJson, ownValue } from '../data/copy-json.ts'

/**
 * Reads what a dispatch gave, which can be anything: a frozen copy of all that
 * a result has, or a failure that says what is wrong with it.
 */
export function readResult(given: unknown): ToolResult {
  try {
    return Object.freeze(resultOf(given))
  } catch (error) {
    // Ours, or that of a proxy that cannot be read.
    return malformed(
      error instanceof Malformed ? error.message : 'it cannot be read',
    )
  }
}

class Malformed extends Error {}

function malformed(why: string): ToolFailure {
  const text = `The tool gave something that is no result: ${why}.`
  return Object.freeze({
    content: Object.freeze([Object.freeze({ type: 'text', text })]),
    isError: true,
    error: 'dispatch',
  })
}

function resultOf(given: unknown): ToolResult {
  if (!isObject(given)) throw new Malformed('it is not an object')
  const content = contentOf(ownValue(given, 'content'))
  const isError = ownValue(given, 'isError')
  if (isError === true) {
    return { content, isError, error: errorOf(ownValue(given, 'error')) }
  }
  if (isError !== false) {
    throw new Malformed('"isError" is neither true nor false')
  }
  const data = dataOf(given, 'data')
  return { content, isError, ...(data !== undefined && { data }) }
}

/** What whoever gives a result may call its error. */
type GivenErrorKind = Exclude<ToolErrorKind, 'withheld'>

const errorKinds: Readonly<Record<GivenErrorKind, true>> = {
  tool: true,
  denied: true,
  dispatch: true,
  timeout: true,
  cancelled: true,
  unknown_outcome: true,
}

function errorOf(given: unknown): GivenErrorKind {
  // Results are kept back by hooks, and told as that; this one has come out.
  if (given === 'withheld') return 'tool'
  if (isErrorKind(given)) return given
  const known = Object.keys(errorKinds).join(', ')
  throw new Malformed(`"error" is none of ${known}`)
}

function isErrorKind(given: unknown): given is GivenErrorKind {
  return typeof given === 'string' && Object.hasOwn(errorKinds, given)
}

function contentOf(given: unknown): readonly MediaBlock[] {
  if (!Array.isArray(given)) throw new Malformed('"content" is not a list')
  const blocks: MediaBlock[] = []
  const { length } = given
  for (let index = 0; index < length; index++) {
    const block = ownValue(given, `${index}`)
    if (!isObject(block)) {
      throw new Malformed('"content" has an entry that is not an object')
    }
    blocks.push(Object.freeze(blockOf(block)))
  }
  return Object.freeze(blocks)
}

function blockOf(given: object): MediaBlock {
  const type = ownValue(given, 'type')
  const kept = dataOf(given, 'providerData')
  const providerData = kept !== undefined && { providerData: kept }
  if (type === 'text')
    return { type, text: textOf(given, 'text'), ...providerData }
  if (type !== 'image' && type !== 'file') {
    throw new Malformed(
      '"content" has a block that is none of text, image, file',
    )
  }
  const mediaType = textOf(given, 'mediaType')
  const source = Object.freeze(sourceOf(ownValue(given, 'source')))
  if (type === 'image') return { type, mediaType, source, ...providerData }
  const name = ownValue(given, 'name')
  if (name === undefined) return { type, mediaType, source, ...providerData }
  if (typeof name !== 'string') throw new Malformed('a "name" is not text')
  return { type, mediaType, source, name, ...providerData }
}

function sourceOf(given: unknown): MediaSource {
  if (!isObject(given)) throw new Malformed('a "source" is not an object')
  const type = ownValue(given, 'type')
  if (type === 'base64') return { type, data: textOf(given, 'data') }
  if (type === 'url') return { type, url: textOf(given, 'url') }
  throw new Malformed('a "source" is neither base64 nor url')
}

function textOf(holder: object, key: string): string {
  const text = ownValue(holder, key)
  if (typeof text === 'string') return text
  throw new Malformed(`a "${key}" is not text`)
}

function dataOf(holder: object, key: string): JsonValue | undefined {
  const given = ownValue(holder, key)
  if (given === undefined) return undefined
  const { value, issue } = copyJson(given)
  if (!issue) return value
  const place = { path: [key, ...issue.path], message: issue.message }
  throw new Malformed(describeIssues([place]))
}

function isObject(given: unknown): given is object {
  return typeof given === 'object' && given !== null
}
