import { freezeDeep } from 'hookline'
import type { Message, UserContent } from 'hookline/lifecycle'

export function userMessage(content: UserContent): Message {
  return freezeDeep({ role: 'user', content: [...content] })
}

const nothingSaid: UserContent = [{ type: 'text', text: '(nothing)' }]

/** What the model is told that the user said. */
export function wordsOf(content: UserContent): UserContent {
  return content.length > 0 ? content : nothingSaid
}

/** A user message with more in it; undefined while there is nothing in it. */
export function joinUsers(
  message: Message | undefined,
  content: UserContent,
): Message | undefined {
  const before = message?.role === 'user' ? message.content : []
  const whole = [...before, ...content]
  return whole.length > 0 ? userMessage(whole) : undefined
}
