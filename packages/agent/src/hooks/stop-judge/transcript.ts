import { countCodePoints, truncate } from 'hookline'
import type { ContentBlock, Message } from 'hookline/lifecycle'

/** One message as the judge reads it. */
export interface TranscriptLine {
  readonly role: string
  readonly text: string
}

const maxBlockPoints = 2_000
// What a line costs beside its text, so that many short ones are bounded, too.
const pointsPerLine = 20

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
    if (whole === '') continue
    const { text, cut } = truncate(whole, left)
    lines.push({ role, text: cut ? `${text} [cut]` : text })
    left -= countCodePoints(text) + pointsPerLine
    if (left <= 0) break
  }
  return lines.toReversed()
}

/** The end of a text, where it says what is left to do. */
export function endOf(text: string, maxPoints: number): string {
  const points = countCodePoints(text)
  if (points <= maxPoints) return text
  const { text: beginning } = truncate(text, points - maxPoints)
  return `[cut] ${text.slice(beginning.length)}`
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
