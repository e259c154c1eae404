import type { JsonLimits, JsonProblem } from './json-limits.ts'

/** What parsing does not tell about a text. */
export interface JsonScan {
  /** The keys as they are written, so that one written twice counts twice. */
  readonly keys: number
  /** The first number that would arrive as another one. */
  readonly unsafeNumberAt: number | undefined
}

const quote = 0x22
const backslash = 0x5c

/**
 * Looks at a text once, character by character, before it is parsed. For a text
 * that is no JSON it says anything; the parser has the last word on that.
 */
export function scanJson(
  text: string,
  { maxDepth, maxKeys, maxItems }: Required<JsonLimits>,
): JsonScan | JsonProblem {
  let depth = 0
  let keys = 0
  let commas = 0
  let unsafeNumberAt: number | undefined
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === quote) at = endOfText(text, at)
    else if (code === 0x3a) {
      if (++keys > maxKeys) return tooMany(`more than ${maxKeys} keys`)
    } else if (code === 0x2c) {
      // Objects have commas as well, one fewer than they have keys.
      if (++commas > maxItems + keys) return tooMany('too many items')
    } else if (code === 0x7b || code === 0x5b) {
      if (++depth > maxDepth) return tooDeep(maxDepth)
    } else if (code === 0x7d || code === 0x5d) depth--
    else if (code === 0x2d || (code >= 0x30 && code <= 0x39)) {
      const end = endOfNumber(text, at)
      if (isUnsafe(text.slice(at, end))) unsafeNumberAt ??= at
      at = end - 1
    }
  }
  return { keys, unsafeNumberAt }
}

/** The place of the closing quote; the end, where there is none. */
function endOfText(text: string, start: number): number {
  let end = text.indexOf('"', start + 1)
  while (end !== -1) {
    let escapes = end - 1
    while (escapes > start && text.charCodeAt(escapes) === backslash) escapes--
    if ((end - escapes) % 2 === 1) return end
    end = text.indexOf('"', end + 1)
  }
  return text.length
}

function endOfNumber(text: string, start: number): number {
  let end = start + 1
  while (end < text.length && isNumeric(text.charCodeAt(end))) end++
  return end
}

function isNumeric(code: number): boolean {
  const isDigit = code >= 0x30 && code <= 0x39
  const isSign = code === 0x2b || code === 0x2d
  return isDigit || isSign || code === 0x2e || code === 0x45 || code === 0x65
}

/** Infinite, an integer that may have lost its last digits, or minus nothing. */
function isUnsafe(written: string): boolean {
  // Fifteen digits are exact, and a number so short without an exponent finite.
  if (written.length < 16 && !/[-eE]/.test(written)) return false
  const value = Number(written)
  if (Object.is(value, -0)) return true
  if (Number.isNaN(value) || Number.isSafeInteger(value)) return false
  return !Number.isFinite(value) || /^-?\d+$/.test(written)
}

function tooDeep(maxDepth: number): JsonProblem {
  const message = `It nests deeper than ${maxDepth} levels; make it flatter.`
  return { code: 'too-deep', message }
}

function tooMany(what: string): JsonProblem {
  return { code: 'too-large', message: `It has ${what}; send less.` }
}
