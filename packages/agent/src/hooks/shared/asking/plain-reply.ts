import type { ModelResponse } from 'hookline/lifecycle'

/** What a model wrote, or why that is not what it was asked for. */
export type PlainReply =
  | { readonly text: string; readonly problem?: undefined }
  | { readonly problem: string; readonly text?: undefined }

/** Only words that came to their end are taken. */
export function plainReply({ content, stopReason }: ModelResponse): PlainReply {
  if (stopReason !== 'end_turn' && stopReason !== 'stop_sequence') {
    return { problem: `The model stopped with "${stopReason}".` }
  }
  const texts: string[] = []
  for (const block of content) {
    if (block.type === 'text') texts.push(block.text)
    else if (block.type !== 'reasoning') {
      return { problem: 'The model gave more than text.' }
    }
  }
  const text = texts.join('').trim()
  return text === '' ? { problem: 'The model said nothing.' } : { text }
}
