import { copyJsonObject } from '../../data/copy-json.ts'
import type { WireContribution } from '../definition.ts'
import { HandlerFailure } from '../handler-failure.ts'

export interface WriteAnswerOptions {
  readonly run: string
  readonly contributions: readonly WireContribution[]
  /** Nobody waits for it, so that it has nothing to answer. */
  readonly isUnwaited: boolean
  readonly maxBytes: number
}

/**
 * The text of what code answered, as a handler sends it. It has to be plain
 * data: what JSON cannot say is a failure, and no accessor of it is run.
 */
export function writeAnswer(
  given: unknown,
  { run, contributions, isUnwaited, maxBytes }: WriteAnswerOptions,
): string {
  const isSilent = given === undefined || given === null
  if (isSilent && contributions.length === 0) return ''
  if (isSilent && !isUnwaited) {
    const message =
      "It contributed but answered nothing; return { type: 'proceed' }."
    throw new HandlerFailure('missing', message)
  }
  const { value, issue } = copyJsonObject(given ?? { type: 'proceed' })
  if (issue !== undefined) {
    const place = ['answer', ...issue.path].map(String).join('.')
    const message = `It answered with what is no plain data: ${place} ${issue.message}.`
    throw new HandlerFailure('invalid', message)
  }
  const text = JSON.stringify({
    ...value,
    run,
    ...(contributions.length > 0 && { contributions }),
  })
  // A unit of UTF-16 is at most three bytes.
  const isSmall = text.length * 3 <= maxBytes
  if (isSmall || Buffer.byteLength(text) <= maxBytes) return text
  const message = `Its answer is larger than ${maxBytes} bytes; send less.`
  throw new HandlerFailure('too-large', message)
}
