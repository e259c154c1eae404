import type { Dialect } from '../database.ts'

/** A step from one version of the schema to the next. Never edited later. */
export interface Migration {
  readonly version: number
  readonly name: string
  /** What both engines read. */
  readonly sql: string
  /** What only one of them does; comes after the rest. */
  readonly only: Readonly<Record<Dialect, string>>
}
