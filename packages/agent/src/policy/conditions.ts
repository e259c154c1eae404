import { type Condition, compileCondition, type MatchEngines } from 'hookline'
import { configError, readWord } from './config-error.ts'
import { safetyClasses, safetyOf } from './modes.ts'

export type Test = (value: unknown) => boolean

export interface ConditionOptions {
  /** Where it stands in the configuration. */
  readonly key: string
  readonly match: Partial<MatchEngines>
}

/** Compiles a condition on a name: text, a glob, a RegExp, or a list of them. */
export function compileNameTest(
  condition: unknown,
  options: ConditionOptions,
): Test {
  if (!isAboutText(condition)) {
    throw configError(options.key, 'is not a name, a pattern or a list of them')
  }
  return compile(condition, options)
}

/** Compiles a list of safety classes; they are words, not patterns. */
export function compileSafetyTest(
  condition: unknown,
  { key }: ConditionOptions,
): Test {
  const words: readonly unknown[] = [condition].flat()
  const meant = words.map((word) => readWord(word, safetyClasses, key))
  return (value) => meant.includes(safetyOf(value))
}

/** Compiles conditions on arguments, by their paths. */
export function compileArgsTest(
  condition: unknown,
  options: ConditionOptions,
): Test {
  if (!isAboutPaths(condition)) {
    throw configError(options.key, 'is not an object of conditions by path')
  }
  return compile(condition, options)
}

function compile(condition: Condition, { key, match }: ConditionOptions): Test {
  try {
    return compileCondition(condition, match)
  } catch (cause) {
    throw configError(key, 'is not a condition', cause)
  }
}

// What could never match text is a slip, and a denial with it would be none.
function isAboutText(condition: unknown): condition is Condition {
  if (typeof condition === 'string') return condition !== ''
  if (condition instanceof RegExp) return true
  if (Array.isArray(condition)) return condition.every(isAboutText)
  if (typeof condition !== 'object' || condition === null) return false
  const parts = Object.entries(condition)
  return parts.length > 0 && parts.every(isTextOperator)
}

function isTextOperator([key, part]: readonly [string, unknown]): boolean {
  if (key === '$not') return isAboutText(part)
  return key.startsWith('$') && typeof part === 'string'
}

function isAboutPaths(condition: unknown): condition is Condition {
  if (typeof condition !== 'object' || condition === null) return false
  if (condition instanceof RegExp) return false
  return !Array.isArray(condition) || condition.every(isAboutPaths)
}
