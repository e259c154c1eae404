import type { Clock } from 'hookline'
import type { PostgresOptions } from '../postgres/open-postgres.ts'
import type { SqliteOptions } from '../sqlite/open-sqlite.ts'
import { createSignals, type OwnSignals } from './signal-hub.ts'

export interface SignalsOptions {
  /** How long at most until a lost word does no more harm. Default: 1 s. */
  readonly pollMs?: number
}

export interface OpenSignalsOptions extends SignalsOptions {
  readonly clock: Clock
  readonly onError: (error: unknown) => void
}

/** Signals among those who use the same database. */
export async function openSignals(
  database: SqliteOptions | PostgresOptions,
  options: OpenSignalsOptions,
): Promise<OwnSignals> {
  if (!('url' in database)) return createSignals(options)
  const { PostgresLine } = await import('./postgres-line.ts')
  const { url, schema = 'hookline', statementMs = 10_000 } = database
  const { onError } = options
  const line = { url, schema, answerMs: statementMs, onError }
  return createSignals({
    ...options,
    connect: (ears) => new PostgresLine(line, ears),
  })
}
