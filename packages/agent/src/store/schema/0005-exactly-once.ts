import type { Migration } from './migration.ts'

/**
 * What tells the same request from another one with the same key, and who
 * still has to tell hooks that a turn has ended.
 */
export const exactlyOnce: Migration = {
  version: 5,
  name: 'exactly-once',
  sql: `
ALTER TABLE inbox ADD COLUMN digest TEXT;
ALTER TABLE emitted ADD COLUMN digest TEXT;
ALTER TABLE turns ADD COLUMN owed_by TEXT;
CREATE INDEX turns_owed ON turns (started_at, id) WHERE owed_by IS NOT NULL;
`,
  only: { sqlite: '', postgres: '' },
}
