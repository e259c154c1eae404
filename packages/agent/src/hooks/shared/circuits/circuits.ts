import { type Cell, defineCell } from 'hookline'
import type { AgentScope } from 'hookline/lifecycle'
import type { Circuit } from './circuit.ts'

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

export const modelKey = (model: string) => `model:${model}`

/** Who makes a call of a model, so that two hooks speak of the same call. */
export function holderOf({ turnId = '', step = 0, origin }: AgentScope) {
  return `${turnId}:${step}:${origin}`
}
