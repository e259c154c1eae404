import type { Envelope } from '../handler.ts'

/** What the thread of a module is started with. */
export interface ThreadData {
  /** The address of the file. */
  readonly url: string
  /** Where paths in messages start. */
  readonly folder: string
  readonly maxBytes: number
  /** See `sharedPlaces`. */
  readonly shared: SharedArrayBuffer
}

/** Where the thread notes what it does, for whoever has to end it. */
export const sharedPlaces = {
  /** The last call that was begun; they are begun in order. */
  begun: 0,
  /** The call that it is inside of, until the call first waits. */
  inside: 1,
  size: 2,
} as const

/** One call, as it is sent to the thread: its number, then this as JSON. */
export interface SentCall {
  readonly exported: string
  readonly leftMs: number
  readonly envelope: Envelope
}

/**
 * Messages are texts: a letter, a number, a colon, and what there is to say.
 * To the thread: `c` a call, `x` abort it, `p` are you there. From it: `p` yes,
 * `r` the file is loaded, `n` it cannot be, `a` an answer, `f` a failure (with
 * its code and a colon), `d` a diagnostic (with its code and a colon).
 */
export interface ThreadMessage {
  readonly letter: string
  readonly seq: number
  readonly body: string
}

export function writeMessage(letter: string, seq: number, body = ''): string {
  return `${letter}${seq}:${body}`
}

/** Nothing where it is no message of ours. */
export function readMessage(given: unknown): ThreadMessage | undefined {
  if (typeof given !== 'string') return undefined
  const end = given.indexOf(':')
  const seq = Number(given.slice(1, end))
  if (end < 2 || end > 12 || !Number.isSafeInteger(seq) || seq < 0) {
    return undefined
  }
  return { letter: given.charAt(0), seq, body: given.slice(end + 1) }
}

/** A code and a text, where the text may hold colons. */
export function splitBody(body: string): readonly [string, string] {
  const end = body.indexOf(':')
  return end === -1 ? [body, ''] : [body.slice(0, end), body.slice(end + 1)]
}
