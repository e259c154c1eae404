/** A table that is backed up, and its primary key. */
export interface BackupTable {
  readonly table: string
  readonly key: readonly string[]
  /** How many rows are read at once. Default: 100. */
  readonly pageSize?: number
}

/** Not here: processes that are no more, and words made anew from the memories. */
export const backupTables: readonly BackupTable[] = [
  { table: 'sessions', key: ['id'] },
  // Each has all that was said in a session.
  { table: 'snapshots', key: ['session_id'], pageSize: 1 },
  { table: 'journal', key: ['session_id', 'seq'] },
  { table: 'meta', key: ['key'] },
  { table: 'turns', key: ['id', 'session_id'] },
  { table: 'calls', key: ['turn_id', 'call_id', 'session_id'] },
  { table: 'runs', key: ['id'] },
  { table: 'attempts', key: ['run_id', 'attempt'] },
  { table: 'approvals', key: ['id'] },
  { table: 'votes', key: ['approval_id', 'voter'] },
  { table: 'rules', key: ['id'] },
  { table: 'jobs', key: ['id'] },
  { table: 'events', key: ['position'] },
  { table: 'inbox', key: ['id'] },
  { table: 'wakes', key: ['id'] },
  { table: 'emitted', key: ['id'] },
  { table: 'firings', key: ['id'] },
  { table: 'audit', key: ['seq'] },
  { table: 'cells', key: ['scope', 'scope_id', 'name'] },
  { table: 'memories', key: ['id'] },
  { table: 'removals', key: ['id'] },
]

/** All that a backup fills. */
export const allBackupTables: readonly string[] = backupTables.map(
  ({ table }) => table,
)
