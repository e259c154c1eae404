import type { Migration } from './migration.ts'

/** What a session is about; null where content is not kept. */
export const titles: Migration = {
  version: 9,
  name: 'titles',
  sql: `
ALTER TABLE sessions ADD COLUMN title TEXT;
`,
  only: { sqlite: '', postgres: '' },
}
