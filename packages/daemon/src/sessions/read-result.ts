import type { MediaBlock, Message, ToolResultBlock } from 'hookline/lifecycle'
import { ProtocolError } from '../protocol/errors.ts'
import type { InputOf, OutputOf } from '../protocol/operations.ts'

const defaultLimit = 65_536

/** A part of what came of a call, however large all of it is. */
export function readResult(
  messages: readonly Message[],
  { callId, from = 0, limit = defaultLimit }: InputOf<'getResult'>,
): OutputOf<'getResult'> {
  const { content, isError } = findResult(messages, callId)
  const text = content.map(textOf).join('\n')
  const start = wholeAt(text, Math.min(from, text.length), -1)
  const end = wholeAt(text, Math.min(start + limit, text.length), 1)
  return {
    text: text.slice(start, end),
    from: start,
    length: text.length,
    isError,
  }
}

function findResult(
  messages: readonly Message[],
  callId: string,
): ToolResultBlock {
  const found = messages
    .flatMap((one) => (one.role === 'tool' ? one.content : []))
    .filter((block) => block.callId === callId)
  const [first] = found
  if (first === undefined) {
    const message = `No message of this session has the result of "${callId}": the call goes on, or was left out when the conversation was shortened.`
    throw new ProtocolError('not-found', message)
  }
  if (found.length === 1) return first
  const message = `${found.length} calls of this session have the id "${callId}"; read its messages instead.`
  throw new ProtocolError('conflict', message)
}

function textOf(block: MediaBlock): string {
  return block.type === 'text'
    ? block.text
    : `[${block.type}, ${block.mediaType}]`
}

/** The place itself, or the next one that does not part a character. */
function wholeAt(text: string, place: number, step: 1 | -1): number {
  const isParted = /[\ud800-\udbff]/.test(text.charAt(place - 1))
    ? /[\udc00-\udfff]/.test(text.charAt(place))
    : false
  return isParted ? place + step : place
}
