import type { Migration } from './migration.ts'

/** The value of a hook's answer and what it contributed, where that may be kept. */
export const said: Migration = {
  version: 7,
  name: 'said',
  sql: 'ALTER TABLE runs ADD COLUMN said TEXT;',
  only: { sqlite: '', postgres: '' },
}
