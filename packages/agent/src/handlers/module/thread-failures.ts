import { errorText } from '../../data/error-text.ts'
import { HandlerFailure, type HandlerFailureCode } from '../handler-failure.ts'
import { splitBody } from './thread-messages.ts'

export function outOfMemory(maxMemoryMb: number): HandlerFailure {
  const message = `It took more than ${maxMemoryMb} MiB; raise maxMemoryMb if it needs so much.`
  return new HandlerFailure('out-of-memory', message)
}

/** Why a thread ended, from what it ended with. */
export function failureOf(error: unknown, maxMemoryMb: number): HandlerFailure {
  const isMemory = Object(error).code === 'ERR_WORKER_OUT_OF_MEMORY'
  if (isMemory) return outOfMemory(maxMemoryMb)
  const message = `Its thread ended: ${errorText(error).slice(0, 500)}`
  return new HandlerFailure('crashed', message)
}

const codes: ReadonlySet<string> = new Set<HandlerFailureCode>([
  'crashed',
  'invalid',
  'missing',
  'too-large',
  'not-started',
])

/** What a thread says of one call that failed. */
export function toFailure(body: string): HandlerFailure {
  const [code, message] = splitBody(body)
  // Only these are said over there.
  const known = codes.has(code) ? (code as HandlerFailureCode) : 'crashed'
  return new HandlerFailure(known, message)
}
