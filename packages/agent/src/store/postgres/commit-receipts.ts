import type { Statement } from '../database.ts'

// Each connection has a row of its own, and each transaction leaves a number
// in it: whoever does not get the answer to a commit can read there whether
// it was done. The number of the transaction itself would not do: a server
// that crashed may give it to another one.

/** What a transaction leaves behind if it is committed. */
export interface Receipt {
  readonly session: string
  readonly token: number
  /** The first of the transaction. */
  readonly statement: Statement
}

export function makeReceipt(session: string, token: number): Receipt {
  return { session, token, statement: { sql: leave, values: [session, token] } }
}

/** Little is written on a page, so that a row can change in its place. */
export const receiptsTable = `
CREATE TABLE IF NOT EXISTS commits (
  session TEXT PRIMARY KEY,
  token BIGINT NOT NULL,
  at BIGINT NOT NULL
) WITH (fillfactor = 20)`

const leave = `
INSERT INTO commits (session, token, at) VALUES (?, ?, hookline_now())
ON CONFLICT (session) DO UPDATE SET token = excluded.token, at = excluded.at`

/** Of connections that are gone for a day. */
export const forgetReceipts =
  'DELETE FROM commits WHERE at < hookline_now() - 86400000'

export const readReceipt = 'SELECT token FROM commits WHERE session = ?'
