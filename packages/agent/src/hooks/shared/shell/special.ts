import type { Inner } from './inner.ts'
import { optionValues } from './options.ts'
import type { Input } from './outputs.ts'
import type { Word } from './word.ts'

/** What a program with ways of its own has others run. */
export type Special = (words: readonly Word[], input: Input) => readonly Inner[]

export const script = (text: string): Inner => ({ type: 'script', text })
export const code = (what: string): Inner => ({ type: 'code', what })
export const command = (words: readonly Word[]): Inner => ({
  type: 'command',
  words,
})

export const joined = (words: readonly Word[]): string =>
  words.map(({ text }) => text).join(' ')

/** The values of options, which are scripts. */
export const scriptsOf =
  (...names: readonly string[]): Special =>
  (words) =>
    optionValues(words.slice(1), names).map(({ text }) => script(text))

/** Options by which a program runs what it is given. */
export const codeWhere =
  (pattern: RegExp): Special =>
  ([program, ...args]) =>
    args.some(({ text }) => pattern.test(text))
      ? [code(`what ${program?.text} is told to run`)]
      : []

/** Without the options at the start, and the values of some of them. */
export function afterFlags(
  words: readonly Word[],
  hasValue = /^$/,
): readonly Word[] {
  let at = 0
  while (/^-/.test(words[at]?.text ?? '')) {
    at += hasValue.test(words[at]?.text ?? '') ? 2 : 1
  }
  return words.slice(at)
}
