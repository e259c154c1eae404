import { type Cell, defineCell } from 'hookline'
import type { ModelError, ModelErrorCode } from 'hookline/lifecycle'
import type { ProviderFallbackOptions } from './options.ts'

/** Until when each model is the last choice, by the wall; null: for good. */
export type Rests = Readonly<Record<string, number | null>>

const maxRests = 100

export function restsCell(
  name: string,
  scope: 'session' | 'global',
): Cell<Rests> {
  return defineCell<Rests>(`${name}:rests`, { initial: () => ({}), scope })
}

export function isResting(rests: Rests, model: string, now: number): boolean {
  const until = Object.hasOwn(rests, model) ? rests[model] : 0
  return until === null || (until ?? 0) > now
}

/** These are about one call; the next one may be fine. */
const aboutCall: ReadonlySet<ModelErrorCode> = new Set<ModelErrorCode>([
  'context_too_long',
  'invalid_request',
  'content_filtered',
])

/** How long a model rests after an error; 0: not at all, null: for good. */
export function restFor(
  { code, retryAfterMs = 0 }: ModelError,
  stickFor: NonNullable<ProviderFallbackOptions['stickFor']>,
): number | null {
  if (stickFor === 'call' || aboutCall.has(code)) return 0
  if (stickFor === 'session') return null
  const own = stickFor.minutes * 60_000
  const asked = Number.isFinite(retryAfterMs) ? retryAfterMs : 0
  // What a provider asks for counts, but not for days.
  return Math.max(own, Math.min(asked, 3_600_000))
}

export function withRest(
  rests: Rests,
  model: string,
  { now, forMs }: { readonly now: number; readonly forMs: number | null },
): Rests {
  const others = Object.entries(rests).filter(
    ([name]) => name !== model && isResting(rests, name, now),
  )
  const until = forMs === null ? null : now + forMs
  return Object.fromEntries([...others.slice(-maxRests), [model, until]])
}
