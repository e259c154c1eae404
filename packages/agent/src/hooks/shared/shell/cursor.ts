import type { RedirectSyntax, Script } from './syntax.ts'

/** A place in the text of a script. */
export interface Cursor {
  readonly text: string
  at: number
  /** How many things it is within. */
  depth: number
  /** Here-documents whose text begins on the next line. */
  readonly awaited: AwaitedText[]
  /** Reads commands up to one of some words: words hold scripts, too. */
  readonly parseScript: ParseScript
}

export type ParseScript = (cursor: Cursor, ends: readonly string[]) => Script

interface AwaitedText {
  readonly redirect: RedirectSyntax
  readonly end: string
  readonly isLiteral: boolean
  readonly isIndented: boolean
}

/** What a script is cannot be told; whoever reads it has to assume the worst. */
export class Unreadable extends Error {}

const maxDepth = 40

export function startOf(text: string, parseScript: ParseScript): Cursor {
  return { text, at: 0, depth: 0, awaited: [], parseScript }
}

/** The start of a text that is within another. */
export function inside(cursor: Cursor, text: string): Cursor {
  const depth = cursor.depth + 1
  if (depth > maxDepth) throw new Unreadable('it is nested too deep')
  return { ...cursor, text, at: 0, depth, awaited: [] }
}

/** Reads something that can hold itself. */
export function within<T>(cursor: Cursor, read: () => T): T {
  if (cursor.depth >= maxDepth) throw new Unreadable('it is nested too deep')
  cursor.depth++
  const value = read()
  cursor.depth--
  return value
}

export function isNext(cursor: Cursor, text: string): boolean {
  return cursor.text.startsWith(text, cursor.at)
}

/** Goes past a text if it is next. */
export function take(cursor: Cursor, text: string): boolean {
  if (!isNext(cursor, text)) return false
  cursor.at += text.length
  return true
}

/** Goes past what a sticky pattern finds here. */
export function takeMatch(
  cursor: Cursor,
  pattern: RegExp,
): RegExpExecArray | undefined {
  pattern.lastIndex = cursor.at
  const found = pattern.exec(cursor.text)
  if (found === null) return undefined
  cursor.at += found[0].length
  return found
}

export function expectNext(cursor: Cursor, text: string): void {
  if (!take(cursor, text)) throw new Unreadable(`"${text}" is missing`)
}
