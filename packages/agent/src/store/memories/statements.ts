import type { Dialect } from '../database.ts'

const columns = 'id, agent, session_id, name, created_at, updated_at, payload'

export const findMemory = 'SELECT id FROM memories WHERE agent = ? AND name = ?'

export const insertMemory = `
INSERT INTO memories (${columns})
VALUES (?, ?, ?, ?, hookline_now(), hookline_now(), ?)
ON CONFLICT (agent, name) DO NOTHING`

export const updateMemory = `
UPDATE memories SET session_id = ?, updated_at = hookline_now(), payload = ?
WHERE id = ?`

export const deleteMemory = 'DELETE FROM memories WHERE agent = ? AND name = ?'

export const listMemories = `
SELECT ${columns} FROM memories
WHERE agent = ? AND name > ? ORDER BY name LIMIT ?`

export const insertWords: Readonly<Record<Dialect, string>> = {
  sqlite: 'INSERT INTO memory_words (id, words) VALUES (?, ?)',
  postgres:
    'INSERT INTO memory_words (id, words) VALUES (?, CAST(? AS tsvector))',
}

export const deleteWords = 'DELETE FROM memory_words WHERE id = ?'

export const forgetWords = `
DELETE FROM memory_words WHERE id IN (
  SELECT id FROM memories WHERE agent = ? AND name = ?)`

/** The words of what was remembered in a session. */
export const forgetSessionWords = `
DELETE FROM memory_words WHERE id IN (
  SELECT id FROM memories WHERE session_id = ?)`

const found = columns.replaceAll(/\w+/g, 'memories.$&')

/** What fits best comes first. */
export const findWords: Readonly<Record<Dialect, string>> = {
  sqlite: `
SELECT ${found} FROM memory_words
JOIN memories ON memories.id = memory_words.id
WHERE memory_words MATCH ? AND memories.agent = ?
ORDER BY bm25(memory_words), memories.updated_at DESC, memories.id LIMIT ?`,
  postgres: `
SELECT ${found} FROM memory_words
JOIN memories ON memories.id = memory_words.id
CROSS JOIN CAST(? AS tsquery) AS wanted
WHERE memory_words.words @@ wanted AND memories.agent = ?
ORDER BY ts_rank(memory_words.words, wanted) DESC,
  memories.updated_at DESC, memories.id LIMIT ?`,
}
