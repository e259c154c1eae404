import {
  type Cell,
  freezeDeep,
  HookError,
  type State,
} from '../engine/index.ts'
import { sealData } from '../judge/seal-data.ts'

/** Which turn, which session, and so on: the id of each scope by its name. */
export type ScopeIds = Readonly<Record<string, string>>

/** Shared state in this process. */
export interface MemoryState {
  /** The state as seen from these scopes. */
  at(ids: ScopeIds): State
  /** Forgets every cell of a scope that has ended. */
  end(scope: string, id: string): void
}

type Values = Map<string, unknown>

const maxCellsPerScope = 1_000

export function createMemoryState(): MemoryState {
  const scopes = new Map<string, Values>()
  const updating = new Set<string>()

  return {
    at: (ids) => ({
      get: (cell) => read(scopes.get(scopeOf(cell, ids)), cell),
      update(cell, change) {
        const scope = scopeOf(cell, ids)
        const values = scopes.get(scope) ?? new Map<string, unknown>()
        const key = keyOf(scope, cell.name)
        if (updating.has(key)) {
          const message = `Cell "${cell.name}" is being updated by its own update; return the new value instead.`
          throw new HookError('state-reentry', message)
        }
        updating.add(key)
        try {
          const value = seal(values, cell, change(read(values, cell)))
          values.set(cell.name, value)
          scopes.set(scope, values)
          return value
        } finally {
          updating.delete(key)
        }
      },
    }),
    end(scope, id) {
      if (scopes.size > 0) scopes.delete(keyOf(scope, id))
    },
  }
}

/** Two texts as one that no other two give. */
function keyOf(first: string, second: string): string {
  return JSON.stringify([first, second])
}

function scopeOf({ name, scope }: Cell<unknown>, ids: ScopeIds): string {
  if (scope === 'global') return keyOf(scope, '')
  const id = Object.hasOwn(ids, scope) ? ids[scope] : undefined
  if (id !== undefined) return keyOf(scope, id)
  const message = `Cell "${name}" belongs to a ${scope}, but this dispatch has none.`
  throw new HookError('state-scope', message)
}

function read<T>(values: Values | undefined, { name, initial }: Cell<T>): T {
  // Only `update` writes here, with a value of the cell's own type.
  if (values?.has(name)) return values.get(name) as T
  return freezeDeep(initial())
}

function seal<T>(
  values: Values,
  { name, scope, maxChars }: Cell<T>,
  value: T,
): T {
  const limits = { depth: 64, keys: 10_000, chars: maxChars }
  const sealed = sealData(value, limits)
  if (sealed.problem !== undefined) {
    // A change must not be async. If it was, nobody else hears of its failure.
    if (value instanceof Promise) value.catch(() => {})
    const message = `The new value of cell "${name}" is ${sealed.problem}.`
    throw new HookError(sealed.problem, message)
  }
  if (!values.has(name) && values.size >= maxCellsPerScope) {
    const message = `A ${scope} holds at most ${maxCellsPerScope} cells; "${name}" is one too many.`
    throw new HookError('state-limit', message)
  }
  return sealed.value as T // a copy of it
}
