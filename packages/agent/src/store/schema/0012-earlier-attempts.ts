import type { Migration } from './migration.ts'

/** How often a job had been tried when it was last put back, and when that was. */
export const earlierAttempts: Migration = {
  version: 12,
  name: 'earlier-attempts',
  sql: `
ALTER TABLE jobs ADD COLUMN earlier_attempts BIGINT NOT NULL DEFAULT 0;
ALTER TABLE jobs ADD COLUMN put_back_at BIGINT;
`,
  only: { sqlite: '', postgres: '' },
}
