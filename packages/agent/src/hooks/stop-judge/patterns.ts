import { RE2JS } from 're2js'
import { AgentError } from '../../index.ts'

// The end of a reply is where it says what is left.
const maxLength = 100_000

/** Whether a text has one of the patterns in it, in time linear to it. */
export function compilePatterns(
  sources: readonly string[],
  about: string,
): (text: string) => boolean {
  const compiled = sources.map((source, at) => {
    try {
      return RE2JS.compile(source)
    } catch (cause) {
      const message = `The options of ${about} do not fit: pattern ${at + 1} is none that RE2 knows.`
      throw new AgentError('invalid-config', message, cause)
    }
  })
  return (text) => {
    const end = text.slice(-maxLength)
    return compiled.some((one) => one.matcher(end).find())
  }
}
