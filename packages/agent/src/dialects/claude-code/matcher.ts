import type { RegexEngine } from '../foreign-regex.ts'

/** A matcher as the product reads it. */
export type Matcher =
  | { readonly type: 'all' }
  | { readonly type: 'names'; readonly names: readonly string[] }
  | {
      readonly type: 'regex'
      readonly test: (text: string) => boolean
      readonly isLinear: boolean
    }
  /** It is taken to match nothing. */
  | { readonly type: 'invalid'; readonly problem: string }

const names = /^[A-Za-z0-9_\- ,|]+$/
const fewNames = /^[A-Za-z0-9_|]+$/

/** Two events have a narrower idea of what is a list of names. */
const narrowEvents: ReadonlySet<string> = new Set([
  'FileChanged',
  'StopFailure',
])

/**
 * Nothing or `*` is everything; letters, digits, `_`, `-` and blanks are names
 * between `|` or `,`; anything else is a regular expression, not anchored.
 */
export function readMatcher(
  matcher: string | undefined,
  event: string,
  regex: RegexEngine,
): Matcher {
  if (matcher === undefined || matcher === '' || matcher === '*') {
    return { type: 'all' }
  }
  const isNarrow = narrowEvents.has(event)
  if ((isNarrow ? fewNames : names).test(matcher)) {
    const parts = matcher.split(isNarrow ? '|' : /[|,]/)
    return { type: 'names', names: parts.map((name) => name.trim()) }
  }
  const compiled = regex.compile(matcher)
  if ('problem' in compiled) return { type: 'invalid', ...compiled }
  return { type: 'regex', ...compiled }
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
