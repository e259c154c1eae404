import { countCodePoints } from 'hookline'
import type { ConfigNode } from '../node.ts'
import { hint, pathText, quote } from '../problem.ts'
import { type Reading, refuse, type Shape } from './shape.ts'

interface TextRules {
  /** Has to match the whole text. */
  readonly pattern?: RegExp
  /** What the pattern asks for, as in "has to be …". */
  readonly kind?: string
  readonly maxLength?: number
  /** The empty text is fine; default: it is not. */
  readonly mayBeEmpty?: boolean
}

const defaultMaxLength = 10_000

/** A text. What it says is never repeated: it can hold a secret. */
export function text({
  pattern,
  kind = 'text',
  maxLength = defaultMaxLength,
  mayBeEmpty = false,
}: TextRules = {}): Shape<string> {
  return {
    schema: {
      type: 'string',
      maxLength,
      ...(!mayBeEmpty && { minLength: 1 }),
      ...(pattern && { pattern: pattern.source }),
    },
    read(node, reading) {
      const value = scalarOf(node)
      if (typeof value !== 'string') return wrongType(node, reading, 'text')
      const isRight =
        countCodePoints(value) <= maxLength &&
        (mayBeEmpty || value !== '') &&
        (pattern?.test(value) ?? true)
      if (isRight) return value
      const limit = `, at most ${maxLength} characters`
      const message = `${subject(reading)} has to be ${kind}${limit}.`
      return refuse(node, reading, { code: 'wrong-value', message })
    },
  }
}

interface NumberRules {
  readonly min?: number
  readonly max?: number
  readonly isWhole?: boolean
}

export function number(rules: NumberRules = {}): Shape<number> {
  const { min, max, isWhole = false } = rules
  const kind = `a${isWhole ? ' whole' : ''} number${rangeText(rules)}`
  return {
    schema: {
      type: isWhole ? 'integer' : 'number',
      ...(min !== undefined && { minimum: min }),
      ...(max !== undefined && { maximum: max }),
    },
    read(node, reading) {
      const value = scalarOf(node)
      if (typeof value !== 'number') return wrongType(node, reading, kind)
      const isRight =
        value >= (min ?? value) &&
        value <= (max ?? value) &&
        (!isWhole || Number.isInteger(value))
      if (isRight) return value
      const message = `${subject(reading)} has to be ${kind}.`
      return refuse(node, reading, { code: 'wrong-value', message })
    },
  }
}

function rangeText({ min, max }: NumberRules): string {
  if (max === undefined) return min === undefined ? '' : ` from ${min} on`
  return min === undefined ? ` up to ${max}` : ` from ${min} to ${max}`
}

export const flag: Shape<boolean> = {
  schema: { type: 'boolean' },
  read(node, reading) {
    const value = scalarOf(node)
    if (typeof value === 'boolean') return value
    return wrongType(node, reading, 'true or false')
  },
}

/** One of some words. */
export function word<const W extends string>(words: readonly W[]): Shape<W> {
  return {
    schema: { type: 'string', enum: words },
    read(node, reading) {
      const value = scalarOf(node)
      const known = words.find((one) => one === value)
      if (known !== undefined) return known
      if (typeof value !== 'string') {
        return wrongType(node, reading, `one of: ${words.join(', ')}`)
      }
      const suggestion = reading.report.nearest(value, words)
      const message = `${subject(reading)} is ${quote(value)}${hint(suggestion, words)}`
      const code = 'wrong-value'
      return refuse(node, reading, { code, message, suggestion })
    },
  }
}

/** What a sentence about this part of the file begins with. */
export function subject({ path }: Reading): string {
  return path.length === 0 ? 'The file' : `\`${pathText(path)}\``
}

export function wrongType(
  node: ConfigNode,
  reading: Reading,
  kind: string,
): undefined {
  const message = `${subject(reading)} is ${typeText(node)}, but has to be ${kind}.`
  return refuse(node, reading, { code: 'wrong-type', message })
}

export function scalarOf(node: ConfigNode) {
  return node.type === 'scalar' ? node.value : undefined
}

function typeText(node: ConfigNode): string {
  if (node.type === 'list') return 'a list'
  if (node.type === 'map') return 'an object'
  if (node.value === null) return 'nothing'
  if (typeof node.value === 'boolean') return String(node.value)
  return typeof node.value === 'number' ? 'a number' : 'text'
}
