import { any, type Word } from './word.ts'

/** How a program that runs another one is called. */
export interface WrapperSpec {
  /** Letters of options that have a value after them. */
  readonly values?: string
  /** Letters of options that have none. */
  readonly flags?: string
  /** Long options that have a value as a word of its own. */
  readonly long?: readonly string[]
  /** How many words stand before the command. */
  readonly skip?: number
  /** Options whose value is the folder that the command runs in. */
  readonly folder?: readonly string[]
  /** `NAME=value` may stand before the command. */
  readonly assigns?: boolean
}

/**
 * Where the command can begin: one place, or two if there is an option of
 * which nobody knows whether the next word is its value.
 */
export function commandStarts(
  words: readonly Word[],
  {
    values = '',
    flags = '',
    long = [],
    skip = 0,
    assigns = false,
  }: WrapperSpec,
): readonly number[] {
  let at = 1
  let isSure = true
  for (; at < words.length; at++) {
    const word = words[at]
    const text = word?.text ?? ''
    if (word?.isMany || text.startsWith(any)) break
    if (assigns && /^[A-Za-z_]\w*=/.test(text)) continue
    if (text === '--') {
      at++
      break
    }
    if (!text.startsWith('-')) break
    if (text === '-') continue
    if (text.startsWith('--')) {
      if (text.includes('=')) continue
      if (long.includes(text)) at++
      else isSure = false
      continue
    }
    const letters = text.slice(1).split('')
    const taking = letters.findIndex((letter) => values.includes(letter))
    if (taking === letters.length - 1) at++
    const before = taking < 0 ? letters : letters.slice(0, taking)
    if (before.some((letter) => !flags.includes(letter))) isSure = false
  }
  const first = at + skip
  const all = isSure ? [first] : [first, first + 1]
  return all.filter((start) => {
    const word = words[start]
    // What begins with a dash is an option that was missed.
    return word !== undefined && (start === first || !/^-/.test(word.text))
  })
}

/** The word after one of some options, or what is written right behind it. */
export function optionValues(
  words: readonly Word[],
  names: readonly string[],
): readonly Word[] {
  return words.flatMap((word, index) => {
    const { text } = word
    for (const name of names) {
      if (text === name) return words.slice(index + 1, index + 2)
      const isLong = name.startsWith('--')
      const start = isLong ? `${name}=` : name
      if (text.startsWith(start)) {
        return [{ ...word, text: text.slice(start.length) }]
      }
    }
    return []
  })
}
