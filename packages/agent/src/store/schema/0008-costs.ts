import type { Migration } from './migration.ts'

/** What a turn cost by the price of its model; null where that has none. */
export const costs: Migration = {
  version: 8,
  name: 'costs',
  sql: `
ALTER TABLE turns ADD COLUMN cost DOUBLE PRECISION;
`,
  only: { sqlite: '', postgres: '' },
}
