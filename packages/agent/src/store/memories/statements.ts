import type { Dialect } from '../database.ts'

const columns = [
  ...['id', 'agent', 'owner', 'session_id', 'turn_id', 'origin', 'made_by'],
  ...['name', 'created_at', 'updated_at', 'superseded_at', 'payload'],
]
  .map((column) => `memories.${column}`)
  .join(', ')

const current = 'memories.superseded_at IS NULL'

/**
 * What has the name, and what says the same: in two parts, because SQLite
 * reads a whole space for an OR.
 */
export const findSame = `
SELECT ${columns} FROM memories
WHERE space = ? AND name = ? AND ${current}
UNION ALL SELECT ${columns} FROM memories
WHERE space = ? AND digest = ? AND ${current} AND name <> ?`

export const insertMemory = `
INSERT INTO memories (id, space, agent, owner, session_id, turn_id, origin,
  made_by, name, digest, created_at, updated_at, payload)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, hookline_now(), hookline_now(), ?)
ON CONFLICT (space, name) WHERE superseded_at IS NULL DO NOTHING`

export const refreshMemory = `
UPDATE memories SET updated_at = hookline_now(), name = ?
WHERE id = ? AND ${current}`

export const supersedeMemory = `
UPDATE memories SET superseded_at = hookline_now() WHERE id = ? AND ${current}`

/** All but the latest that were superseded under a name. */
export const pruneMemories = `
DELETE FROM memories WHERE id IN (
  SELECT id FROM memories
  WHERE space = ? AND name = ? AND superseded_at IS NOT NULL
  ORDER BY superseded_at DESC, id DESC LIMIT 1000 OFFSET ?)`

export const countMemories = `
SELECT COUNT(*) AS count FROM memories WHERE space = ? AND ${current}`

export const deleteMemory = 'DELETE FROM memories WHERE space = ? AND name = ?'

export const listMemories = `
SELECT ${columns} FROM memories
WHERE space = ? AND ${current} AND name > ? ORDER BY name LIMIT ?`

export const listSuperseded = `
SELECT ${columns} FROM memories
WHERE space = ? AND name = ? AND superseded_at IS NOT NULL
ORDER BY superseded_at DESC, id DESC LIMIT ?`

/** What was superseded is not found any more. */
export const insertWords: Readonly<Record<Dialect, string>> = {
  sqlite: `
INSERT INTO memory_words (id, space, words)
SELECT memories.id, memories.space, given.words
FROM (SELECT CAST(? AS TEXT) AS id, CAST(? AS TEXT) AS words) AS given
JOIN memories ON memories.id = given.id WHERE ${current}`,
  postgres: `
INSERT INTO memory_words (id, words)
SELECT memories.id,
  CAST(given.words || ' ''' || memories.space || '''' AS tsvector)
FROM (SELECT CAST(? AS TEXT) AS id, CAST(? AS TEXT) AS words) AS given
JOIN memories ON memories.id = given.id WHERE ${current}`,
}

export const deleteWords = 'DELETE FROM memory_words WHERE id = ?'

export const forgetWords = `
DELETE FROM memory_words WHERE id IN (
  SELECT id FROM memories WHERE space = ? AND name = ?)`

/** The words of what was remembered in a session. */
export const forgetSessionWords = `
DELETE FROM memory_words WHERE id IN (
  SELECT id FROM memories WHERE session_id = ?)`

/** Beyond this the number of memories with a term is not counted. */
const maxCounted = 2_001
/** From here on it is enough to know about how many there are. */
const minEstimated = 200

/**
 * How many memories have each of the terms, given as a JSON list; and, for the
 * empty term, about how many there are. What Postgres noted of the commonest
 * terms when it last looked at the table saves counting them one by one.
 */
export const countTerms: Readonly<Record<Dialect, string>> = {
  sqlite: `
SELECT given.value AS term,
  (SELECT doc FROM memory_terms WHERE term = given.value) AS documents
FROM json_each(?) AS given
UNION ALL SELECT '', (SELECT MAX(id) FROM memory_index_docsize)`,
  postgres: `
WITH about AS MATERIALIZED (
  SELECT CAST(reltuples AS BIGINT) AS documents FROM pg_class
  WHERE oid = CAST('memory_words' AS regclass)),
usual AS MATERIALIZED (
  SELECT one.term, one.share * about.documents AS documents
  FROM about, pg_stats, unnest(
    CAST(CAST(most_common_elems AS TEXT) AS TEXT[]), most_common_elem_freqs
  ) AS one (term, share)
  WHERE schemaname = current_schema() AND tablename = 'memory_words'
    AND attname = 'words' AND one.share * about.documents >= ${minEstimated})
SELECT given.term, COALESCE(CAST(usual.documents AS BIGINT), (
    SELECT COUNT(*) FROM (
      SELECT 1 FROM memory_words
      WHERE words @@ CAST('''' || given.term || '''' AS tsquery)
      LIMIT ${maxCounted}) AS counted)) AS documents
FROM json_array_elements_text(CAST(? AS json)) AS given (term)
LEFT JOIN usual ON usual.term = given.term
UNION ALL SELECT '', documents FROM about`,
}

/** The newest of what a query finds. */
export const findNewest: Readonly<Record<Dialect, string>> = {
  sqlite: `
SELECT ${columns} FROM (
  SELECT rowid AS place FROM memory_index WHERE memory_index MATCH ?
  ORDER BY rowid DESC LIMIT ?) AS best
JOIN memory_words ON memory_words.place = best.place
JOIN memories ON memories.id = memory_words.id WHERE ${current}`,
  // Else Postgres may look through all, from the newest on.
  postgres: `
WITH found AS MATERIALIZED (
  SELECT id FROM memory_words WHERE words @@ CAST(? AS tsquery))
SELECT ${columns} FROM (
  SELECT id FROM found ORDER BY id DESC LIMIT ?) AS best
JOIN memories ON memories.id = best.id WHERE ${current}`,
}

/** The best of what a query finds, by BM25. */
export const findRankedInSqlite = `
SELECT ${columns} FROM (
  SELECT rowid AS place FROM memory_index WHERE memory_index MATCH ?
  ORDER BY bm25(memory_index, 0, 1) LIMIT ?) AS best
JOIN memory_words ON memory_words.place = best.place
JOIN memories ON memories.id = memory_words.id WHERE ${current}`

/**
 * The same where the engine has no BM25: what each word weighs is given, and
 * counts if the word is there. One statement for each number of words.
 */
export function findRankedInPostgres(words: number): string {
  const one = `CASE WHEN words @@ CAST(? AS tsquery)
    THEN CAST(? AS DOUBLE PRECISION) ELSE 0 END`
  const sum = Array.from({ length: words }, () => one).join(' + ')
  return `
SELECT ${columns} FROM (
  SELECT id FROM memory_words WHERE words @@ CAST(? AS tsquery)
  ORDER BY (${sum}) / (1.3 + 0.04 * length(words)) DESC, id DESC
  LIMIT ?) AS best
JOIN memories ON memories.id = best.id WHERE ${current}`
}
