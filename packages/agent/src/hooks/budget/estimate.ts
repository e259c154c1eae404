import type { ContentBlock, Message, ModelRequest } from 'hookline/lifecycle'

// What a provider adds around each message, tool and medium.
const tokensPerMessage = 8
const tokensPerMedium = 2_000

/**
 * How many tokens a request has, rather too many than too few. Messages are
 * frozen and come again with every call, so that each is counted once.
 */
export function createEstimate(
  charsPerToken: number,
): (request: ModelRequest) => number {
  const known = new WeakMap<object, number>()

  const once = <T extends object>(value: T, count: (value: T) => number) => {
    const before = known.get(value)
    if (before !== undefined) return before
    const tokens = count(value)
    if (Object.isFrozen(value)) known.set(value, tokens)
    return tokens
  }
  const ofText = (text: string) => {
    const others = Buffer.byteLength(text) - text.length
    // Where a character is no plain letter, two of its bytes are a token.
    return Math.ceil(text.length / charsPerToken + others / 2)
  }
  const ofData = (data: unknown) => ofText(JSON.stringify(data) ?? '')
  const ofBlock = (block: ContentBlock): number => {
    switch (block.type) {
      case 'text':
      case 'reasoning':
        return ofText(block.text)
      case 'tool_call':
        return ofText(block.tool) + ofData(block.args) + tokensPerMessage
      case 'tool_result':
        return sum(block.content, ofBlock) + tokensPerMessage
      case 'image':
        return tokensPerMedium
      case 'file':
        return Math.max(tokensPerMedium, sizeOf(block.source))
    }
  }
  const ofMessage = ({ content }: Message) =>
    sum<ContentBlock>(content, ofBlock) + tokensPerMessage

  return ({ messages, tools, settings }) =>
    sum(messages, (message) => once(message, ofMessage)) +
    once(tools, ofData) +
    (settings.responseSchema ? once(settings.responseSchema, ofData) : 0)
}

/** Pages of a file are text and pictures; its bytes are the best there is. */
function sizeOf(
  source: { readonly type: 'base64'; readonly data: string } | { type: 'url' },
): number {
  return source.type === 'base64' ? Math.ceil(source.data.length / 4) : 0
}

function sum<T>(all: readonly T[], count: (one: T) => number): number {
  let total = 0
  for (const one of all) total += count(one)
  return total
}
