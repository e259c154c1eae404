import { type Cell, defineCell, type State } from 'hookline'
import type { AgentScope } from 'hookline/lifecycle'

/** Where a call stands that has more than one model. */
export interface FallbackCall {
  /** What it was made with, before anything was changed. */
  readonly own: string
  readonly current: string
  /** Those that have failed. */
  readonly tried: readonly string[]
}

/** The calls of one step, by who caused them. */
export interface Calls {
  readonly step: number
  readonly byOrigin: { readonly [origin: string]: FallbackCall }
}

export function callsCell(name: string): Cell<Calls> {
  return defineCell<Calls>(`${name}:calls`, {
    initial: () => ({ step: 0, byOrigin: {} }),
    scope: 'turn',
  })
}

export interface Place {
  readonly state: State
  readonly scope: AgentScope
}

export async function readCall(
  cell: Cell<Calls>,
  { state, scope: { origin, step = 0 } }: Place,
): Promise<FallbackCall | undefined> {
  const calls = await state.get(cell)
  return calls.step === step ? calls.byOrigin[origin] : undefined
}

/** What was known of an earlier call of the same step gives way. */
export async function noteCall(
  cell: Cell<Calls>,
  { state, scope: { origin, step = 0 } }: Place,
  call: FallbackCall | undefined,
): Promise<void> {
  await state.update(cell, (before) => {
    const known = before.step === step ? before.byOrigin : {}
    const { [origin]: _, ...others } = known
    return {
      step,
      byOrigin: call === undefined ? others : { ...others, [origin]: call },
    }
  })
}
