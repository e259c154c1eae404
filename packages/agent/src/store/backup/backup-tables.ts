/** A table that is backed up, and its primary key. */
export interface BackupTable {
  readonly table: string
  readonly key: readonly string[]
}

/**
 * Sessions, their snapshots and journals come first and together, in
 * `export-store.ts`. Not here: processes that are no more, and words that are
 * made anew from the memories.
 */
export const backupTables: readonly BackupTable[] = [
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

const sessionBackupTables = ['sessions', 'snapshots', 'journal'] as const

/** All that a backup fills. */
export const allBackupTables: readonly string[] = [
  ...sessionBackupTables,
  ...backupTables.map(({ table }) => table),
]
