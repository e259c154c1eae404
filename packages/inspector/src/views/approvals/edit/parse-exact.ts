import type { Json } from './field-of.ts'

/** What `JSON.parse` tells of a number, where the browser knows it. */
interface Written {
  readonly source?: string
}

const strings = /"(?:[^"\\]|\\.)*"(\s*:)?/g

/**
 * JSON that says what it will be sent as: no number that would become another,
 * and no name twice. Throws an error that says which.
 */
export function parseExact(text: string): Json {
  let names = 0
  const check = (_: string, value: unknown, { source = '' }: Written = {}) => {
    if (typeof value === 'number' && !isExact(value)) {
      const given = source === '' ? String(value) : source
      throw new Error(`${given} cannot be kept as it is; write it as a text.`)
    }
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
      names += Object.keys(value).length
    }
    return value
  }
  // What was parsed is JSON.
  const parsed = JSON.parse(text, check) as Json
  const written = [...text.matchAll(strings)].filter(([, colon]) => colon)
  if (written.length === names) return parsed
  throw new Error('A name stands there twice, and only one would be sent.')
}

function isExact(value: number): boolean {
  if (!Number.isFinite(value) || Object.is(value, -0)) return false
  return !Number.isInteger(value) || Number.isSafeInteger(value)
}
