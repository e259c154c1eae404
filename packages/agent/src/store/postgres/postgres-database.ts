import type {
  Database,
  Result,
  Row,
  Snapshot,
  Statement,
  Unit,
} from '../database.ts'
import { StoreError } from '../store-error.ts'
import { Dispatcher, type Lane } from './dispatcher.ts'
import { doUnits, type UnitParts } from './do-units.ts'
import { failureOf } from './postgres-failure.ts'
import { PostgresSnapshot } from './postgres-snapshot.ts'
import { readAgain } from './read-again.ts'

export interface DatabaseParts extends UnitParts {
  readonly poolSize: number
  readonly version: string
}

/** A unit, or a read, and who waits for it. */
interface Order {
  readonly unit: Unit
  readonly isAlone: boolean
  readonly resolve: (results: readonly Result[]) => void
  readonly reject: (error: unknown) => void
}

/** Postgres through a few connections, one of them always for what gates. */
export class PostgresDatabase implements Database {
  readonly dialect = 'postgres'
  readonly version: string
  readonly #parts: DatabaseParts
  readonly #dispatcher: Dispatcher<Order>
  #closed: Promise<void> | undefined

  constructor(parts: DatabaseParts) {
    this.#parts = parts
    this.version = parts.version
    this.#dispatcher = new Dispatcher({
      size: parts.poolSize,
      withoutReserve: parts.sabotage.withoutReserve === true,
      together: { urgent: 32, read: 1, patient: 256 },
      run: (orders, lane) =>
        lane === 'read' ? this.#read(orders) : this.#write(orders, lane),
    })
  }

  write(unit: Unit): Promise<readonly Result[]> {
    return this.#order(unit, unit.isPatient === true ? 'patient' : 'urgent')
  }

  async read(statement: Statement): Promise<readonly Row[]> {
    const unit = { name: 'read', statements: [statement] }
    const [result] = await this.#order(unit, 'read')
    return result?.rows ?? []
  }

  async snapshot(): Promise<Snapshot> {
    this.#demandOpen()
    try {
      const session = await this.#parts.sessions.connect()
      return await PostgresSnapshot.begin(session)
    } catch (error) {
      throw failureOf(error, 'read')
    }
  }

  close(): Promise<void> {
    this.#closed ??= this.#close()
    return this.#closed
  }

  async #close(): Promise<void> {
    await this.#dispatcher.drain()
    await this.#parts.sessions.close()
  }

  async #order(unit: Unit, lane: Lane): Promise<readonly Result[]> {
    this.#demandOpen()
    return await new Promise((resolve, reject) => {
      const isAlone = unit.isAlone === true
      const order = { unit, isAlone, resolve, reject }
      this.#dispatcher.add(order, lane)
    })
  }

  #demandOpen(): void {
    if (this.#closed === undefined) return
    throw new StoreError('closed', 'The database was closed; open it again.')
  }

  /** Together; if one of them was in the way, each for itself. */
  async #write(orders: readonly Order[], lane: Lane): Promise<void> {
    const units = orders.map(({ unit }) => unit)
    try {
      const results = await doUnits(units, this.#parts)
      for (const [index, { resolve }] of orders.entries()) {
        resolve(results[index] ?? [])
      }
    } catch (error) {
      if (orders.length === 1 || isOfAll(error)) {
        for (const { reject } of orders) reject(error)
        return
      }
      for (const order of orders) {
        this.#dispatcher.add({ ...order, isAlone: true }, lane)
      }
    }
  }

  async #read(orders: readonly Order[]): Promise<void> {
    for (const { unit, resolve, reject } of orders) {
      await readAgain(unit, this.#parts).then(resolve, reject)
    }
  }
}

/** The server is away or full: for all of them, however they are done. */
function isOfAll(error: unknown): boolean {
  if (!(error instanceof StoreError)) return false
  return error.code === 'unavailable' || error.code === 'full'
}
