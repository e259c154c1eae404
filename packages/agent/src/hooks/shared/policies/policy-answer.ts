import { ask, reject } from 'hookline'
import type { SealedCall } from 'hookline/lifecycle'

/** What follows where policies do not permit a call. */
export type OnDeny = 'reject' | 'ask'

/** A call that policies do not permit; `why` is the end of a sentence. */
export function notPermitted(
  { tool }: Pick<SealedCall, 'tool'>,
  why: string,
  onDeny: OnDeny,
) {
  if (onDeny === 'reject') return reject(`Not allowed: ${why}.`)
  return ask(`May "${tool}" run all the same: ${why}?`)
}

/** What to throw where a policy could not judge; the record says why. */
export function policyFailure(
  diagnose: (code: string, message: string) => void,
  cause: unknown,
): Error {
  const message = cause instanceof Error ? cause.message : 'It is unknown why.'
  diagnose('policy-failed', message)
  return new Error(message, { cause })
}
