import type { JsonObject, JsonValue } from 'hookline/lifecycle'
import { readStrictJson } from '../handlers/answer/strict-json.ts'
import { TrustError } from './trust-error.ts'

/** One thing that the user trusts. */
export interface TrustEntry {
  readonly hash: string
  /** Where it is; without links. */
  readonly project: string
  /** The hook, or the file. */
  readonly name: string
  /** When the user said so, as ISO 8601 in UTC. */
  readonly at: string
}

/** All that is kept. */
export interface TrustBook {
  /** By `keyOf`. */
  readonly trusted: ReadonlyMap<string, TrustEntry>
  /** What the user has been shown, by project: hashes. */
  readonly shown: ReadonlyMap<string, readonly string[]>
}

const format = 'hookline-trust/1'

export const emptyBook: TrustBook = { trusted: new Map(), shown: new Map() }

export function isHash(value: unknown): value is string {
  return typeof value === 'string' && /^[0-9a-f]{64}$/.test(value)
}

/** What is trusted in one project says nothing about another. */
export function keyOf({
  hash,
  project,
}: Pick<TrustEntry, 'hash' | 'project'>): string {
  return `${hash} ${project}`
}

export function writeBook({ trusted, shown }: TrustBook): string {
  const book = {
    format,
    trusted: [...trusted.values()],
    shown: [...shown].map(([project, hashes]) => ({ project, hashes })),
  }
  return `${JSON.stringify(book, null, 2)}\n`
}

const limits = {
  maxBytes: 16 * 1_048_576,
  maxKeys: 500_000,
  maxItems: 500_000,
  maxDepth: 8,
}

/** Throws unless all of it is as it should be. */
export function readBook(bytes: Uint8Array, path: string): TrustBook {
  const { value, problem } = readStrictJson(bytes, limits)
  if (problem !== undefined) throw corrupt(path, problem.message)
  if (!isObject(value) || value['format'] !== format) {
    throw corrupt(path, `It is not of the format ${format}.`)
  }
  const { trusted, shown } = value
  if (!Array.isArray(trusted) || !Array.isArray(shown)) {
    throw corrupt(path, 'Its lists are missing.')
  }
  return {
    trusted: new Map(
      trusted.map((item: JsonValue) => {
        const entry = toEntry(item, path)
        return [keyOf(entry), entry]
      }),
    ),
    shown: new Map(shown.map((item: JsonValue) => toShown(item, path))),
  }
}

function toEntry(item: JsonValue, path: string): TrustEntry {
  if (!isObject(item)) throw corrupt(path, 'An entry is no object.')
  const { hash, project, name, at } = item
  const isEntry =
    isHash(hash) &&
    typeof project === 'string' &&
    typeof name === 'string' &&
    typeof at === 'string'
  if (!isEntry) throw corrupt(path, 'An entry is not complete.')
  return { hash, project, name, at }
}

function toShown(
  item: JsonValue,
  path: string,
): readonly [string, readonly string[]] {
  if (!isObject(item)) throw corrupt(path, 'A project is no object.')
  const { project, hashes } = item
  if (typeof project !== 'string' || !Array.isArray(hashes)) {
    throw corrupt(path, 'A project is not complete.')
  }
  if (!hashes.every(isHash)) throw corrupt(path, 'A hash is none.')
  return [project, hashes]
}

function isObject(value: JsonValue): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function corrupt(path: string, problem: string): TrustError {
  const message = `"${path}" cannot be understood, so that nothing is trusted: ${problem} Look at it, and move it away to begin anew.`
  return new TrustError('corrupt-store', message)
}
