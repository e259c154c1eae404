import type { JsonObject } from 'hookline/lifecycle'
import { type Surprise, textIn } from './read-hooks-file.ts'
import type { Vocabulary } from './vocabulary.ts'

interface MatcherRules {
  readonly product: string
  /** What becomes of a hook whose pattern cannot be read. */
  readonly ifBroken: string
  readonly words?: Vocabulary
}

/** What in a matcher will surprise its author. */
export function checkMatcher(
  entry: JsonObject,
  { product, ifBroken, words }: MatcherRules,
): readonly Surprise[] {
  const matcher = textIn(entry, 'matcher')
  if (matcher === undefined || matcher === '*') return []
  if (!isPattern(matcher)) {
    const message = `The matcher is no regular expression, so that ${ifBroken}.`
    return [{ severity: 'error', code: 'bad-matcher', message }]
  }
  const named = words === undefined ? [] : matcher.split('|')
  return named.flatMap((name): readonly Surprise[] => {
    const own =
      words && Object.hasOwn(words.tools, name) ? words.tools[name] : name
    if (own === undefined || own === name) return []
    const message = `"${name}" is a name of Claude Code's, so that it fits nothing; ${product} has "${own}".`
    return [
      {
        severity: 'warning',
        code: 'foreign-tool-name',
        message,
        suggestion: own,
      },
    ]
  })
}

function isPattern(matcher: string): boolean {
  try {
    new RegExp(matcher)
    return true
  } catch {
    return false
  }
}
