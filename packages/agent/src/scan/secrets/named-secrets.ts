import type { Spans } from '../spans.ts'
import type { IsSecretName } from './secret-names.ts'

const maxNameChars = 64

/**
 * Finds what stands after the name of a secret: `password=…`, `"token": "…"`,
 * `Cookie: …`, `--api-key …`. Each character is looked at a bounded number of
 * times, whatever the text.
 */
export function findNamed(
  text: string,
  isSecretName: IsSecretName,
  spans: Spans,
): void {
  findAssigned(text, '=', isSecretName, spans)
  findAssigned(text, ':', isSecretName, spans)
  findFlags(text, isSecretName, spans)
}

function findAssigned(
  text: string,
  sign: '=' | ':',
  isSecretName: IsSecretName,
  spans: Spans,
): void {
  let at = text.indexOf(sign)
  while (at !== -1) {
    let next = at + 1
    const nameEnd = skipBack(text, at)
    const nameStart = nameStartOf(text, nameEnd)
    if (nameStart < nameEnd && isSecretName(text.slice(nameStart, nameEnd))) {
      const start = skipForward(text, next)
      const until =
        sign === ':' ? wideUntil(text, nameStart, nameEnd) : undefined
      next = addValue(text, start, until, spans)
    }
    at = text.indexOf(sign, next)
  }
}

function findFlags(
  text: string,
  isSecretName: IsSecretName,
  spans: Spans,
): void {
  let at = text.indexOf('--')
  while (at !== -1) {
    let nameEnd = at + 2
    while (isNameCode(text.charCodeAt(nameEnd))) nameEnd++
    let next = nameEnd
    const name = text.slice(Math.max(at, nameEnd - maxNameChars), nameEnd)
    if (text[nameEnd] === ' ' && isSecretName(name)) {
      const start = skipForward(text, nameEnd)
      if (text[start] !== '-') next = addValue(text, start, undefined, spans)
    }
    at = text.indexOf('--', next)
  }
}

const codeOf = (text: string) => text.charCodeAt(0)
const space = codeOf(' ')
const tab = codeOf('\t')
const backslash = codeOf('\\')
const quotes = new Set(['"', "'", '`'].map(codeOf))
const closers = new Set([...quotes, codeOf(']'), backslash])

function isBlank(code: number): boolean {
  return code === space || code === tab
}

/** Letters, digits, `_`, `-` and `.`. */
function isNameCode(code: number): boolean {
  if (code >= 97) return code <= 122
  if (code >= 65) return code <= 90 || code === 95
  return (code >= 48 && code <= 57) || code === 45 || code === 46
}

/** Past the blanks, quotes and brackets between a name and its sign. */
function skipBack(text: string, sign: number): number {
  const limit = Math.max(0, sign - 8)
  let at = sign
  while (at > limit) {
    const code = text.charCodeAt(at - 1)
    if (!isBlank(code) && !closers.has(code)) break
    at--
  }
  return at
}

function nameStartOf(text: string, nameEnd: number): number {
  const limit = Math.max(0, nameEnd - maxNameChars)
  let at = nameEnd
  while (at > limit && isNameCode(text.charCodeAt(at - 1))) at--
  return at
}

function skipForward(text: string, from: number): number {
  const limit = Math.min(text.length, from + 16)
  let at = from
  while (at < limit && isBlank(text.charCodeAt(at))) at++
  // As in `=>` and `:=`.
  if (text[at] === '>' || text[at] === '=') at++
  while (at < limit && isBlank(text.charCodeAt(at))) at++
  return at
}

// Their values have spaces and semicolons in them.
const isWide = /(?:cookie|authorization|phrase|mnemonic)$/i

/**
 * A value with spaces ends with its line, or with the quotes that both name
 * and value are in: which of them, or undefined where it is neither.
 */
function wideUntil(
  text: string,
  nameStart: number,
  nameEnd: number,
): string | undefined {
  let at = nameStart
  while (at > 0 && at > nameStart - 16 && isBlank(text.charCodeAt(at - 1))) at--
  const before = text[at - 1] ?? '\n'
  if (before === '\n' || before === '\r') return '\n'
  const isQuoted = at === nameStart && quotes.has(before.charCodeAt(0))
  if (isQuoted && text[nameEnd] !== before) return before
  return isWide.test(text.slice(nameStart, nameEnd)) ? '\n' : undefined
}

const narrowEnd = /[\s&;"'`<>]/g

/** Where the value ends that starts here; it is one of the spans now. */
function addValue(
  text: string,
  start: number,
  until: string | undefined,
  spans: Spans,
): number {
  let at = start
  while (text.charCodeAt(at) === backslash) at++
  if (quotes.has(text.charCodeAt(at))) {
    const end = closingQuote(text, at, at - start)
    spans.add(at + 1, end, 'named')
    return end
  }
  const end = bareEnd(text, start, until)
  spans.add(start, end, 'named')
  return end
}

function bareEnd(
  text: string,
  start: number,
  until: string | undefined,
): number {
  if (text[start] === '[' || text[start] === '{') {
    return closingBracket(text, start)
  }
  if (until !== undefined) return indexOrEnd(text, until, start)
  narrowEnd.lastIndex = start
  return narrowEnd.exec(text)?.index ?? text.length
}

function indexOrEnd(text: string, part: string, start: number): number {
  const found = text.indexOf(part, start)
  return found === -1 ? text.length : found
}

function closingBracket(text: string, start: number): number {
  const bracket = /[[\]{}]/g
  bracket.lastIndex = start
  let depth = 0
  for (let found = bracket.exec(text); found; found = bracket.exec(text)) {
    depth += found[0] === '[' || found[0] === '{' ? 1 : -1
    if (depth === 0) return bracket.lastIndex
  }
  return text.length
}

/** The quote that is escaped as the first one is, without its escapes. */
function closingQuote(text: string, first: number, escapes: number): number {
  const quote = text.charAt(first)
  let at = text.indexOf(quote, first + 1)
  while (at !== -1) {
    let count = 0
    while (text.charCodeAt(at - 1 - count) === backslash) count++
    if (escapes === 0 ? count % 2 === 0 : count <= escapes)
      return at - Math.min(count, escapes)
    at = text.indexOf(quote, at + 1)
  }
  return text.length
}
