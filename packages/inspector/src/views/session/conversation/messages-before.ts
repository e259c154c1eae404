import type { OutputOf } from '../../../data/protocol.ts'
import type { Turn } from './conversation.ts'

export interface PlainMessage {
  readonly key: string
  readonly who: string
  readonly text: string
}

type Messages = OutputOf<'listMessages'>

/** The messages that came before a turn, in plain words. */
export function messagesBefore(
  { messages, from }: Messages,
  first: Turn | undefined,
): readonly PlainMessage[] {
  const plain = messages.map(({ role, content }, at) => ({
    key: String(from + at),
    who: String(role),
    text: textOf(content),
  }))
  const said = first?.entries.find(({ type }) => type === 'said')
  if (said?.type !== 'said') return plain
  const end = plain.findLastIndex(
    ({ who, text }) => who === 'user' && text === said.text,
  )
  return end < 0 ? plain : plain.slice(0, end)
}

function textOf(content: unknown): string {
  const blocks: readonly unknown[] = Array.isArray(content) ? content : []
  return blocks.map(blockText).join('\n')
}

function blockText(block: unknown): string {
  const { type, text, tool, args, content } = Object(block)
  if (typeof text === 'string') return text
  if (type === 'tool_call') return `${tool} ${JSON.stringify(args)}`
  if (type === 'tool_result') return textOf(content)
  return `[${type}]`
}
