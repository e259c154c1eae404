import { countCodePoints, truncate } from 'hookline'
import type { ContentBlock, Message } from 'hookline/lifecycle'

/** One message as the judge reads it. */
export interface TranscriptLine {
  readonly role: string
  readonly text: string
}

const maxBlockPoints = 2_000

/** The newest of the messages, as many as fit. */
export function transcriptOf(
  messages: readonly Message[],
  maxPoints: number,
): readonly TranscriptLine[] {
  const lines: TranscriptLine[] = []
  let left = maxPoints
  for (const { role, content } of messages.toReversed()) {
    if (role === 'system') continue
    const blocks: readonly ContentBlock[] = content
    const whole = blocks.map(described).filter(Boolean).join('\n')
    const { text, cut } = truncate(whole, left)
    lines.unshift({ role, text: cut ? `${text} [cut]` : text })
    left -= countCodePoints(text)
    if (left <= 0) break
  }
  return lines
}

function described(block: ContentBlock): string {
  switch (block.type) {
    case 'text':
      return bounded(block.text)
    case 'reasoning':
      return ''
    case 'tool_call':
      return `[calls ${block.tool} with ${bounded(JSON.stringify(block.args))}]`
    case 'tool_result':
      return `[${block.tool} gave${block.isError ? ' an error' : ''}: ${block.content.map(described).join(' ')}]`
    case 'image':
    case 'file':
      return `[${block.type} ${block.mediaType}]`
  }
}

function bounded(given: string): string {
  const { text, cut } = truncate(given, maxBlockPoints)
  return cut ? `${text} [cut]` : text
}
