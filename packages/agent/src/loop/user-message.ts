import { freezeDeep } from 'hookline'
import type { Message, UserContent } from 'hookline/lifecycle'

export function userMessage(content: UserContent): Message {
  return freezeDeep({ role: 'user', content: [...content] })
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
