import type { ModelErrorCode } from 'hookline/lifecycle'
import type { ErrorFacts } from './error-facts.ts'

/** Which of our codes an error is; the first rule that holds decides. */
export function codeOf(facts: ErrorFacts): ModelErrorCode {
  return RULES.find(([, holds]) => holds(facts))?.[0] ?? 'unknown'
}

type Rule = readonly [ModelErrorCode, (facts: ErrorFacts) => boolean]

/** A status says more than a name, and a name more than a message. */
const RULES: readonly Rule[] = [
  ['content_filtered', ({ kind }) => /content_(filter|policy)/.test(kind)],
  ['context_too_long', isTooLong],
  ['timeout', isTimeout],
  ['overloaded', isOverloaded],
  ['rate_limited', ({ status, kind }) => status === 429 || RATE.test(kind)],
  [
    'unauthorized',
    ({ status = 0, kind }) => DENIED.has(status) || KEY.test(kind),
  ],
  ['unavailable', ({ status = 0 }) => status >= 500 || EARLY.has(status)],
  [
    'invalid_request',
    ({ status = 0, kind }) => status >= 400 || BAD.test(kind),
  ],
  ['unavailable', ({ kind, message }) => DOWN.test(kind) || CUT.test(message)],
]

const RATE = /rate_limit|insufficient_quota/
const DENIED: ReadonlySet<number> = new Set([401, 402, 403])
const KEY = /authentication|permission|invalid_api_key|loadapikey/
/** Conflict, and too early: both ask to come again. */
const EARLY: ReadonlySet<number> = new Set([409, 425])
const BAD =
  /invalid_request|not_found|ai_(unsupported|invalidprompt|invalidargument|nosuchmodel)/
/** The server, the network, or a response that nobody can read. */
const DOWN =
  /api_error|server_error|econn|epipe|enotfound|eai_again|unreach|und_err_|ai_(jsonparse|typevalidation|invalidresponsedata)/
const CUT = /fetch failed|socket hang up|terminated|other side closed/i

/** Those that have no name for it say it in one of these ways. */
const TOO_LONG =
  /prompt is too long|maximum context length|context window|context length/i

function isTooLong({ status, kind, message }: ErrorFacts): boolean {
  if (status === 413) return true
  if (/context_length|request_too_large/.test(kind)) return true
  return [undefined, 400, 422].includes(status) && TOO_LONG.test(message)
}

function isTimeout({ status, kind }: ErrorFacts): boolean {
  if (status !== undefined) return status === 408
  return /aborterror|timeouterror|timeout_error|etimedout|_timeout\b/.test(kind)
}

function isOverloaded({ status, kind, message }: ErrorFacts): boolean {
  if (status === 529 || /overloaded/.test(kind)) return true
  return (status ?? 500) >= 500 && /overloaded/i.test(message)
}
