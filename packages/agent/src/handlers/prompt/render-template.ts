import { ownValue } from '../../data/copy-json.ts'
import type { Envelope } from '../handler.ts'
import type { Template } from './compile-template.ts'

interface Rendered {
  readonly text: string
  /** Places for which the envelope had nothing, and has to have something. */
  readonly empty: readonly string[]
}

/**
 * Puts the values of a moment into a template, each between marks that hold a
 * word nobody can know in advance.
 */
export function renderTemplate(
  { parts, hasPlaces }: Template,
  envelope: Envelope,
  nonce: string,
): Rendered {
  const empty: string[] = []
  const texts = parts.map((part) => {
    if (part.type === 'text') return part.text
    const name = part.path.join('.')
    const value = valueAt(envelope, part.path)
    if (value === undefined && !part.mayBeMissing) empty.push(name)
    return marked(name, value, nonce)
  })
  const whole = hasPlaces
    ? ''
    : `\n\n${marked('moment', momentOf(envelope), nonce)}`
  return { text: texts.join('') + whole, empty }
}

/** What is the same for every call says nothing about this one. */
function momentOf({ point, hook, scope, input, decision }: Envelope) {
  return { point, hook, scope, input, ...(decision && { decision }) }
}

function valueAt(root: object, path: readonly string[]): unknown {
  let value: unknown = root
  for (const key of path) {
    if (typeof value !== 'object' || value === null) return undefined
    if (Array.isArray(value) && !/^\d+$/.test(key)) return undefined
    value = ownValue(value, key)
  }
  return value
}

function marked(name: string, value: unknown, nonce: string): string {
  const json = value === undefined ? '' : escapeJson(value)
  return `<data-${nonce} name="${name}">${json}</data-${nonce}>`
}

/**
 * JSON that holds no angle bracket: even one who knows the word cannot close
 * the mark, or open another.
 */
function escapeJson(value: unknown): string {
  return JSON.stringify(value).replaceAll(
    /[<>&\u2028\u2029]/g,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}
