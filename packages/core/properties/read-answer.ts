import type { AnswerType } from '../src/engine/index.ts'

interface Read {
  readonly type: AnswerType | 'proceed'
  /** What it carries, where that is data; what it says is only text. */
  readonly payload?: unknown
}

/** The limits of the points that are asked: low, so that they are reached. */
export const limits = { depth: 12, keys: 500, chars: 5_000 }

const texts = new Map<unknown, string>([
  ['ask', 'question'],
  ['endTurn', 'reason'],
  ['keepGoing', 'feedback'],
])

const values = new Map<unknown, string>([
  ['transform', 'value'],
  ['replace', 'value'],
  ['respond', 'output'],
])

/**
 * What an answer says if it is one: an oracle, written from the specification
 * (design, section 4; faults F022 to F047) and not from the engine.
 */
export function readAnswer(answer: unknown): Read | undefined {
  if (!isRecord(answer)) return undefined
  const { type } = answer
  if (type === 'proceed') return { type }
  // A refusal is one whatever its reason, or without any.
  if (type === 'reject') return { type }
  const text = answer[texts.get(type) ?? '']
  if (texts.has(type)) {
    // Nothing but letters that cannot be printed says nothing.
    const isSaid = typeof text === 'string' && /[^\p{C}\p{Z}]/u.test(text)
    return isSaid ? { type: type as AnswerType } : undefined
  }
  const value = answer[values.get(type) ?? '']
  if (!values.has(type) || !isSmallData(value)) return undefined
  return { type: type as AnswerType, payload: value }
}

function isSmallData(value: unknown): boolean {
  try {
    return (
      isJson(value, limits.depth) &&
      JSON.stringify(value).length <= limits.chars
    )
  } catch {
    return false // it throws when it is read
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  if (typeof value !== 'object' || value === null) return false
  const prototype = Object.getPrototypeOf(value)
  if (Array.isArray(value)) return false
  return prototype === Object.prototype || prototype === null
}

/** Whether JSON can say it, with at most so many levels. */
function isJson(value: unknown, levels: number): boolean {
  if (typeof value === 'number') return Number.isFinite(value)
  if (typeof value === 'string' || typeof value === 'boolean') return true
  if (value === null) return true
  if (levels === 0) return false
  const parts = Array.isArray(value) ? itemsOf(value) : partsOf(value)
  return parts?.every((part) => isJson(part, levels - 1)) ?? false
}

function itemsOf(list: readonly unknown[]): readonly unknown[] | undefined {
  if (Object.getPrototypeOf(list) !== Array.prototype) return undefined
  const keys = new Set(Reflect.ownKeys(list))
  keys.delete('length')
  // Not a method of the list: they pass over holes.
  for (let at = 0; at < list.length; at++) {
    if (!keys.delete(String(at))) return undefined
  }
  return keys.size === 0 ? list : undefined
}

/** A property that is undefined is one that is not there. */
function partsOf(value: unknown): readonly unknown[] | undefined {
  if (!isRecord(value)) return undefined
  const all = Object.getOwnPropertyDescriptors(value)
  const keys = Reflect.ownKeys(all)
  if (keys.some((key) => typeof key === 'symbol' || key === '__proto__')) {
    return undefined
  }
  const parts = Object.values(all)
  if (!parts.every((part) => 'value' in part)) return undefined
  return parts.map((part) => part.value).filter((part) => part !== undefined)
}
