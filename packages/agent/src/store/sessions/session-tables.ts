/** A table with rows about sessions: which they are, and what tells them apart. */
export interface SessionTable {
  readonly table: string
  /** Its primary key, in the order that the schema has it. */
  readonly key: readonly string[]
  /** For the id of a session, as often as it stands there. */
  readonly where: string
}

const own = 'session_id = ?'

/** In the order in which they can be deleted. */
export const sessionTables: readonly SessionTable[] = [
  {
    table: 'attempts',
    key: ['run_id', 'attempt'],
    where: 'run_id IN (SELECT id FROM runs WHERE session_id = ?)',
  },
  { table: 'runs', key: ['id'], where: own },
  {
    table: 'votes',
    key: ['approval_id', 'voter'],
    where: 'approval_id IN (SELECT id FROM approvals WHERE session_id = ?)',
  },
  { table: 'approvals', key: ['id'], where: own },
  { table: 'rules', key: ['id'], where: own },
  { table: 'jobs', key: ['id'], where: own },
  { table: 'events', key: ['id', 'session_id'], where: own },
  { table: 'inbox', key: ['id'], where: own },
  { table: 'firings', key: ['id'], where: own },
  { table: 'wakes', key: ['id'], where: own },
  {
    table: 'cells',
    key: ['scope', 'scope_id', 'name'],
    where: `(scope IN ('session', 'tree') AND scope_id = ?) OR (scope = 'turn'
      AND scope_id IN (SELECT id FROM turns WHERE session_id = ?))`,
  },
  { table: 'calls', key: ['turn_id', 'call_id', 'session_id'], where: own },
  { table: 'turns', key: ['id', 'session_id'], where: own },
  { table: 'snapshots', key: ['session_id'], where: own },
  { table: 'journal', key: ['session_id', 'seq'], where: own },
  { table: 'sessions', key: ['id'], where: 'id = ?' },
]

/**
 * Tables with rows about sessions that outlive them: memories are the agent's
 * own, and an audit that could be deleted from would be none.
 */
export const lastingTables: readonly SessionTable[] = [
  { table: 'memories', key: ['id'], where: own },
  { table: 'audit', key: ['seq'], where: own },
]

export function idValues({ where }: SessionTable, id: string): string[] {
  return where
    .split('?')
    .slice(1)
    .map(() => id)
}
