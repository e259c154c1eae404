import type { JsonObject, JsonValue } from 'hookline/lifecycle'
import {
  inspectJson,
  type JsonFindings,
} from '../handlers/answer/strict-json.ts'

/** What a handler has printed. */
export type Printed =
  | { readonly type: 'nothing' }
  | { readonly type: 'text'; readonly text: string }
  | {
      readonly type: 'document'
      readonly document: JsonObject
      readonly isNoisy: false
    }
  /** There is more around it, such as a log or an earlier document. */
  | {
      readonly type: 'document'
      readonly isNoisy: true
      /** In the order in which they were printed. */
      readonly pieces: readonly Piece[]
      /** Why there may be more in it than these. */
      readonly problem: string | undefined
    }
  /** It was to be a document. What can be read of it may refuse, no more. */
  | {
      readonly type: 'broken'
      readonly problem: string
      readonly document: JsonObject
    }
  | {
      readonly type: 'broken'
      readonly problem: string
      readonly document?: undefined
    }

/** A document among other things. */
export interface Piece {
  readonly document: JsonObject
  /** What can be read of it may refuse, no more. */
  readonly problem: string | undefined
}

/**
 * Finds the document in a text: all of it, or those that are complete. Among
 * other things only those count that have a key of an answer; default: all.
 */
export function readPrinted(given: string, keys?: readonly string[]): Printed {
  const text = given.trim()
  if (text === '') return { type: 'nothing' }
  const { value, problem } = inspectJson(text)
  if (problem === undefined) {
    if (isObject(value))
      return { type: 'document', document: value, isNoisy: false }
    return { type: 'text', text }
  }
  if (isObject(value)) {
    return { type: 'broken', problem: problem.message, document: value }
  }
  const isTried = text.startsWith('{')
  const isSyntax = problem.code === 'not-json'
  const { found, doubt, unread, spoilt } = findDocuments(text)
  const pieces = found.filter(
    ({ document }) => keys?.some((key) => Object.hasOwn(document, key)) ?? true,
  )
  const isSure = pieces.some(({ isPrinted }) => isPrinted)
  if (isSure || (unread !== undefined && (isSyntax || !isTried))) {
    const whole = isTried && !isSyntax ? problem.message : undefined
    const left = unread ?? whole ?? doubt
    return { type: 'document', pieces, isNoisy: true, problem: left }
  }
  if (isTried) return { type: 'broken', problem: problem.message }
  const named = keys && new RegExp(`(?<!\\\\)"(?:${keys.join('|')})"\\s*:`)
  const answer = spoilt.find((one) => named?.test(one.text) ?? true)
  return answer
    ? { type: 'broken', problem: answer.problem }
    : { type: 'text', text }
}

export function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** What there is among other things. */
export interface FoundDocuments {
  readonly found: readonly (Piece & {
    /** It begins a line, or stands right behind another one. */
    readonly isPrinted: boolean
  })[]
  /** Why one that begins a line is none, or not all of the line. */
  readonly doubt: string | undefined
  /** Why there may be more. */
  readonly unread: string | undefined
  /** What is printed as one, and cannot be read. */
  readonly spoilt: readonly {
    readonly text: string
    readonly problem: string
  }[]
}

/** How often a text is gone through at most, however its brackets stand. */
const maxReadings = 10
/** However short it is, so many characters are looked at. */
const minChars = 5_000_000
/** To see that it is no document takes as long as to go through so many. */
const mistakeChars = 100
/** What else begins with a bracket is text. */
const documentStart = /\{\s*["}]/y

/** The documents of a text that holds more than one, or more than documents. */
export function findDocuments(text: string): FoundDocuments {
  const found: FoundDocuments['found'][number][] = []
  const spoilt: FoundDocuments['spoilt'][number][] = []
  let doubt: string | undefined
  let lastEnd: number | undefined
  let leftChars = Math.max(text.length * maxReadings, minChars)
  let at = text.indexOf('{')
  while (at !== -1 && leftChars > 0) {
    const end = endOfObject(text, at)
    leftChars -= (end ?? text.length) - at
    documentStart.lastIndex = at
    const isTried = documentStart.test(text)
    const isPrinted = beginsLine(text, at) || endBefore(text, at) === lastEnd
    if (end === undefined) {
      if (isTried && isPrinted) {
        doubt = 'It has half of a document.'
        spoilt.push({ text: text.slice(at), problem: doubt })
      }
      at = nextLine(text, at)
      continue
    }
    const piece = text.slice(at, end)
    const { value, problem } = isTried ? inspectJson(piece) : none
    if (isObject(value)) {
      found.push({ document: value, problem: problem?.message, isPrinted })
      const isLast = endsLine(text, end)
      if (isPrinted && !isLast) doubt = 'It has printed more behind a document.'
      lastEnd = end
    } else if (problem !== undefined) {
      leftChars -= mistakeChars
      if (isPrinted) {
        doubt = problem.message
        spoilt.push({ text: piece, problem: doubt })
      }
    }
    at = text.indexOf('{', isObject(value) ? end : at + 1)
  }
  const isAll = at === -1
  const unread = isAll
    ? undefined
    : 'It has printed more brackets than are looked through for documents.'
  return { found, doubt, unread, spoilt }
}

const none: JsonFindings = {}

/** Where the object that begins here ends, by its brackets. */
function endOfObject(text: string, start: number): number | undefined {
  let depth = 0
  let isText = false
  for (let at = start; at < text.length; at++) {
    const sign = text[at]
    if (isText) {
      if (sign === '\\') at++
      else if (sign === '"') isText = false
    } else if (sign === '"') isText = true
    else if (sign === '{') depth++
    else if (sign === '}' && --depth === 0) return at + 1
  }
  return undefined
}

/** What is inside of half an object is none: the next one begins a line. */
function nextLine(text: string, at: number): number {
  const lineStart = /\n[^\S\n]*\{/g
  lineStart.lastIndex = at
  return lineStart.test(text) ? lineStart.lastIndex - 1 : -1
}

function beginsLine(text: string, start: number): boolean {
  let at = start - 1
  while (at >= 0 && text[at] !== '\n' && text[at]?.trim() === '') at--
  return at < 0 || text[at] === '\n'
}

/** Where what stands before this ends, spaces aside. */
function endBefore(text: string, start: number): number {
  let at = start
  while (at > 0 && text[at - 1]?.trim() === '') at--
  return at
}

const restOfLine = /[^\S\n]*(?:\n|$)/y

function endsLine(text: string, end: number): boolean {
  restOfLine.lastIndex = end
  return restOfLine.test(text)
}
