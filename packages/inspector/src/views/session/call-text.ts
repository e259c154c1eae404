import type { CallEntry } from './conversation/conversation.ts'

interface ArgsTextOptions {
  /** On one line, and no longer than one. */
  readonly isShort?: boolean
}

/** The arguments of a call as people read them: the one there is, or all. */
export function argsText(
  args: CallEntry['args'],
  { isShort = false }: ArgsTextOptions = {},
): string {
  if (!isShort) return JSON.stringify(args, null, 2)
  const entries = Object.entries(args)
  const text = entries
    .map(([name, value]) => {
      const words = typeof value === 'string' ? value : JSON.stringify(value)
      return entries.length === 1 ? words : `${name}: ${words}`
    })
    .join('  ')
  return text.slice(0, 300).replaceAll(/\s+/g, ' ')
}

/** What came of a call; what is no text is named. */
export function resultText(result: CallEntry['result']): string {
  if (result === undefined) return ''
  return result.content
    .map((block) =>
      block.type === 'text'
        ? block.text
        : `[${block.type}, ${block.mediaType}]`,
    )
    .join('\n')
}
