import { createHmac, timingSafeEqual } from 'node:crypto'

/** The headers that a signed message has, on its way there and back. */
export const signatureHeaders = {
  run: 'hookline-run',
  timestamp: 'hookline-timestamp',
  signature: 'hookline-signature',
} as const

/** What is signed: a body, for one run, at one moment. */
export interface SignedMessage {
  readonly secret: string
  /** The id of the run, as in `hookline-run`. */
  readonly run: string
  /** Seconds since 1970, as in `hookline-timestamp`. */
  readonly timestamp: string
  /** As it was sent, byte for byte, and before it is parsed. */
  readonly body: string | Uint8Array
}

/**
 * The value of `hookline-signature`: `v1=` and the HMAC-SHA256 over
 * `timestamp.run.body`. A server signs its reply the same way, with the run it
 * was asked for and its own timestamp.
 */
export function signBody(message: SignedMessage): string {
  return `v1=${digest(message).toString('hex')}`
}

export interface ReceivedMessage extends SignedMessage {
  /** What `hookline-signature` holds. */
  readonly signature: string
  /** Now, in milliseconds since 1970; default: by the system's clock. */
  readonly nowMs?: number
  /** How old, or how far ahead, a message may be; default 5 minutes. */
  readonly windowMs?: number
}

export type SignatureVerdict = 'valid' | 'malformed' | 'expired' | 'wrong'

const defaultWindowMs = 300_000

/**
 * Whether a message is from whoever has the secret, for this run, and fresh.
 * Anything but `valid` must not be acted upon. A server that acts on requests
 * remembers the runs it has seen: within the window, one may come again.
 */
export function verifySignature(message: ReceivedMessage): SignatureVerdict {
  const { timestamp, signature } = message
  const { nowMs = Date.now(), windowMs = defaultWindowMs } = message
  const hex = /^v1=([0-9a-f]{64})$/.exec(signature)?.[1]
  if (hex === undefined || !/^\d{1,12}$/.test(timestamp)) return 'malformed'
  const given = Buffer.from(hex, 'hex')
  const right = digest(message)
  const isRight =
    given.byteLength === right.byteLength && timingSafeEqual(given, right)
  if (!isRight) return 'wrong'
  const ageMs = Math.abs(nowMs - Number(timestamp) * 1_000)
  return ageMs <= windowMs ? 'valid' : 'expired'
}

function digest({ secret, run, timestamp, body }: SignedMessage): Buffer {
  return createHmac('sha256', secret)
    .update(`${timestamp}.${run}.`)
    .update(body)
    .digest()
}
