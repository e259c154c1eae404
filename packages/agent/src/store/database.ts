/**
 * What the stores need of a database. A unit of work is data, not a function:
 * so SQLite can do it on another thread together with its neighbours, Postgres
 * can do it again after a deadlock, and neither waits for the program between
 * two statements.
 */
export interface Database {
  readonly dialect: Dialect
  /** Of the engine itself, to be printed. */
  readonly version: string
  /**
   * Does all of a unit or nothing; what it did is on the disk when it settles.
   * Units of which one is not awaited before the next have no order.
   */
  write(unit: Unit): Promise<readonly Result[]>
  read(statement: Statement): Promise<readonly Row[]>
  /**
   * For many reads that are to be of one moment, that of this call; others
   * write meanwhile. Whoever asked for it closes it, before the database.
   */
  snapshot(): Promise<Snapshot>
  /** Settles when all that was asked for before has been done. */
  close(): Promise<void>
}

/** What a database held at one moment. After a failed read there is no other. */
export interface Snapshot {
  read(statement: Statement): Promise<readonly Row[]>
  close(): Promise<void>
}

export type Dialect = 'sqlite' | 'postgres'

/** Statements that are done together, or not at all. */
export interface Unit {
  /** What it does, as `session.append`: failpoints and errors name it. */
  readonly name: string
  readonly statements: readonly Statement[]
  /**
   * Nobody acts on it: it may wait a moment for others to be written with, and
   * is not let through before what is urgent. Default: false.
   */
  readonly isPatient?: boolean
  /**
   * It ends what has begun: when the disk is full, the space kept in reserve
   * is spent on it. Default: false.
   */
  readonly isClosing?: boolean
  /**
   * It locks what all processes want: nothing else is to wait with it, or for
   * it. Default: false.
   */
  readonly isAlone?: boolean
}

/**
 * SQL that both engines read, with `?` for each value. `hookline_now()` is the
 * time of the database in milliseconds since 1970; the text of a statement
 * never holds a value, so that it is prepared once.
 */
export interface Statement {
  readonly sql: string
  readonly values: readonly SqlValue[]
  /** How many rows it must change or give; otherwise the unit is a conflict. */
  readonly expects?: number
}

export type SqlValue = string | number | null

/** What a statement gave, and how many rows it changed. */
export interface Result {
  readonly rows: readonly Row[]
  readonly changes: number
}

export type Row = Readonly<Record<string, SqlValue>>
