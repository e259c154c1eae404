import type { Migration } from './migration.ts'

/** What a hook said beside its answer, where that may be kept. */
export const reasons: Migration = {
  version: 4,
  name: 'reasons',
  sql: 'ALTER TABLE runs ADD COLUMN reason TEXT;',
  only: { sqlite: '', postgres: '' },
}
