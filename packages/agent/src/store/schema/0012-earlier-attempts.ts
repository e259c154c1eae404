import type { Migration } from './migration.ts'

/** How often a job had been tried when it was last put back. */
export const earlierAttempts: Migration = {
  version: 12,
  name: 'earlier-attempts',
  sql: `
ALTER TABLE jobs ADD COLUMN earlier_attempts BIGINT NOT NULL DEFAULT 0;
`,
  only: { sqlite: '', postgres: '' },
}
