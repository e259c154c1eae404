import { truncate } from 'hookline'
import type { ModelErrorCode } from 'hookline/lifecycle'
import type { ErrorFacts } from './error-facts.ts'

const MAX_POINTS = 500

const SUMMARIES: Readonly<Record<ModelErrorCode, string>> = {
  rate_limited: 'The provider asks for fewer calls',
  overloaded: 'The provider is overloaded',
  unavailable: 'The provider cannot answer',
  timeout: 'The provider did not answer in time',
  context_too_long: 'The conversation is too long for the model',
  invalid_request: 'The provider refused the request',
  unauthorized: 'The provider did not accept the key',
  content_filtered: 'The provider filtered the content',
  unknown: 'The model call failed',
}

/** What happened, with the provider's words where they are safe to repeat. */
export function failureMessage(
  code: ModelErrorCode,
  facts: ErrorFacts,
): string {
  const status = facts.status === undefined ? '' : ` (HTTP ${facts.status})`
  const summary = `${SUMMARIES[code]}${status}`
  const words = isTelling(code, facts) ? '' : printable(facts.message)
  if (words === '') return `${summary}.`
  const { text, cut } = truncate(`${summary}: ${words}`, MAX_POINTS - 1)
  return cut ? `${text}…` : text
}

/**
 * Some providers repeat the key that they refuse, and what fails a check of
 * the AI SDK is quoted whole.
 */
function isTelling(code: ModelErrorCode, { kind }: ErrorFacts): boolean {
  return code === 'unauthorized' || UNREADABLE.test(kind)
}

const UNREADABLE = /ai_(typevalidation|jsonparse|invalidprompt)error/

function printable(words: string): string {
  // Bounded first, so that a hostile length costs nothing.
  const clean = words
    .slice(0, 4 * MAX_POINTS)
    .replaceAll(/\p{C}+/gu, ' ')
    .trim()
  return SECRETS.reduce(
    (text, secret) => text.replaceAll(secret, '[key]'),
    clean,
  )
}

const SECRETS = [
  /\b(?:sk|pk|rk)[-_][\w-]{8,}/gi,
  /\bBearer\s+\S+/gi,
  /\bAIza[\w-]{20,}/g,
  /\beyJ[\w-]+\.[\w-]+(?:\.[\w-]+)?/g,
  // Long, of letters and digits: more likely a key than a word.
  /\b(?=[\w-]*\d)(?=[\w-]*[a-z])[\w-]{32,}/gi,
  /(?<=[?&](?:key|api_key|token|access_token)=)[^&\s]+/gi,
]
