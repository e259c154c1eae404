import {
  type Cursor,
  expectNext,
  isNext,
  take,
  takeMatch,
  Unreadable,
} from './cursor.ts'
import { takeAwaited } from './here-documents.ts'

const blanks = /(?:[ \t]|\\\n)+/y

export function skipBlanks(cursor: Cursor): void {
  takeMatch(cursor, blanks)
  if (isNext(cursor, '#')) takeMatch(cursor, /[^\n]*/y)
}

export function skipLines(cursor: Cursor): void {
  for (;;) {
    skipBlanks(cursor)
    if (!take(cursor, '\n')) return
    takeAwaited(cursor)
  }
}

const wordAhead = /;;&|;;|;&|\)|[^\s;&|<>()'"\\$`]+/y

/** The next word as it is written: only such words have a meaning here. */
export function peekWord(cursor: Cursor): string {
  const { at } = cursor
  const found = takeMatch(cursor, wordAhead)?.[0] ?? ''
  const isSign = /^[;)]/.test(found)
  const isWhole = isSign || !/['"\\$`]/.test(cursor.text[cursor.at] ?? '')
  cursor.at = at
  return isWhole ? found : ''
}

export function expectWord(cursor: Cursor, word: string): void {
  skipLines(cursor)
  if (peekWord(cursor) !== word) throw new Unreadable(`"${word}" is missing`)
  expectNext(cursor, word)
}
