import { answererWords } from '../../data/protocol.ts'
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

/** What came of asking people; no full stop. */
export function answerText(
  question: CallEntry['question'],
): string | undefined {
  const { decision, by } = question ?? {}
  if (decision === undefined) return undefined
  if (by?.kind === 'nobody') return 'Nobody answered'
  const who = by === undefined ? 'somebody' : answererWords(by)
  return `${decisions[decision.type]} by ${who}`
}

const decisions = { allow: 'Allowed', deny: 'Denied', edit: 'Changed' } as const
