import { AgentError } from '../../ports/agent-error.ts'
import type { SessionInfo } from '../../ports/store.ts'
import { checkSessionId } from '../check-session-id.ts'
import type { Row } from '../database.ts'
import { newMessage } from '../inbox/stored-inbox.ts'
import type { StoreParts } from '../parts.ts'
import { infoOf, infoText } from '../sessions/session-info.ts'
import { type Signals, topics } from '../signals/signals.ts'
import { StoreError } from '../store-error.ts'
import { newWake } from '../wakes/stored-wakes.ts'
import {
  countTasks,
  endTask,
  getTask,
  insertTask,
  listLost,
  listTasks,
  lockParent,
  removeTaskWake,
} from './statements.ts'
import {
  type NewTask,
  type OpenTask,
  type Tasks,
  taskEvent,
  taskEventPrefix,
} from './tasks.ts'

export interface StoredTasksOptions {
  readonly signals: Signals
  /** Of texts. */
  readonly digest: (text: string) => string
  /** How many tasks one session may have open. Default: 16. */
  readonly maxOpen?: number
}

/** Tasks as sessions of their own, for all processes that share the store. */
export function createTasks(
  parts: StoreParts,
  { signals, digest, maxOpen = 16 }: StoredTasksOptions,
): Tasks {
  const { database } = parts
  return {
    async begin(task) {
      await beginTask(parts, task, { digest, maxOpen })
      signals.tell(topics.inbox)
    },
    async open(limit, skip = 0) {
      const values = [limit, skip]
      const rows = await database.read({ sql: listTasks, values })
      return rows.flatMap((row) => openTask(row, parts) ?? [])
    },
    async get(id) {
      const [row] = await database.read({ sql: getTask, values: [id] })
      return row && openTask(row, parts)
    },
    async lost(limit) {
      const rows = await database.read({ sql: listLost, values: [limit] })
      return rows.map(({ event }) =>
        String(event).slice(taskEventPrefix.length),
      )
    },
    async told(id) {
      const statements = [
        { sql: endTask, values: [id] },
        { sql: removeTaskWake, values: [taskEvent(id)] },
      ]
      await database.write({ name: 'task.told', statements })
    },
  }
}

async function beginTask(
  parts: StoreParts,
  { session, body, prompt, by }: NewTask,
  { digest, maxOpen }: Required<Omit<StoredTasksOptions, 'signals'>>,
): Promise<void> {
  const { database, redactor, payloads } = parts
  const { id, agent, cwd, createdAt, parent } = session
  checkSessionId(id)
  const parentId = parent.sessions.at(-1) ?? ''
  const shown = [redactor.text(agent), redactor.text(cwd), createdAt]
  const made = [id, ...shown, parentId, infoText(session, payloads)]
  const message = { sessionId: id, kind: 'send', key: id, body, by }
  const wake = {
    event: taskEvent(id),
    agent: parent.agents.at(-1) ?? '',
    sessionId: parentId,
    prompt,
    isOnce: true,
    by,
  }
  const one = { digest, maxOpen: 1 }
  const statements = [
    { sql: lockParent, values: [parentId], expects: 1 },
    { sql: insertTask, values: [...made, parentId, maxOpen], expects: 1 },
    { ...newMessage(parts, message, one).statement, expects: 1 },
    { ...newWake(parts, wake).statement, expects: 1 },
  ]
  try {
    await database.write({ name: 'task.begin', statements })
  } catch (error) {
    if (!(error instanceof StoreError)) throw error
    // It may have been written, only that nobody could say so.
    const isKept = error.code === 'unavailable' && (await isThere(parts, id))
    if (isKept) return
    if (error.code !== 'conflict') throw error
    throw await reasonAgainst(parts, parentId, maxOpen)
  }
}

async function isThere({ database }: StoreParts, id: string) {
  const rows = await database.read({ sql: getTask, values: [id] })
  return rows.length > 0
}

async function reasonAgainst(
  { database }: StoreParts,
  parentId: string,
  maxOpen: number,
): Promise<AgentError> {
  const statement = { sql: countTasks, values: [parentId] }
  const [row] = await database.read(statement)
  const message =
    Number(row?.['open']) >= maxOpen
      ? `${maxOpen} tasks of this session work in the background, which is as many as may; wait for some to end.`
      : 'The session is over, or too much waits to be woken; nothing is handed on.'
  return new AgentError('limit-reached', message)
}

/** Undefined where nobody can read what it is: it must not hold up others. */
function openTask(row: Row, { payloads }: StoreParts): OpenTask | undefined {
  const id = String(row['id'])
  let info: SessionInfo
  try {
    info = infoOf(id, row, payloads)
  } catch {
    return undefined
  }
  const { agent, cwd, parent } = info
  if (parent?.task === undefined) return undefined
  return {
    id,
    agent,
    cwd,
    parent: { ...parent, task: parent.task },
    isOrphan: row['is_orphan'] === 1,
    isEnded: row['is_ended'] === 1,
    isOver: row['is_over'] === 1,
  }
}
