import { errorText } from '../data/error-text.ts'
import { quote } from './problem.ts'

/** Tests whole texts; takes time in proportion to them, whatever is in them. */
export type CompileRegex = (source: string) => (text: string) => boolean

const maxSourceLength = 1_000
const maxTextLength = 1_000_000

/**
 * The engine for `$regex` in configuration: RE2, loaded when it is needed. A
 * pattern is about the whole text, and its dot takes line breaks, too.
 */
export async function loadLinearRegex(): Promise<CompileRegex> {
  const { RE2JS } = await import('re2js')
  return (source) => {
    if (source.length > maxSourceLength) {
      throw new Error(`it is longer than ${maxSourceLength} characters`)
    }
    try {
      const regex = RE2JS.compile(source, RE2JS.DOTALL)
      return (text) => {
        if (text.length <= maxTextLength) return regex.matches(text)
        const message = `A text is longer than ${maxTextLength} characters, which no pattern is tried on.`
        throw new Error(message)
      }
    } catch (error) {
      throw new Error(whyNot(source, errorText(error)), { cause: error })
    }
  }
}

/** What people write who know other engines. */
const unsupported: readonly (readonly [RegExp, string])[] = [
  [/\(\?=/, 'a look-ahead "(?="'],
  [/\(\?!/, 'a negative look-ahead "(?!"'],
  [/\(\?<=/, 'a look-behind "(?<="'],
  [/\(\?<!/, 'a negative look-behind "(?<!"'],
  [/\(\?>/, 'an atomic group "(?>"'],
  [/\\[1-9]/, 'a back-reference such as "\\1"'],
  [/\\k[<{']/, 'a named back-reference "\\k"'],
  [/\(\?(?:R|0|\()/, 'recursion or a conditional'],
  [/[*+?}]\+/, 'a possessive quantifier such as "*+"'],
  [/\\u/, 'a "\\u" escape; write \\x{…} or the character itself'],
]

function whyNot(source: string, said: string): string {
  const found = unsupported.find(([pattern]) => pattern.test(source))
  if (found) {
    return `it uses ${found[1]}, which RE2, the engine for patterns from files, does not have`
  }
  return quote(said.replace(/^error parsing regexp: /, ''))
}
