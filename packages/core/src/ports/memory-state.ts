import { type Cell, HookError, type State, sealData } from '../engine/index.ts'

/** Which turn, which session, and so on: the id of each scope by its name. */
export type ScopeIds = Readonly<Record<string, string>>

/** Shared state in this process. */
export interface MemoryState {
  /** The state as seen from these scopes. */
  at(ids: ScopeIds): State
  /** Forgets every cell of a scope that has ended. */
  end(scope: string, id: string): void
}

const maxCellsPerScope = 1_000

export function createMemoryState(): MemoryState {
  const scopes = new Map<string, Map<string, unknown>>()
  const updating = new Set<string>()

  const scopeKey = (scope: string, id: string) => `${scope}:${id}`

  const cellsOf = (cell: Cell<unknown>, ids: ScopeIds) => {
    const id = cell.scope === 'global' ? '' : ids[cell.scope]
    if (id === undefined) {
      throw new HookError(
        'state-scope',
        `Cell "${cell.name}" belongs to a ${cell.scope}, but this dispatch has none.`,
      )
    }
    const key = scopeKey(cell.scope, id)
    let cells = scopes.get(key)
    if (cells === undefined) {
      cells = new Map()
      scopes.set(key, cells)
    }
    return { key: `${key}/${cell.name}`, cells }
  }

  const read = <T>(cells: Map<string, unknown>, cell: Cell<T>): T =>
    // Only `update` writes here, with a value of the cell's own type.
    cells.has(cell.name) ? (cells.get(cell.name) as T) : cell.initial()

  return {
    at: (ids) => ({
      get: (cell) => read(cellsOf(cell, ids).cells, cell),
      update(cell, change) {
        const { key, cells } = cellsOf(cell, ids)
        if (updating.has(key)) {
          throw new HookError(
            'state-reentry',
            `Cell "${cell.name}" is being updated by its own update; return the new value instead.`,
          )
        }
        updating.add(key)
        try {
          const value = change(read(cells, cell))
          checkCell(cells, cell, value)
          cells.set(cell.name, value)
          return value
        } finally {
          updating.delete(key)
        }
      },
    }),
    end: (scope, id) => void scopes.delete(scopeKey(scope, id)),
  }
}

function checkCell(
  cells: ReadonlyMap<string, unknown>,
  cell: Cell<unknown>,
  value: unknown,
): void {
  const limits = { depth: 64, keys: 10_000, chars: cell.maxChars }
  const problem = sealData(value, limits)
  if (problem !== undefined) {
    throw new HookError(
      problem,
      `The new value of cell "${cell.name}" is ${problem}.`,
    )
  }
  if (!cells.has(cell.name) && cells.size >= maxCellsPerScope) {
    throw new HookError(
      'state-limit',
      `A ${cell.scope} holds at most ${maxCellsPerScope} cells; "${cell.name}" is one too many.`,
    )
  }
}
