import { randomInt } from 'node:crypto'
import type { Cell, MemoryState, ScopeIds } from 'hookline'
import { freezeDeep, HookError } from 'hookline'
import type { Row } from '../database.ts'
import type { StoreParts } from '../parts.ts'
import { StoreError } from '../store-error.ts'
import { changeValue, initialValue } from './change-value.ts'
import { ScopeQueues } from './scope-queues.ts'
import {
  countCells,
  deleteCells,
  insertCell,
  readCell,
  updateCell,
} from './statements.ts'

/** Shared state of all processes that share a database. */
export interface StoredState extends MemoryState {
  /** Settles when nothing is being written any more. */
  drain(): Promise<void>
}

export interface StoredStateOptions {
  /** Told when the cells of a scope that has ended could not be deleted. */
  readonly onError?: (error: unknown) => void
}

// Whenever one is in vain, somebody else's has got through.
const maxAttempts = 5_000
const maxCells = 1_000
const maxFirst = 2 ** 47

type Scope = readonly [scope: string, id: string]

/** Like the state in memory, but that its values are in the database. */
export function createStoredState(
  parts: StoreParts,
  { onError = () => {} }: StoredStateOptions = {},
): StoredState {
  const { database } = parts
  const queues = new ScopeQueues()
  const changing = new Set<string>()

  async function update<T>(
    cell: Cell<T>,
    scope: Scope,
    change: (value: T) => T,
  ): Promise<T> {
    const key = JSON.stringify([...scope, cell.name])
    for (let attempt = 0; attempt < maxAttempts; attempt++) {
      const row = await readRow(parts, cell, scope)
      const before = storedValue(parts, cell, scope, row)
      changing.add(key)
      let value: T
      try {
        value = changeValue(cell, before, change)
      } finally {
        changing.delete(key)
      }
      if (await writeValue(parts, cell, { scope, row, value })) return value
      if (row === undefined) await checkRoom(parts, cell, scope)
    }
    const message = `Cell "${cell.name}" is being changed by too many at once; try again.`
    throw new StoreError('busy', message)
  }

  return {
    at: (ids) => ({
      get(cell) {
        const scope = scopeOf(cell, ids)
        return queues.after(scope, async () => {
          const row = await readRow(parts, cell, scope)
          return storedValue(parts, cell, scope, row)
        })
      },
      update(cell, change) {
        const scope = scopeOf(cell, ids)
        if (changing.has(JSON.stringify([...scope, cell.name]))) {
          const message = `Cell "${cell.name}" is being updated by its own update; return the new value instead.`
          throw new HookError('state-reentry', message)
        }
        return queues.add(scope, () => update(cell, scope, change))
      },
    }),
    end(scope, id) {
      const values = [scope, id]
      const end = async () => {
        // Most scopes have no cells, and to look costs less than to write.
        const [row] = await database.read({ sql: countCells, values })
        if (Number(row?.['count']) === 0) return
        const statements = [{ sql: deleteCells, values }]
        await database.write({ name: 'cell.end', statements, isPatient: true })
      }
      queues.add([scope, id], end).catch(onError)
    },
    drain: () => queues.drain(),
  }
}

function scopeOf({ name, scope }: Cell<unknown>, ids: ScopeIds): Scope {
  if (scope === 'global') return [scope, '']
  const id = Object.hasOwn(ids, scope) ? ids[scope] : undefined
  if (id !== undefined) return [scope, id]
  const message = `Cell "${name}" belongs to a ${scope}, but this dispatch has none.`
  throw new HookError('state-scope', message)
}

async function readRow(
  { database }: StoreParts,
  { name }: Cell<unknown>,
  scope: Scope,
): Promise<Row | undefined> {
  const statement = { sql: readCell, values: [...scope, name] }
  return (await database.read(statement))[0]
}

function storedValue<T>(
  { payloads }: StoreParts,
  cell: Cell<T>,
  scope: Scope,
  row: Row | undefined,
): T {
  if (row === undefined) return initialValue(cell)
  const place = ['cells', ...scope, cell.name] as const
  // Only `update` writes there, with a value of the cell's own type.
  return freezeDeep(payloads.read(String(row['payload']), place) as T)
}

/** False if somebody else was faster, or there is no room. */
async function writeValue<T>(
  { database, payloads }: StoreParts,
  { name }: Cell<T>,
  {
    scope,
    row,
    value,
  }: {
    readonly scope: Scope
    readonly row: Row | undefined
    readonly value: T
  },
): Promise<boolean> {
  const key = [...scope, name] as const
  const payload = payloads.write(value, ['cells', ...key])
  const statement =
    row === undefined
      ? {
          sql: insertCell,
          values: [...key, randomInt(maxFirst), payload, ...scope, maxCells],
        }
      : { sql: updateCell, values: [payload, ...key, Number(row['version'])] }
  const unit = { name: 'cell.update', statements: [statement] }
  const [result] = await database.write(unit)
  return result?.changes === 1
}

async function checkRoom(
  parts: StoreParts,
  cell: Cell<unknown>,
  scope: Scope,
): Promise<void> {
  const statement = { sql: countCells, values: scope }
  const [row] = await parts.database.read(statement)
  if (Number(row?.['count']) < maxCells) return
  if ((await readRow(parts, cell, scope)) !== undefined) return
  const message = `A ${scope[0]} holds at most ${maxCells} cells; "${cell.name}" is one too many.`
  throw new HookError('state-limit', message)
}
