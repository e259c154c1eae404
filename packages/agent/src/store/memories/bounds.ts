import type { Redactor } from '../content/redact.ts'
import { StoreError } from '../store-error.ts'

const maxNameChars = 200
const maxTextChars = 100_000
const maxLimit = 1_000

/** How many that were superseded are kept of a name. */
export const maxSuperseded = 5

/**
 * One form of a name, whoever wrote it. It is seen by people, so that it must
 * be fit to be shown.
 */
export function checkName(
  given: string,
  redactor: Pick<Redactor, 'text'>,
): string {
  const name = given.normalize('NFC').trim()
  const isName = name !== '' && name.length <= maxNameChars
  if (isName && redactor.text(name) === name) return name
  const message = `The name of a memory is one line of at most ${maxNameChars} characters, and no secret.`
  throw new StoreError('invalid-options', message)
}

export function checkText(text: string): void {
  if (text.trim() !== '' && text.length <= maxTextChars) return
  const message = `A memory has from 1 to ${maxTextChars} characters.`
  throw new StoreError('invalid-options', message)
}

export function checkLimit(limit: number): number {
  if (Number.isInteger(limit) && limit > 0 && limit <= maxLimit) return limit
  const message = `A limit is a whole number from 1 to ${maxLimit}.`
  throw new StoreError('invalid-options', message)
}

export function tooMany(maxEntries: number): StoreError {
  const message = `There are ${maxEntries} memories in this space, which is as many as it holds; forget some first.`
  return new StoreError('too-many', message)
}
