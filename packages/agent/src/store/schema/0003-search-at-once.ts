import type { Migration } from './migration.ts'

/**
 * Postgres notes what is added to such an index in a list, and every search of
 * a word reads the whole list until somebody tidies up: 60 ms among 100 000.
 */
export const searchAtOnce: Migration = {
  version: 3,
  name: 'search-at-once',
  sql: '',
  only: {
    sqlite: '',
    postgres: `
ALTER INDEX memory_words_index SET (fastupdate = off);
SELECT gin_clean_pending_list('memory_words_index');
`,
  },
}
