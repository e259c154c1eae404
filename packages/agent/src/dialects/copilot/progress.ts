import { isObject } from '../printed.ts'

/** What a command has printed, without the lines that only tell how it goes. */
export function readProgress(stdout: string): {
  readonly rest: string
  readonly messages: readonly string[]
} {
  const messages: string[] = []
  const rest = stdout.split('\n').filter((line) => {
    const message = messageIn(line.trim())
    if (message === undefined) return true
    if (message !== '') messages.push(message)
    return false
  })
  return { rest: rest.join('\n'), messages }
}

/** Empty where it is only for a moment; absent where it is no such line. */
function messageIn(line: string): string | undefined {
  if (!line.startsWith('{') || !line.endsWith('}')) return undefined
  const value = parsed(line)
  if (!isObject(value) || value['type'] !== 'progress') return undefined
  const { message, temporary } = value
  return typeof message === 'string' && temporary !== true ? message : ''
}

function parsed(line: string) {
  try {
    return JSON.parse(line)
  } catch {
    return undefined
  }
}
