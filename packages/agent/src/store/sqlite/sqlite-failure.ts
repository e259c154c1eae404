import { errorText } from '../../data/error-text.ts'
import { StoreError, type StoreErrorCode } from '../store-error.ts'
import type { Failure } from './messages.ts'

/** What went wrong, in words for whoever runs the program. */
export function failureOf(thrown: unknown, name: string): Failure {
  if (thrown instanceof StoreError) {
    return { code: thrown.code, message: thrown.message }
  }
  const extended = extendedCode(thrown)
  const code = isTaken(extended) ? 'exists' : codeOf(thrown)
  // What SQLite says names tables and columns, never values.
  const said = `SQLite ${extended ?? 'refused'}: ${errorText(thrown)}`
  if (code === undefined) {
    const message = `${name} holds a statement or a value that does not fit the database (${said}).`
    return { code: 'invalid-statement', message }
  }
  return { code, message: `${name}: ${words[code] ?? ''} (${said})` }
}

/** Whether it ends the work of all, and not only what one statement asked. */
export function isOfAll(thrown: unknown): boolean {
  return codeOf(thrown) !== undefined
}

/**
 * The file for shared memory could not be made as large as it must be: SQLite
 * does not say whether the disk is full or fails.
 */
export function isAboutSize(thrown: unknown): boolean {
  return extendedCode(thrown) === 4_874
}

/** SQLite's numbers for what is not the fault of a statement. */
const codes: Readonly<Record<number, StoreErrorCode>> = {
  5: 'busy',
  6: 'busy',
  7: 'unavailable',
  8: 'unavailable',
  10: 'unavailable',
  11: 'corrupt',
  13: 'full',
  14: 'unavailable',
  26: 'corrupt',
}

const words: Partial<Record<StoreErrorCode, string>> = {
  exists: 'There is such a row already.',
  busy: 'Another process holds the database file. End it, or raise busyMs.',
  unavailable:
    'The database file could not be read or written; look at the disk. What was being written may or may not be there.',
  corrupt: 'The database file is damaged; restore a backup.',
  full: 'The disk is full, nothing was written. Free some space; it goes on by itself.',
}

const isTaken = (code: number | undefined) => code === 2067 || code === 1555

function codeOf(thrown: unknown): StoreErrorCode | undefined {
  const extended = extendedCode(thrown)
  return extended === undefined ? undefined : codes[extended % 256]
}

function extendedCode(thrown: unknown): number | undefined {
  if (!(thrown instanceof Error) || !('errcode' in thrown)) return undefined
  return typeof thrown.errcode === 'number' ? thrown.errcode : undefined
}
