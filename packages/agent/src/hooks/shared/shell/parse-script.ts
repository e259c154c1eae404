import {
  type Cursor,
  isNext,
  take,
  takeMatch,
  Unreadable,
  within,
} from './cursor.ts'
import { awaitText } from './here-documents.ts'
import { peekWord, skipBlanks, skipLines } from './lines.ts'
import { parseCompound } from './parse-compound.ts'
import { parseWord } from './parse-word.ts'
import type {
  Assignment,
  Chain,
  Link,
  Part,
  Parts,
  RedirectSyntax,
  Script,
  Stage,
} from './syntax.ts'

const closers = new Set(
  'then do done fi esac else elif } ;; ;& ;;& )'.split(' '),
)

/** Reads commands up to one of some words, or to the end of the text. */
export function parseScript(cursor: Cursor, ends: readonly string[]): Script {
  const chains: Chain[] = []
  for (;;) {
    skipLines(cursor)
    if (cursor.at >= cursor.text.length) {
      if (ends.length > 0) throw new Unreadable(`"${ends[0]}" is missing`)
      return { chains }
    }
    const next = peekWord(cursor)
    if (ends.includes(next)) return { chains }
    if (closers.has(next)) throw new Unreadable(`"${next}" is out of place`)
    chains.push(parseChain(cursor))
    skipBlanks(cursor)
    if (
      /^(?:;;|;&|\n|\)|$)/.test(cursor.text.slice(cursor.at, cursor.at + 2))
    ) {
      continue
    }
    if (!take(cursor, ';') && !take(cursor, '&')) {
      throw new Unreadable('a command goes on where it has ended')
    }
  }
}

function parseChain(cursor: Cursor): Chain {
  const links: Link[] = []
  let after: Link['after'] = 'start'
  for (;;) {
    links.push({ after, stages: parsePipeline(cursor) })
    skipBlanks(cursor)
    if (take(cursor, '&&')) after = '&&'
    else if (take(cursor, '||')) after = '||'
    else return { links }
    skipLines(cursor)
  }
}

function parsePipeline(cursor: Cursor): readonly Stage[] {
  const stages: Stage[] = []
  for (;;) {
    skipBlanks(cursor)
    while (/^(?:!|time|coproc)$/.test(peekWord(cursor))) {
      takeMatch(cursor, /!|[a-z]+/y)
      skipBlanks(cursor)
      if (take(cursor, '-p')) skipBlanks(cursor)
    }
    stages.push(within(cursor, () => parseStage(cursor)))
    skipBlanks(cursor)
    const isPipe = isNext(cursor, '|') && !isNext(cursor, '||')
    if (!isPipe) return stages
    cursor.at++
    take(cursor, '&')
    skipLines(cursor)
  }
}

const functionHead =
  /(?:function[ \t]+)?([^\s;&|<>()'"\\$`=]+)[ \t]*\([ \t]*\)/y

function parseStage(cursor: Cursor): Stage {
  const head = takeMatch(cursor, functionHead)?.[1]
  if (head !== undefined) return parseFunction(cursor, head)
  if (peekWord(cursor) === 'function') {
    const named = takeMatch(cursor, /function[ \t]+([^\s;&|<>(){}]+)/y)?.[1]
    if (named === undefined) throw new Unreadable('a function has no name')
    return parseFunction(cursor, named)
  }
  const compound = parseCompound(cursor, peekWord(cursor))
  if (compound === undefined) return parseSimple(cursor)
  const redirects: RedirectSyntax[] = []
  for (;;) {
    skipBlanks(cursor)
    const redirect = parseRedirect(cursor)
    if (redirect === undefined) break
    redirects.push(redirect)
  }
  if (redirects.length === 0) return compound
  return { type: 'redirected', body: compound, redirects }
}

function parseFunction(cursor: Cursor, name: string): Stage {
  skipLines(cursor)
  const body = within(cursor, () => parseStage(cursor))
  return { type: 'function', name, body }
}

function parseSimple(cursor: Cursor): Stage {
  const assignments: Assignment[] = []
  const words: Parts[] = []
  const redirects: RedirectSyntax[] = []
  const start = cursor.at
  for (;;) {
    skipBlanks(cursor)
    const redirect = parseRedirect(cursor)
    if (redirect !== undefined) {
      redirects.push(redirect)
      continue
    }
    const assignment = parseAssignment(cursor, words.length > 0)
    if (assignment !== undefined && words.length === 0) {
      assignments.push(assignment)
      continue
    }
    // A list after a word, as of `declare`: nobody knows its value.
    const word = assignment ? namedOnly(assignment) : parseWord(cursor)
    if (word === undefined) break
    words.push(word)
  }
  if (cursor.at === start) throw new Unreadable('a command is missing')
  return { type: 'simple', assignments, words, redirects }
}

const assigned = /([A-Za-z_]\w*)(\[[^\]\n]*\])?(\+?)=/y

function parseAssignment(
  cursor: Cursor,
  isArgument: boolean,
): Assignment | undefined {
  const { at } = cursor
  const found = takeMatch(cursor, assigned)
  if (found === undefined) return undefined
  const [, name = '', index, plus] = found
  if (take(cursor, '(')) {
    return { name, words: within(cursor, () => parseList(cursor)) }
  }
  if (isArgument) {
    cursor.at = at
    return undefined
  }
  if (index !== undefined && /[$`]/.test(index)) {
    throw new Unreadable('the place in a list is computed')
  }
  const value = parseWord(cursor) ?? []
  const isPlain = index === undefined && plus === ''
  return { name, words: [value], ...(isPlain && { value }) }
}

function parseList(cursor: Cursor): readonly Parts[] {
  const words: Parts[] = []
  for (;;) {
    skipLines(cursor)
    if (take(cursor, ')')) return words
    const word = parseWord(cursor)
    if (word === undefined) throw new Unreadable('a list is not closed')
    words.push(word)
  }
}

function namedOnly({ name, words }: Assignment): Parts {
  const inside = words.flat()
  const start: Part = { type: 'text', text: `${name}=`, isQuoted: true }
  return [start, { type: 'unknown', inside, isQuoted: true }]
}

const redirectHead =
  /(?:\d+|\{[A-Za-z_]\w*\})?(<<<|<<-|<<|<>|<&|>&|>>|>\||<|>)|(&>>?)/y

function parseRedirect(cursor: Cursor): RedirectSyntax | undefined {
  const { at } = cursor
  const found = takeMatch(cursor, redirectHead)
  if (found === undefined) return undefined
  const operator = found[1] ?? found[2] ?? ''
  if (/^[<>]$/.test(operator) && isNext(cursor, '(')) {
    // A process in place of a file: it belongs to a word.
    cursor.at = at
    return undefined
  }
  skipBlanks(cursor)
  if (operator === '<<' || operator === '<<-') {
    return awaitText(cursor, operator === '<<-')
  }
  const target = parseWord(cursor)
  if (target === undefined) throw new Unreadable('a redirection goes nowhere')
  if (operator === '<<<') return { kind: 'text', target: [], body: target }
  if (operator === '<') return { kind: 'read', target }
  const [first] = target
  const isNumber =
    operator.endsWith('&') &&
    first?.type === 'text' &&
    /^(?:\d+-?|-)$/.test(first.text)
  return { kind: isNumber ? 'descriptor' : 'write', target }
}
