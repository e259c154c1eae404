import {
  type Cursor,
  expectNext,
  inside,
  isNext,
  take,
  takeMatch,
  Unreadable,
} from './cursor.ts'
import { expectWord, peekWord, skipBlanks, skipLines } from './lines.ts'
import { balanced, parseWord, sumOf } from './parse-word.ts'
import type { Parts, Script, Stage } from './syntax.ts'

/** Reads what is more than a simple command, if the next word begins it. */
export function parseCompound(cursor: Cursor, word: string): Stage | undefined {
  if (isNext(cursor, '((')) return parseSum(cursor)
  if (isNext(cursor, '(')) return parseSubshell(cursor)
  switch (word) {
    case '{':
      return parseGroup(cursor)
    case 'if':
      return parseIf(cursor)
    case 'while':
    case 'until':
      return parseWhile(cursor)
    case 'for':
    case 'select':
      return parseFor(cursor)
    case 'case':
      return parseCase(cursor)
    case '[[':
      return parseCondition(cursor)
    default:
      return undefined
  }
}

function parseSubshell(cursor: Cursor): Stage {
  expectNext(cursor, '(')
  const body = cursor.parseScript(cursor, [')'])
  expectNext(cursor, ')')
  return { type: 'group', body, isApart: true }
}

/** A sum to some shells, a subshell in a subshell to others: both count. */
function parseSum(cursor: Cursor): Stage {
  const start = cursor.at
  cursor.at += 2
  const sum = balanced(cursor)
  const isSum = take(cursor, ')')
  if (!isSum) {
    cursor.at = start
    return parseSubshell(cursor)
  }
  const words = [[sumOf(cursor, sum)]]
  try {
    const body = cursor.parseScript(inside(cursor, sum), [])
    return { type: 'branches', words, tests: [], bodies: [body] }
  } catch (error) {
    if (error instanceof Unreadable) return { type: 'words', words }
    throw error
  }
}

function parseGroup(cursor: Cursor): Stage {
  expectWord(cursor, '{')
  const body = cursor.parseScript(cursor, ['}'])
  expectWord(cursor, '}')
  return { type: 'group', body, isApart: false }
}

function parseIf(cursor: Cursor): Stage {
  expectWord(cursor, 'if')
  const tests: Script[] = [cursor.parseScript(cursor, ['then'])]
  const bodies: Script[] = []
  expectWord(cursor, 'then')
  for (;;) {
    bodies.push(cursor.parseScript(cursor, ['elif', 'else', 'fi']))
    if (peekWord(cursor) === 'elif') {
      expectWord(cursor, 'elif')
      tests.push(cursor.parseScript(cursor, ['then']))
      expectWord(cursor, 'then')
    } else if (peekWord(cursor) === 'else') {
      expectWord(cursor, 'else')
      bodies.push(cursor.parseScript(cursor, ['fi']))
      break
    } else break
  }
  expectWord(cursor, 'fi')
  return { type: 'branches', words: [], tests, bodies }
}

function parseBody(cursor: Cursor): Script {
  skipLines(cursor)
  take(cursor, ';')
  skipLines(cursor)
  if (peekWord(cursor) === '{') {
    expectWord(cursor, '{')
    const body = cursor.parseScript(cursor, ['}'])
    expectWord(cursor, '}')
    return body
  }
  expectWord(cursor, 'do')
  const body = cursor.parseScript(cursor, ['done'])
  expectWord(cursor, 'done')
  return body
}

function parseWhile(cursor: Cursor): Stage {
  takeMatch(cursor, /while|until/y)
  const test = cursor.parseScript(cursor, ['do'])
  return { type: 'loop', test, body: parseBody(cursor) }
}

function parseFor(cursor: Cursor): Stage {
  takeMatch(cursor, /for|select/y)
  skipBlanks(cursor)
  if (take(cursor, '((')) {
    const sum = balanced(cursor)
    expectNext(cursor, ')')
    const words: Parts[] = [[sumOf(cursor, sum)]]
    return { type: 'loop', name: '_', words, body: parseBody(cursor) }
  }
  const name = takeMatch(cursor, /[A-Za-z_]\w*/y)?.[0]
  if (name === undefined) throw new Unreadable('a loop has no variable')
  skipLines(cursor)
  if (peekWord(cursor) !== 'in') {
    return { type: 'loop', name, body: parseBody(cursor) }
  }
  expectWord(cursor, 'in')
  const words: Parts[] = []
  for (;;) {
    skipBlanks(cursor)
    const word = parseWord(cursor)
    if (word === undefined) break
    words.push(word)
  }
  return { type: 'loop', name, words, body: parseBody(cursor) }
}

function parseCase(cursor: Cursor): Stage {
  expectWord(cursor, 'case')
  skipBlanks(cursor)
  const words: Parts[] = [parseWord(cursor) ?? []]
  const bodies: Script[] = []
  expectWord(cursor, 'in')
  for (;;) {
    skipLines(cursor)
    if (peekWord(cursor) === 'esac') break
    take(cursor, '(')
    for (;;) {
      skipBlanks(cursor)
      words.push(parseWord(cursor) ?? [])
      skipBlanks(cursor)
      if (!take(cursor, '|')) break
    }
    expectNext(cursor, ')')
    bodies.push(cursor.parseScript(cursor, [';;', ';&', ';;&', 'esac']))
    takeMatch(cursor, /;;&|;;|;&/y)
  }
  expectWord(cursor, 'esac')
  return { type: 'branches', words, tests: [], bodies }
}

const conditionSign = /(?:\s|&&|\|\||[<>()|!;&])+/y

function parseCondition(cursor: Cursor): Stage {
  expectWord(cursor, '[[')
  const words: Parts[] = []
  for (;;) {
    const isFile = isNext(cursor, '<(') || isNext(cursor, '>(')
    if (!isFile) takeMatch(cursor, conditionSign)
    if (peekWord(cursor) === ']]') break
    const word = parseWord(cursor)
    if (word === undefined) throw new Unreadable('"]]" is missing')
    words.push(word)
  }
  expectWord(cursor, ']]')
  return { type: 'words', words }
}
