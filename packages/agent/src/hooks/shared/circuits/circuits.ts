import { type Cell, defineCell, type State } from 'hookline'
import type { AgentScope } from 'hookline/lifecycle'
import {
  type Circuit,
  type CircuitCall,
  enter,
  mayPass,
  openFor,
  release,
} from './circuit.ts'

/** Circuits by what they are about: `model:` or `tool:` and a name. */
export type Circuits = Readonly<Record<string, Circuit>>

const maxCircuits = 200

/** Where a breaker of this name keeps them, for all sessions together. */
export function circuitsCell(breaker: string): Cell<Circuits> {
  return defineCell<Circuits>(`${breaker}:circuits`, {
    initial: () => ({}),
    scope: 'global',
    maxChars: 262_144,
  })
}

export function circuitAt(all: Circuits, key: string): Circuit | undefined {
  return Object.hasOwn(all, key) ? all[key] : undefined
}

/** Changes one of them. The one that nobody has used longest makes room. */
export function changedAt(
  all: Circuits,
  key: string,
  change: (circuit: Circuit) => Circuit,
): Circuits {
  const before = circuitAt(all, key)
  const after = change(before ?? { slots: [] })
  if (after === before) return all
  const others = Object.entries(all).filter(([name]) => name !== key)
  return Object.fromEntries([...others.slice(-(maxCircuits - 1)), [key, after]])
}

/** Where circuits are kept, and which of them is meant. */
export interface CircuitPlace {
  readonly state: State
  readonly cell: Cell<Circuits>
  readonly key: string
}

/**
 * How long a call has to stay away, 0 where another one tries right now.
 * Undefined: it may be made, and is the one that tries if there has to be one.
 */
export async function stayAwayFor(
  { state, cell, key }: CircuitPlace,
  call: CircuitCall,
): Promise<number | undefined> {
  let circuit = circuitAt(await state.get(cell), key)
  if (circuit?.openUntil === undefined) return undefined
  if (mayPass(circuit, call)) {
    const all = await state.update(cell, (before) =>
      changedAt(before, key, (one) => enter(one, call)),
    )
    circuit = circuitAt(all, key)
    // Another one may have been quicker.
    if (mayPass(circuit, call)) return undefined
  }
  return openFor(circuit, call.now)
}

/** Whoever tries at the moment. */
export function holdersIn(all: Circuits): readonly string[] {
  return Object.values(all).flatMap(({ probe }) => probe?.holder ?? [])
}

/** Others may try in the place of those who will not come back. */
export function releasedIn(
  all: Circuits,
  isOver: (holder: string) => boolean,
): Circuits {
  const entries = Object.entries(all).map(([key, circuit]) => {
    const holder = circuit.probe?.holder
    const isFree = holder !== undefined && isOver(holder)
    return [key, isFree ? release(circuit, holder) : circuit]
  })
  return Object.fromEntries(entries)
}

export const modelKey = (model: string) => `model:${model}`

/** Who makes a call of a model, so that two hooks speak of the same call. */
export function holderOf({ turnId = '', step = 0, origin }: AgentScope) {
  return `${turnId}:${step}:${origin}`
}
