import { countCodePoints } from 'hookline'
import { described, list, number, record, text } from '../../../define-hooks.ts'
import { compileWords } from './find-words.ts'
import type { Found } from './found.ts'
import { compilePattern, pattern } from './linear-pattern.ts'

export interface TextRulesOptions {
  /** RE2 patterns that are found anywhere in a text, by what they are called. */
  readonly patterns?: Readonly<Record<string, string>>
  /** Whole words and phrases, in whatever letters they are disguised. */
  readonly words?: readonly string[]
  /** How many characters a text may have. */
  readonly maxChars?: number
}

export const textRulesFields = {
  patterns: described(
    record(pattern, { keys: /^.{1,100}$/u, kind: 'name of a rule', max: 200 }),
    'RE2 patterns that are found anywhere in a text, by what they are called.',
  ),
  words: described(
    list(text({ maxLength: 200 }), { max: 10_000 }),
    'Whole words and phrases, in whatever letters they are disguised.',
  ),
  maxChars: described(
    number({ isWhole: true, min: 1, max: 1_000_000 }),
    'How many characters a text may have.',
  ),
}

export interface TextRules {
  /** Whether there is any rule at all. */
  readonly isEmpty: boolean
  /** What patterns and words are about. */
  readonly find: (text: string) => readonly Found[]
  /** The rule that texts break, read apart and as one; absent: none. */
  broken(texts: readonly string[]): string | undefined
}

/** Rules about texts, compiled once. */
export function createTextRules(options: TextRulesOptions): TextRules {
  const { patterns = {}, words = [], maxChars = Infinity } = options
  const finders = [
    ...Object.entries(patterns).map(([name, source]) =>
      compilePattern(source, name),
    ),
    ...(words.length > 0 ? [compileWords(words, 'a listed word')] : []),
  ]
  const find = (text: string) => finders.flatMap((finder) => finder(text))
  const isTooLong = (text: string) => countCodePoints(text) > maxChars
  return {
    isEmpty: finders.length === 0 && maxChars === Infinity,
    find,
    broken(texts) {
      // What is split over blocks reads as one.
      const whole = texts.join('')
      if (isTooLong(whole)) return `longer than ${maxChars} characters`
      const apart = texts.length > 1 ? texts : []
      for (const text of [whole, ...apart]) {
        const [first] = find(text)
        if (first !== undefined) return first.rule
      }
      return undefined
    },
  }
}
