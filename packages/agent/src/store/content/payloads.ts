import { cutText } from '../../data/cut-text.ts'
import { StoreError } from '../store-error.ts'

/** What has to be exact to go on, as the text of a `payload` column. */
export interface Payloads {
  /** Text that can be read again only as that of the same row. */
  write(value: unknown, place: Place): string
  read(text: string, place: Place): unknown
  /**
   * As what a word of a payload may be found: itself, or with keys only its
   * keyed hashes, that of the newest key first.
   */
  wordForms(word: string): readonly string[]
}

/**
 * The row that a payload belongs to: its table, and the values of its primary
 * key in the order that the schema has them. `exportSession` relies on that.
 */
export type Place = readonly [table: string, ...key: (string | number)[]]

/** No JSON begins like this. */
export const encryptedMark = 'hk1:'

/** Which key an encrypted payload was written with. */
export function keyIdOf(text: string): string {
  return text.slice(encryptedMark.length).split(':', 1)[0] ?? ''
}

/** JSON as it is. */
export const plainPayloads: Payloads = {
  write: (value) => JSON.stringify(value) ?? 'null',
  read(text, place): unknown {
    if (!text.startsWith(encryptedMark)) return JSON.parse(text)
    const message = `A payload of ${place[0]} was written with the key "${cutText(keyIdOf(text), 64)}", and the store has no key; give it that one.`
    throw new StoreError('wrong-key', message)
  },
  wordForms: (word) => [word],
}
