import type { SqlValue } from '../database.ts'
import type { Failpoints } from '../failpoints.ts'
import type { MigrationStep } from '../schema/migrate.ts'
import type { StoreErrorCode } from '../store-error.ts'

/** What a thread is started with. */
export interface ThreadData {
  readonly role: 'writer' | 'reader'
  readonly file: string
  readonly busyMs: number
  readonly ballastBytes: number
  readonly failpoints: Failpoints | undefined
  readonly steps: readonly MigrationStep[]
  /** A file whose text is the time of the database, if it exists. */
  readonly clockFile: string | undefined
  readonly sabotage: Sabotage
}

/** Ways to break the driver, for tests that must notice. */
export interface Sabotage {
  readonly synchronous?: 'OFF'
  readonly withoutSavepoints?: boolean
  /** As if the file were on such a file system. */
  readonly diskKind?: number
}

export type ToThread =
  | {
      readonly type: 'write'
      readonly texts: SentTexts
      readonly units: Packed
    }
  | { readonly type: 'read'; readonly texts: SentTexts; readonly reads: Packed }
  | { readonly type: 'close' }

/** The texts of statements that a thread has not seen, by their number. */
type SentTexts = readonly (readonly [number: number, sql: string])[]

/** Units or results one after the other, see pack.ts. */
export type Packed = readonly SqlValue[]

export type FromThread =
  | { readonly type: 'open'; readonly version: string }
  | { readonly type: 'done'; readonly outcomes: Packed }
  | { readonly type: 'failed'; readonly failure: Failure }

/** A unit on its way: what a statement is called by its number, or its text. */
export interface SentUnit {
  readonly id: number
  readonly name: string
  readonly isPatient: boolean
  readonly isClosing: boolean
  readonly statements: readonly SentStatement[]
}

export interface SentStatement {
  readonly statement: number | string
  readonly values: readonly SqlValue[]
  readonly expects: number | undefined
}

export type Outcome =
  | { readonly id: number; readonly results: readonly SentResult[] }
  | { readonly id: number; readonly failure: Failure }

export interface SentResult {
  readonly columns: readonly string[]
  readonly rows: readonly (readonly SqlValue[])[]
  readonly changes: number
}

export interface Failure {
  readonly code: StoreErrorCode
  readonly message: string
}
