import type { Dialect } from '../database.ts'

/**
 * The table of runs, to be read by that index. SQLite believes what it was
 * told when somebody analyzed it last, and there may have been one session
 * then; Postgres sees to that itself.
 */
export function runsBy(index: string, dialect: Dialect): string {
  return dialect === 'sqlite' ? `runs INDEXED BY ${index}` : 'runs'
}
