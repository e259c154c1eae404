import { taskEventPrefix } from './tasks.ts'

/**
 * Nobody else hands on work of this session meanwhile, and it does not end:
 * the row is locked until all is written.
 */
export const lockParent = `
UPDATE sessions SET updated_at = updated_at WHERE id = ? AND ended IS NULL`

/** Only while there is room for more. */
export const insertTask = `
INSERT INTO sessions
  (id, agent, cwd, created_at, updated_at, fence, parent_id, task, payload)
SELECT CAST(? AS TEXT), CAST(? AS TEXT), CAST(? AS TEXT), CAST(? AS BIGINT),
  hookline_now(), hookline_now(), CAST(? AS TEXT), 'open', CAST(? AS TEXT)
WHERE (SELECT COUNT(*) FROM sessions AS others
  WHERE others.parent_id = ? AND others.task = 'open') < ?
ON CONFLICT (id) DO NOTHING`

export const countTasks = `
SELECT COUNT(*) AS open FROM sessions WHERE parent_id = ? AND task = 'open'`

// Each of these is written before the one that it leads to is gone: what was
// said, its turn, what it handed on, and what came of that.
const isBusy = `(
  (SELECT COUNT(*) FROM inbox WHERE inbox.session_id = sessions.id
    AND inbox.done_at IS NULL AND inbox.kind IN ('send', 'steer'))
  + (SELECT COUNT(*) FROM turns WHERE turns.session_id = sessions.id
    AND turns.ended_at IS NULL)
  + (SELECT COUNT(*) FROM firings WHERE firings.session_id = sessions.id
    AND firings.done_at IS NULL)
  + (SELECT COUNT(*) FROM sessions AS inner_tasks
    WHERE inner_tasks.parent_id = sessions.id AND inner_tasks.task = 'open')
) > 0`

const columns = `
SELECT id, agent, cwd, created_at, payload,
  CASE WHEN ended IS NULL THEN 0 ELSE 1 END AS is_ended,
  CASE WHEN ended IS NULL AND ${isBusy} THEN 0 ELSE 1 END AS is_over,
  CASE WHEN (SELECT COUNT(*) FROM sessions AS parents
    WHERE parents.id = sessions.parent_id AND parents.ended IS NULL) = 0
    THEN 1 ELSE 0 END AS is_orphan
FROM sessions WHERE task = 'open'`

export const listTasks = `${columns} ORDER BY created_at, id LIMIT ? OFFSET ?`
export const getTask = `${columns} AND id = ?`

// No character comes between these two.
const beyondPrefix = taskEventPrefix.replace('.', '/')

/** A wake for a task that is not there any more. */
export const listLost = `
SELECT event FROM wakes
WHERE event > '${taskEventPrefix}' AND event < '${beyondPrefix}' AND fired = 0
  AND (SELECT COUNT(*) FROM sessions WHERE sessions.id =
    SUBSTR(wakes.event, ${taskEventPrefix.length + 1})) = 0
ORDER BY event LIMIT ?`

export const endTask = `
UPDATE sessions SET task = 'told' WHERE id = ? AND task = 'open'`

/** What was to tell the result, should it not have been told. */
export const removeTaskWake = 'DELETE FROM wakes WHERE event = ? AND fired = 0'
