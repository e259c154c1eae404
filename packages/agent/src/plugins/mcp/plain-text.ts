import { truncate } from 'hookline'

/** Words of a server: bounded, and without signs that steer a screen. */
export function plainText(given: unknown, maxPoints: number): string {
  if (typeof given !== 'string') return ''
  // Cut first, so that what follows has little to do.
  const { text, cut } = truncate(given, maxPoints)
  const plain = text.toWellFormed().replace(steering, '')
  return cut ? `${plain}…` : plain
}

/** The same on one line, for messages. */
export function plainLine(given: unknown, maxPoints = 200): string {
  return plainText(given, maxPoints).replace(/\s+/g, ' ').trim()
}

// Control characters but tab and line feed, and those that turn the direction.
const steering =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: that is the point
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/g
