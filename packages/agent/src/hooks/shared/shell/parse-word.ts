import {
  type Cursor,
  expectNext,
  inside,
  isNext,
  take,
  takeMatch,
  Unreadable,
  within,
} from './cursor.ts'
import { readEscapes } from './escapes.ts'
import type { Part, Parts, Script } from './syntax.ts'

/** Where pieces of a word end, and what a backslash does there. */
type Place = 'bare' | 'double' | 'braces' | 'sum' | 'here'

const metacharacter = /[\s;&|<>()]/
const name = /[A-Za-z_]\w*|\d|[@*#?$!-]/y

/** Reads a word, if there is one. */
export function parseWord(cursor: Cursor): Parts | undefined {
  const start = cursor.at
  const parts = parseParts(cursor, 'bare')
  return cursor.at === start ? undefined : parts
}

/** The text of a here-document, or of a sum, in which quotes are plain. */
export function parseText(cursor: Cursor, text: string): Parts {
  return parseParts(inside(cursor, text), 'here')
}

function parseParts(cursor: Cursor, place: Place): Part[] {
  const parts: Part[] = []
  const isQuoted = place !== 'bare' && place !== 'braces'
  let plain = ''
  const flush = () => {
    if (plain !== '') parts.push({ type: 'text', text: plain, isQuoted })
    plain = ''
  }
  while (cursor.at < cursor.text.length) {
    const char = cursor.text[cursor.at] ?? ''
    if (place === 'bare' && isEnd(cursor, char)) break
    if (place === 'double' && char === '"') break
    if (place === 'braces' && char === '}') break
    if (char === '\\') {
      const escaped = parseBackslash(cursor, place)
      flush()
      parts.push({ type: 'text', text: escaped, isQuoted: true })
      continue
    }
    const special = parseSpecial(cursor, char, place)
    if (special !== undefined) {
      flush()
      parts.push(...special)
      continue
    }
    plain += char
    cursor.at++
  }
  flush()
  return parts
}

function isEnd(cursor: Cursor, char: string): boolean {
  if (!metacharacter.test(char)) return false
  return !((char === '<' || char === '>') && cursor.text[cursor.at + 1] === '(')
}

function parseBackslash(cursor: Cursor, place: Place): string {
  const next = cursor.text[cursor.at + 1] ?? ''
  cursor.at += 2
  if (next === '\n') return ''
  if (place === 'bare' || place === 'braces') return next
  return '$`"\\'.includes(next) ? next : `\\${next}`
}

/** What is more than itself at this place; nothing where it is plain text. */
function parseSpecial(
  cursor: Cursor,
  char: string,
  place: Place,
): readonly Part[] | undefined {
  const isBare = place === 'bare' || place === 'braces'
  const isQuoted = !isBare
  if (char === '$') return parseDollar(cursor, { isQuoted, isBare })
  if (char === '`') return [parseBackticks(cursor, isQuoted)]
  if (!isBare) return undefined
  if (char === "'") return [parseSingle(cursor)]
  if (char === '"') return parseDouble(cursor)
  if (place === 'braces') return undefined
  if (char === '{' || char === '}' || char === ',') {
    cursor.at++
    return [{ type: 'brace', text: char }]
  }
  if (take(cursor, '<(') || take(cursor, '>(')) {
    const body = parseUntilParenthesis(cursor)
    return [{ type: 'script', body, gives: 'file', isQuoted }]
  }
  // A pattern of bash. A `!` before a subshell is not one: see `parseStage`.
  if ('@+*?!'.includes(char) && cursor.text[cursor.at + 1] === '(') {
    cursor.at += 2
    if (/[$`<>]/.test(balanced(cursor)))
      throw new Unreadable('a pattern runs commands')
    return [{ type: 'unknown', inside: [], isQuoted: false }]
  }
  return undefined
}

function parseSingle(cursor: Cursor): Part {
  const end = cursor.text.indexOf("'", cursor.at + 1)
  if (end < 0) throw new Unreadable('a quote is not closed')
  const text = cursor.text.slice(cursor.at + 1, end)
  cursor.at = end + 1
  return { type: 'text', text, isQuoted: true }
}

function parseDouble(cursor: Cursor): readonly Part[] {
  expectNext(cursor, '"')
  const parts = within(cursor, () => parseParts(cursor, 'double'))
  if (!take(cursor, '"')) throw new Unreadable('a quote is not closed')
  // Even an empty one is a word.
  return [{ type: 'text', text: '', isQuoted: true }, ...parts]
}

function parseDollar(
  cursor: Cursor,
  { isQuoted, isBare }: { isQuoted: boolean; isBare: boolean },
): readonly Part[] | undefined {
  if (isBare && isNext(cursor, "$'")) {
    cursor.at += 2
    const raw = takeMatch(cursor, /(?:[^\\']|\\[\s\S])*/y)?.[0] ?? ''
    expectNext(cursor, "'")
    return [{ type: 'text', text: readEscapes(raw), isQuoted: true }]
  }
  if (isBare && isNext(cursor, '$"')) {
    cursor.at++
    return parseDouble(cursor)
  }
  if (isNext(cursor, '$((')) {
    const start = cursor.at
    cursor.at += 3
    const sum = balanced(cursor)
    if (take(cursor, ')')) {
      return [sumOf(cursor, sum)]
    }
    cursor.at = start
  }
  if (take(cursor, '$(')) {
    const body = parseUntilParenthesis(cursor)
    return [{ type: 'script', body, gives: 'output', isQuoted }]
  }
  if (take(cursor, '$[')) {
    const sum = takeMatch(cursor, /[^\]]*/y)?.[0] ?? ''
    expectNext(cursor, ']')
    return [sumOf(cursor, sum)]
  }
  if (take(cursor, '${')) return [parseBraced(cursor, isQuoted)]
  cursor.at++
  const found = takeMatch(cursor, name)?.[0]
  if (found === undefined) {
    return [{ type: 'text', text: '$', isQuoted: true }]
  }
  const operand: Parts = []
  return [{ type: 'parameter', name: found, operator: '', operand, isQuoted }]
}

/** Its outcome is not computed. */
export function sumOf(cursor: Cursor, sum: string): Part {
  const inside = parseText(cursor, sum)
  return { type: 'unknown', inside, isQuoted: true, isSum: true }
}

const bracedName =
  /([!#]?)([A-Za-z_]\w*|\d+|[@*#?$!-])((?:\[[^\]$`]*\])?)(:?[-+=?]|[:#%/^,@~]?)/y

function parseBraced(cursor: Cursor, isQuoted: boolean): Part {
  const found = takeMatch(cursor, bracedName)
  // What other shells have there is unknown, but it may run commands.
  const [, prefix = '', given = '', index = '', after = ''] = found ?? []
  const operand = within(cursor, () => parseParts(cursor, 'braces'))
  expectNext(cursor, '}')
  const isPlain = prefix === '' && index === '' && found !== undefined
  const operator = isPlain ? after : `${prefix}${index}${after}` || 'other'
  return { type: 'parameter', name: given, operator, operand, isQuoted }
}

function parseBackticks(cursor: Cursor, isQuoted: boolean): Part {
  cursor.at++
  const raw = takeMatch(cursor, /(?:[^\\`]|\\[\s\S])*/y)?.[0] ?? ''
  expectNext(cursor, '`')
  const text = raw.replace(isQuoted ? /\\([$`\\"])/g : /\\([$`\\])/g, '$1')
  const body = cursor.parseScript(inside(cursor, text), [])
  return { type: 'script', body, gives: 'output', isQuoted }
}

function parseUntilParenthesis(cursor: Cursor): Script {
  const body = within(cursor, () => cursor.parseScript(cursor, [')']))
  expectNext(cursor, ')')
  return body
}

const balancedPiece =
  /[^()'"\\]+|'[^']*'|"(?:[^"\\]|\\[\s\S])*"|\\[\s\S]|[()'"\\]/y

/** All up to the parenthesis that closes, and past it. */
export function balanced(cursor: Cursor): string {
  const start = cursor.at
  let open = 1
  while (open > 0) {
    const piece = takeMatch(cursor, balancedPiece)?.[0]
    if (piece === undefined) throw new Unreadable('a "(" is not closed')
    if (piece === '(') open++
    if (piece === ')') open--
  }
  return cursor.text.slice(start, cursor.at - 1)
}
