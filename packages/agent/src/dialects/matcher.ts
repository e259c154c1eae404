import type { RegexEngine } from './foreign-regex.ts'

/** A matcher as its product reads it. */
export type Matcher =
  | { readonly type: 'all' }
  | { readonly type: 'names'; readonly names: readonly string[] }
  | {
      readonly type: 'regex'
      readonly test: (text: string) => boolean
      readonly isLinear: boolean
      readonly isSure?: (text: string) => boolean
    }
  /** It is taken to match nothing. */
  | { readonly type: 'invalid'; readonly problem: string }

export interface MatcherFacts {
  readonly regex: RegexEngine
  /** What is a list of names rather than a pattern; default: nothing is. */
  readonly names?: RegExp
  /** What is between names; default `|`. */
  readonly between?: RegExp
  /** A pattern has to fit all of a name; default: it need only occur. */
  readonly isWhole?: boolean
  /** What a pattern that is none fits: nothing (default), or its own text. */
  readonly ifBroken?: 'nothing' | 'itself'
}

/** Nothing or `*` is everything; then come names, then patterns. */
export function readMatcher(
  matcher: string | undefined,
  facts: MatcherFacts,
): Matcher {
  if (matcher === undefined || matcher === '' || matcher === '*') {
    return { type: 'all' }
  }
  const { regex, names, between = /\|/, isWhole, ifBroken } = facts
  if (names?.test(matcher)) {
    const parts = matcher.split(between)
    return { type: 'names', names: parts.map((name) => name.trim()) }
  }
  const compiled = regex.compile(isWhole ? `^(?:${matcher})$` : matcher)
  if (!('problem' in compiled)) return { type: 'regex', ...compiled }
  return ifBroken === 'itself'
    ? { type: 'names', names: [matcher] }
    : { type: 'invalid', ...compiled }
}

export function fits(matcher: Matcher, subject: string): boolean {
  switch (matcher.type) {
    case 'all':
      return true
    case 'names':
      return matcher.names.includes(subject)
    case 'regex':
      return matcher.test(subject)
    case 'invalid':
      return false
  }
}

/** The same, but for a pattern of which nobody knows whether it fits. */
export function fitsSurely(matcher: Matcher, subject: string): boolean {
  if (matcher.type !== 'regex' || matcher.isSure === undefined) {
    return fits(matcher, subject)
  }
  return matcher.isSure(subject)
}
