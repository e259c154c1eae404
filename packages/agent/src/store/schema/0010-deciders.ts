import type { Migration } from './migration.ts'

/** Who kept a call from running; null where it ran, or the turn was over. */
export const deciders: Migration = {
  version: 10,
  name: 'deciders',
  sql: `
ALTER TABLE calls ADD COLUMN decider TEXT;
ALTER TABLE calls ADD COLUMN decided_by TEXT;
`,
  only: { sqlite: '', postgres: '' },
}
