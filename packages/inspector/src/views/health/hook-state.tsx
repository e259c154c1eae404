import type { Figures } from '../../data/protocol.ts'
import { Status } from '../../ui/badge.tsx'

/** Whether a hook runs, as far as its records say. */
export function HookState({ figures }: { readonly figures: Figures }) {
  const { quarantine, breaker, failures, timeouts } = figures
  if (quarantine !== undefined) return <Status tone="bad">Quarantined</Status>
  if (breaker === 'open') return <Status tone="bad">Breaker open</Status>
  if (failures + timeouts > 0) return <Status tone="caution">Fails</Status>
  return <Status tone="good">Well</Status>
}
