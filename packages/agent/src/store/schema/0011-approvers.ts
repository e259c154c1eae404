import type { Migration } from './migration.ts'

/** What has approved a call; null where nobody had to, or it is older. */
export const approvers: Migration = {
  version: 11,
  name: 'approvers',
  sql: `
ALTER TABLE calls ADD COLUMN approver TEXT;
`,
  only: { sqlite: '', postgres: '' },
}
