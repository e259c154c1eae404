/**
 * What is known of something that can fail, such as a model. Times are of the
 * wall, for other processes go on with it. `openUntil` stays when it has
 * passed: then one call at a time may try.
 */
export interface Circuit {
  readonly slots: readonly Slot[]
  readonly openUntil?: number
  /** How long it was opened for. */
  readonly openMs?: number
  readonly probe?: Probe
}

/** The calls of a tenth of the window. */
interface Slot {
  readonly at: number
  readonly calls: number
  readonly failed: number
}

/** The one call that tries whether it works again. */
interface Probe {
  readonly holder: string
  readonly until: number
}

export interface CircuitRules {
  readonly windowMs: number
  /** With fewer calls in the window nothing is known. */
  readonly minCalls: number
  /** Which share of them has to fail. */
  readonly share: number
  readonly openMs: number
}

/** Who asks, and when. */
export interface CircuitCall {
  readonly holder: string
  readonly now: number
}

const slotsPerWindow = 10

/** How long it lets nobody pass; 0 where somebody may try. */
export function openFor(circuit: Circuit | undefined, now: number): number {
  const { openUntil, openMs = 0 } = circuit ?? {}
  if (openUntil === undefined) return 0
  const left = openUntil - now
  // A clock that was put back must not keep it open.
  return left > 0 && left <= openMs ? left : 0
}

/** Whether a call may pass, if it takes what `enter` gives it. */
export function mayPass(
  circuit: Circuit | undefined,
  { holder, now }: CircuitCall,
): boolean {
  if (circuit?.openUntil === undefined) return true
  if (openFor(circuit, now) > 0) return false
  const { probe } = circuit
  return probe === undefined || probe.holder === holder || probe.until <= now
}

/** The circuit after a call has asked: it may be the one that tries. */
export function enter(circuit: Circuit, call: CircuitCall): Circuit {
  if (circuit.openUntil === undefined || !mayPass(circuit, call)) return circuit
  const { holder, now } = call
  // A call that never comes back does not keep others from trying.
  const until = now + (circuit.openMs ?? 0)
  return { ...circuit, probe: { holder, until } }
}

/** The circuit after a call has ended. */
export function noteEnd(
  circuit: Circuit,
  { holder, now, isFailure }: CircuitCall & { readonly isFailure: boolean },
  rules: CircuitRules,
): Circuit {
  if (circuit.openUntil !== undefined) {
    // What began before it opened says nothing new.
    if (circuit.probe?.holder !== holder) return circuit
    return isFailure ? opened(now, rules) : { slots: [] }
  }
  const slots = addedTo(circuit.slots, { now, isFailure }, rules)
  const calls = slots.reduce((sum, slot) => sum + slot.calls, 0)
  const failed = slots.reduce((sum, slot) => sum + slot.failed, 0)
  const isBad = calls >= rules.minCalls && failed >= rules.share * calls
  return isBad && failed > 0 ? opened(now, rules) : { slots }
}

/** The circuit after a call was not made after all. */
export function release(circuit: Circuit, holder: string): Circuit {
  if (circuit.probe?.holder !== holder) return circuit
  const { probe: _, ...rest } = circuit
  return rest
}

function opened(now: number, { openMs }: CircuitRules): Circuit {
  return { slots: [], openUntil: now + openMs, openMs }
}

function addedTo(
  slots: readonly Slot[],
  { now, isFailure }: { readonly now: number; readonly isFailure: boolean },
  { windowMs }: CircuitRules,
): readonly Slot[] {
  const at = Math.floor(now / (windowMs / slotsPerWindow))
  const isRecent = (slot: Slot) =>
    slot.at > at - slotsPerWindow && slot.at <= at
  const recent = slots.filter(isRecent)
  const last = recent.at(-1)
  const isSame = last?.at === at
  const slot = {
    at,
    calls: (isSame ? last.calls : 0) + 1,
    failed: (isSame ? last.failed : 0) + (isFailure ? 1 : 0),
  }
  return [...(isSame ? recent.slice(0, -1) : recent), slot]
}
