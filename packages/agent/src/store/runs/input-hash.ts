import { createHmac } from 'node:crypto'
import { canonicalJson } from '../../seal/canonical-json.ts'
import { sha256 } from '../../seal/sha256.ts'

/** A digest of plain data, or undefined for what JSON cannot say. */
export type InputHash = (value: unknown) => string | undefined

// Messages of a conversation are in a list in a request in an input.
const levelsOfLists = 3

/**
 * Hashes what runs were given. An object in a list is hashed by itself, and
 * its hash stands for it: so a long conversation is not read again for each
 * run, only what was added to it. With a key, nobody without it can find out
 * a small secret by trying.
 */
export function createInputHash(key?: string): InputHash {
  const known = new WeakMap<object, string>()
  const digest = createDigest(key)

  const hashOf = (value: object, text: (value: object) => string): string => {
    const before = known.get(value)
    if (before !== undefined) return before
    const made = digest(text(value))
    // Only what cannot change has the same hash the next time.
    if (Object.isFrozen(value)) known.set(value, made)
    return made
  }

  const textOf = (value: unknown, levels: number): string => {
    if (!isObject(value) || levels === 0) return canonicalJson(value)
    return Array.isArray(value)
      ? listText(value)
      : membersText(value, levels - 1)
  }

  const listText = (items: readonly unknown[]): string => {
    let text = '['
    for (const item of items) {
      text += isObject(item)
        ? `#${hashOf(item, canonicalJson)},`
        : `${canonicalJson(item)},`
    }
    return `${text}]`
  }

  const membersText = (value: object, levels: number): string => {
    let text = '{'
    for (const name of Object.keys(value).sort()) {
      const part = (value as Record<string, unknown>)[name]
      if (part === undefined) continue
      text += `${canonicalJson(name)}:${textOf(part, levels)},`
    }
    return `${text}}`
  }

  return (value) => {
    try {
      if (!isObject(value)) return digest(canonicalJson(value))
      return hashOf(value, () => textOf(value, levelsOfLists))
    } catch {
      // It refers to itself, or is too deep, or is no data at all.
      return undefined
    }
  }
}

/** SHA-256, or HMAC with SHA-256 if there is a key. */
export function createDigest(key?: string): (text: string) => string {
  if (key === undefined) return sha256
  return (text) => createHmac('sha256', key).update(text).digest('hex')
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}
