import type { Moment } from '../moment.ts'
import { callOf, subjectOf } from '../moment-words.ts'

/** What a matcher is compared with at a moment; more than one for old names. */
export function subjectsOf(moment: Moment): readonly string[] {
  if (moment.kind === 'session-end') return [endReason]
  if (moment.kind === 'turn-error') return [errorName(moment.code)]
  const call = moment.kind === 'notification' ? undefined : callOf(moment)
  if (call !== undefined) return namesOf(call.name)
  const subject = subjectOf(moment)
  return subject === undefined ? [] : [subject]
}

/** A session is over here for none of the reasons that the product has. */
export const endReason = 'other'

const oldNames: Readonly<Record<string, string>> = { Agent: 'Task' }

/** Tools keep their old names for matchers. */
export function namesOf(tool: string): readonly string[] {
  const old = Object.hasOwn(oldNames, tool) ? oldNames[tool] : undefined
  return old === undefined ? [tool] : [tool, old]
}

const errorNames: Readonly<Record<string, string>> = {
  rate_limited: 'rate_limit',
  overloaded: 'overloaded',
  unauthorized: 'authentication_failed',
  invalid_request: 'invalid_request',
  context_too_long: 'invalid_request',
  unavailable: 'server_error',
  timeout: 'server_error',
  max_output_tokens: 'max_output_tokens',
}

/** The product's word for what has broken a turn. */
export function errorName(code: string): string {
  const name = Object.hasOwn(errorNames, code) ? errorNames[code] : undefined
  return name ?? 'unknown'
}
