import type { Migration } from './migration.ts'

/**
 * Which session one works for, and of a task that nobody waits for, whether
 * its result has been told: `open`, then `told`. Events of such sessions say
 * which is the outermost.
 */
export const families: Migration = {
  version: 6,
  name: 'families',
  sql: `
ALTER TABLE sessions ADD COLUMN parent_id TEXT;
ALTER TABLE sessions ADD COLUMN task TEXT;
CREATE INDEX sessions_by_parent ON sessions (parent_id, id)
  WHERE parent_id IS NOT NULL;
CREATE INDEX sessions_open_tasks ON sessions (created_at, id)
  WHERE task = 'open';
ALTER TABLE events ADD COLUMN family TEXT;
CREATE INDEX events_by_family ON events (family, position)
  WHERE family IS NOT NULL;
`,
  only: { sqlite: '', postgres: '' },
}
