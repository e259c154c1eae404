import { failed } from './handler-ends.ts'
import { refuses, refusing } from './refusal.ts'
import type { Lapse, Verdict } from './verdict.ts'

/** Something that a product lets a hook of an event do. */
export type Capability =
  | 'deny'
  | 'ask'
  | 'allow'
  | 'rewrite-args'
  | 'rewrite-result'
  | 'rewrite-prompt'
  | 'rewrite-request'
  | 'respond'
  | 'context'
  | 'keep-going'
  | 'end-turn'
  | 'tell-user'

/** What a product honours, by the event as it spells it. */
export type Capabilities = Readonly<Record<string, readonly Capability[]>>

/** What each of them is in a verdict. */
const parts: Readonly<Record<Capability, keyof Verdict>> = {
  deny: 'decision',
  ask: 'decision',
  allow: 'decision',
  'rewrite-args': 'updatedInput',
  'rewrite-result': 'updatedOutput',
  'rewrite-prompt': 'updatedPrompt',
  'rewrite-request': 'updatedRequest',
  respond: 'updatedResponse',
  context: 'context',
  'keep-going': 'keepGoing',
  'end-turn': 'stop',
  'tell-user': 'notices',
}

/** Every capability there is. */
// The keys of a record are what its type says.
export const allCapabilities = Object.keys(parts) as readonly Capability[]

/** What a verdict wants to do. */
function wantedBy(verdict: Verdict): readonly Capability[] {
  return allCapabilities.filter((capability) => {
    const part = verdict[parts[capability]]
    if (parts[capability] === 'decision') return part === capability
    return Array.isArray(part) ? part.length > 0 : part !== undefined
  })
}

/** The verdict without what the product does not do here; the record says so. */
export function honoured(
  verdict: Verdict,
  event: string,
  capabilities: readonly Capability[],
): Verdict {
  const wanted = wantedBy(verdict)
  const lost = wanted.filter((one) => !capabilities.includes(one))
  if (lost.length === 0) return verdict
  // Who allows a call with other arguments does not allow it as it is.
  const isOther = lost.includes('rewrite-args') && verdict.decision === 'allow'
  const ignored = wanted.filter(
    (one) => lost.includes(one) || (isOther && one === 'allow'),
  )
  const left: Record<string, unknown> = { ...verdict }
  for (const capability of ignored) delete left[parts[capability]]
  const lapse: Lapse = {
    code: 'not-honoured',
    message: `A hook of ${event} wants what has no effect there: ${ignored.join(', ')}.`,
  }
  const kept: Verdict = { ...left, lapses: [...(verdict.lapses ?? []), lapse] }
  const { doubt } = kept
  return doubt === undefined || refuses(kept)
    ? kept
    : failed(doubt, refusing(kept))
}
