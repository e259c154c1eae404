import { countCodePoints, truncate } from 'hookline'
import type { Message, ToolResultBlock } from 'hookline/lifecycle'
import { tokensIn } from '../shared/turns/request-tokens.ts'

/** A result of a conversation, and a name that it alone has. */
export interface PlacedResult {
  readonly key: string
  readonly result: ToolResultBlock
  /** It belongs to the newest results, which the model has not seen yet. */
  readonly isNew: boolean
}

/** All of them, the oldest first. Providers use an id more than once. */
export function resultsIn(messages: readonly Message[]): PlacedResult[] {
  const seen = new Map<string, number>()
  const lastAt = messages.findLastIndex(({ role }) => role === 'tool')
  return messages.flatMap((message, at) => {
    if (message.role !== 'tool') return []
    return message.content.map((result) => {
      const count = (seen.get(result.callId) ?? 0) + 1
      seen.set(result.callId, count)
      const key = `${count}:${result.callId}`
      return { key, result, isNew: at === lastAt }
    })
  })
}

/** What is left of a result; the same one if that would not be less. */
export function shortened(
  result: ToolResultBlock,
  keepChars: number,
): ToolResultBlock {
  const texts = result.content.flatMap((part) =>
    part.type === 'text' ? [part.text] : [],
  )
  const whole = texts.join('\n')
  const media = result.content.length - texts.length
  const { text } = truncate(whole, keepChars)
  const left = countCodePoints(whole) - countCodePoints(text)
  const what = [
    ...(left > 0 ? [`${left} characters`] : []),
    ...(media > 0 ? [`${media} images or files`] : []),
  ].join(' and ')
  const note = `[${what} of this result were left out to save room; call ${result.tool} again if they are needed.]`
  const content = [
    { type: 'text' as const, text: text === '' ? note : `${text}\n${note}` },
  ]
  const edited = { ...result, content }
  return tokensIn(edited) < tokensIn(result) ? edited : result
}

export function savedBy(before: ToolResultBlock, after: ToolResultBlock) {
  return tokensIn(before) - tokensIn(after)
}

/** The messages with other results in place of some. */
export function withResults(
  messages: readonly Message[],
  edits: ReadonlyMap<ToolResultBlock, ToolResultBlock>,
): readonly Message[] {
  if (edits.size === 0) return messages
  return messages.map((message) => {
    if (message.role !== 'tool') return message
    if (!message.content.some((result) => edits.has(result))) return message
    const content = message.content.map((one) => edits.get(one) ?? one)
    return { ...message, content }
  })
}
