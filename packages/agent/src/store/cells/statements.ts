export const readCell = `
SELECT version, payload FROM cells
WHERE scope = ? AND scope_id = ? AND name = ?`

/** Changes nothing if somebody else has changed it since it was read. */
export const updateCell = `
UPDATE cells SET version = version + 1, updated_at = hookline_now(), payload = ?
WHERE scope = ? AND scope_id = ? AND name = ? AND version = ?`

/**
 * Adds nothing if it is there by now, or the scope is full. Its first version
 * is random, so that no cell is taken for one that was deleted before.
 */
export const insertCell = `
INSERT INTO cells (scope, scope_id, name, version, updated_at, payload)
SELECT CAST(? AS TEXT), CAST(? AS TEXT), CAST(? AS TEXT),
  CAST(? AS BIGINT), hookline_now(), CAST(? AS TEXT)
WHERE (SELECT COUNT(*) FROM cells WHERE scope = ? AND scope_id = ?) < ?
ON CONFLICT (scope, scope_id, name) DO NOTHING`

export const countCells =
  'SELECT COUNT(*) AS count FROM cells WHERE scope = ? AND scope_id = ?'

export const deleteCells = 'DELETE FROM cells WHERE scope = ? AND scope_id = ?'
