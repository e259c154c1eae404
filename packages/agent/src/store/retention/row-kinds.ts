import type { RetentionKind } from './rules.ts'

/** Rows of one table that are removed one by one, the oldest first. */
export interface RowKind {
  readonly kind: RetentionKind
  readonly table: string
  /** Its time; indexed. */
  readonly time: string
  /** Whether somebody still needs a row. */
  readonly needed: string
  /** Whether there is anything to remove of a row. */
  readonly worth: string
  /** What goes with them: tables, and the column that has their ids. */
  readonly dependents: readonly (readonly [table: string, column: string])[]
  /** Instead of removing rows: what is set to nothing in them. */
  readonly emptied: readonly string[]
  /** The size of a row in characters, about. */
  readonly size: string
}

const length = (column: string) => `COALESCE(LENGTH(${column}), 0)`

// Not EXISTS: Postgres would make a table of all sessions that are open.
const openSession = (id: string) =>
  `(SELECT COUNT(*) FROM sessions WHERE sessions.id = ${id} AND sessions.ended IS NULL) > 0`

export const rowKinds: readonly RowKind[] = [
  {
    kind: 'runContent',
    table: 'runs',
    time: 'started_at',
    needed: "state = 'started'",
    worth: 'COALESCE(content, reason, said, payload) IS NOT NULL',
    dependents: [],
    emptied: ['content', 'reason', 'said', 'payload'],
    size: `${length('content')} + ${length('reason')} + ${length('said')} + ${length('payload')}`,
  },
  {
    kind: 'runs',
    table: 'runs',
    time: 'started_at',
    needed: "state = 'started'",
    worth: '1 = 1',
    dependents: [['attempts', 'run_id']],
    emptied: [],
    size: `500 + ${length('content')} + ${length('reason')} + ${length('said')} + ${length('payload')} + ${length('diagnostics')}`,
  },
  {
    kind: 'approvals',
    table: 'approvals',
    time: 'asked_at',
    needed: `state = 'pending' OR (state = 'approved' AND ${openSession('approvals.session_id')})`,
    worth: '1 = 1',
    dependents: [['votes', 'approval_id']],
    emptied: [],
    size: `500 + ${length('shown')} + ${length('payload')}`,
  },
  {
    kind: 'jobs',
    table: 'jobs',
    time: 'created_at',
    needed: 'ended_at IS NULL',
    worth: '1 = 1',
    dependents: [],
    emptied: [],
    size: `200 + ${length('about')} + ${length('payload')}`,
  },
  {
    kind: 'inbox',
    table: 'inbox',
    time: 'created_at',
    needed: `done_at IS NULL AND ${openSession('inbox.session_id')}`,
    worth: '1 = 1',
    dependents: [],
    emptied: [],
    size: `200 + ${length('payload')}`,
  },
  {
    kind: 'firings',
    table: 'firings',
    time: 'at',
    needed: 'done_at IS NULL',
    worth: '1 = 1',
    dependents: [],
    emptied: [],
    size: `200 + ${length('payload')}`,
  },
  {
    kind: 'emitted',
    table: 'emitted',
    time: 'at',
    needed: '1 = 0',
    worth: '1 = 1',
    dependents: [],
    emptied: [],
    size: '200',
  },
  {
    kind: 'wakes',
    table: 'wakes',
    time: 'created_at',
    needed: 'is_once = 0 OR fired = 0',
    worth: '1 = 1',
    dependents: [],
    emptied: [],
    size: `200 + ${length('payload')}`,
  },
  {
    kind: 'removals',
    table: 'removals',
    time: 'at',
    needed: '1 = 0',
    worth: '1 = 1',
    dependents: [],
    emptied: [],
    size: '100',
  },
]
