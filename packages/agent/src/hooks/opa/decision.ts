import { truncate } from 'hookline'

/** What a policy says of a call; `why` is the end of a sentence. */
export type Decision =
  | { readonly type: 'allow' }
  | { readonly type: 'ask' | 'deny' | 'unclear'; readonly why: string }

/** Reads what a rule came to; `undefined`: it came to nothing. */
export function decisionOf(result: unknown): Decision {
  if (result === undefined) return denied('no rule permits it')
  if (result === true) return { type: 'allow' }
  if (result === false) return denied('the policy does not permit it')
  if (!isRecord(result)) {
    return unclear('the policy came to neither true nor false nor an object')
  }
  const { allow, ask = false, reason = '' } = result
  if (typeof allow !== 'boolean') {
    return unclear('the policy says neither true nor false as "allow"')
  }
  if (typeof ask !== 'boolean') {
    return unclear('the policy says neither true nor false as "ask"')
  }
  if (typeof reason !== 'string') {
    return unclear('the policy says something as "reason" that is no text')
  }
  const why = endOfSentence(reason)
  if (ask) return { type: 'ask', why: why || 'the policy wants people to say' }
  if (allow) return { type: 'allow' }
  return denied(why || 'the policy does not permit it')
}

const denied = (why: string): Decision => ({ type: 'deny', why })
const unclear = (why: string): Decision => ({ type: 'unclear', why })

const maxReason = 500

/** One line, without the mark that ends it. */
function endOfSentence(reason: string): string {
  const line = reason.replace(/[\s\p{Cc}\p{Cf}]+/gu, ' ').trim()
  return truncate(line, maxReason).text.replace(/[.?!\s]+$/, '')
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
