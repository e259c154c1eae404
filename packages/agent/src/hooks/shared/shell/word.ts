/** Stands for any text in a word: what nobody knows before it runs. */
export const any = '\0'

/** A word of a command, as far as it is known. */
export interface Word {
  /** With `any` in place of what is not known. */
  readonly text: string
  /** It can be several words, or none. */
  readonly isMany: boolean
  /** What is not known of it are names of files that are there. */
  readonly isNames: boolean
}

export const knownWord = (text: string): Word => ({
  text,
  isMany: false,
  isNames: false,
})

export const unknownWords: Word = { text: any, isMany: true, isNames: false }

export const isKnown = ({ text, isMany }: Word): boolean =>
  !isMany && !text.includes(any)

/** A path that surely leads no higher than where it starts. */
export const isBelowHere = (path: string): boolean =>
  !/^[/~]|\.\./.test(path) && !path.includes(any)

/** Whether something holds for all that a command can turn out to be. */
export type Certainty = 'yes' | 'maybe' | 'no'

/** What holds for one of several. */
export function strongest(all: readonly Certainty[]): Certainty {
  if (all.includes('yes')) return 'yes'
  return all.includes('maybe') ? 'maybe' : 'no'
}

/** What holds for all of several. */
export function weakest(all: readonly Certainty[]): Certainty {
  if (all.includes('no')) return 'no'
  return all.includes('maybe') ? 'maybe' : 'yes'
}

const maxCompared = 2_000

/** Whether a text with unknown parts fits a pattern of `*` and `?`. */
export function fits(text: string, pattern: string): Certainty {
  if (fitsSurely(text, pattern)) return 'yes'
  if (!text.includes(any)) return 'no'
  // Too long to be compared in all its forms; it may well fit.
  if (text.length > maxCompared) return 'maybe'
  return canFit(text, pattern) ? 'maybe' : 'no'
}

/** Takes at most text × pattern steps; only `*` is as wide as `any`. */
function fitsSurely(text: string, pattern: string): boolean {
  let at = 0
  let on = 0
  let star = -1
  let taken = 0
  while (at < text.length) {
    const sign = pattern[on]
    const isOne = sign === '?' && text[at] !== any
    if (sign === '*') {
      star = on++
      taken = at
    } else if (isOne || (sign === text[at] && text[at] !== any)) {
      at++
      on++
    } else if (star >= 0) {
      on = star + 1
      at = ++taken
    } else {
      return false
    }
  }
  while (pattern[on] === '*') on++
  return on === pattern.length
}

/** Whether there is a text that both stand for. */
function canFit(text: string, pattern: string): boolean {
  // Which starts of the pattern fit the start of the text so far.
  let fitting = closeOver(new Set([0]), pattern)
  for (const sign of text) {
    const next = new Set<number>()
    if (sign === any) {
      const first = Math.min(...fitting)
      for (let on = first; on <= pattern.length; on++) next.add(on)
    } else {
      for (const on of fitting) {
        if (pattern[on] === '*') next.add(on)
        else if (pattern[on] === '?' || pattern[on] === sign) next.add(on + 1)
      }
    }
    if (next.size === 0) return false
    fitting = closeOver(next, pattern)
  }
  return fitting.has(pattern.length)
}

/** A star stands for nothing, too. */
function closeOver(fitting: Set<number>, pattern: string): Set<number> {
  for (const on of fitting) if (pattern[on] === '*') fitting.add(on + 1)
  return fitting
}
