import { hostname } from 'node:os'
import { type Clock, systemClock } from 'hookline'
import { createTimeIds } from '../data/time-ids.ts'
import {
  createStoredApprovals,
  type StoredApprovals,
  type StoredApprovalsOptions,
} from './approvals/index.ts'
import {
  type Audit,
  type AuditOptions,
  createAudit,
} from './audit/create-audit.ts'
import { isRestoring } from './backup/restore-store.ts'
import { createStoredState, type StoredState } from './cells/stored-state.ts'
import type { ContentLevels } from './content/content-level.ts'
import {
  createPayloads,
  type PayloadsOptions,
} from './content/create-payloads.ts'
import {
  createRedactor,
  type RedactorOptions,
  type SecretRedactor,
  secretsOf,
} from './content/create-redactor.ts'
import type { Database } from './database.ts'
import { dropDeadWorkers } from './dead-workers.ts'
import type { EventLog } from './events/event-log.ts'
import { createEventLog } from './events/stored-events.ts'
import type { Inbox } from './inbox/inbox.ts'
import { createInbox } from './inbox/stored-inbox.ts'
import { createMemories, type Memories } from './memories/memories.ts'
import type { StoreParts } from './parts.ts'
import type { PostgresOptions } from './postgres/open-postgres.ts'
import { createDigest, createInputHash } from './runs/input-hash.ts'
import { createRunRecords, type RunRecords } from './runs/run-records.ts'
import {
  createSessionStore,
  type StoredSessions,
} from './sessions/session-store.ts'
import { openSignals, type SignalsOptions } from './signals/open-signals.ts'
import type { OwnSignals } from './signals/signal-hub.ts'
import type { Signals } from './signals/signals.ts'
import { openSqlite, type SqliteOptions } from './sqlite/open-sqlite.ts'
import { StoreError } from './store-error.ts'
import { createTasks } from './tasks/stored-tasks.ts'
import type { Tasks } from './tasks/tasks.ts'
import { createWakes } from './wakes/stored-wakes.ts'
import type { Wakes } from './wakes/wakes.ts'
import { processName } from './worker-name.ts'
import {
  startWorkerLease,
  type WorkerLease,
  type WorkerLeaseOptions,
} from './workers.ts'

export interface StoreOptions {
  /** A file (SQLite, for one machine), or a url (Postgres, for several). */
  readonly database: SqliteOptions | PostgresOptions
  /** Encrypts what has to be exact. Default: it is plain. */
  readonly payloads?: PayloadsOptions
  /** Default: also knows the secrets in the environment of this process. */
  readonly redactor?: RedactorOptions
  /** How much is kept beside the payloads. */
  readonly content?: ContentLevels
  /** Signs audit records and approvals; all processes need the same. */
  readonly key?: string
  readonly approvals?: Omit<StoredApprovalsOptions, 'key'>
  readonly audit?: Omit<AuditOptions, 'key'>
  readonly lease?: WorkerLeaseOptions
  readonly signals?: SignalsOptions
  readonly clock?: Clock
  /** Hears of what failed where nobody waits for it. */
  readonly onError?: (error: unknown) => void
}

/** Everything that outlives a process, in one database. */
export interface Store {
  readonly parts: StoreParts
  readonly redactor: SecretRedactor
  readonly lease: WorkerLease
  readonly sessions: StoredSessions
  readonly records: RunRecords
  readonly approvals: StoredApprovals
  readonly state: StoredState
  readonly audit: Audit
  readonly memories: Memories
  /** What agents tell, for the streams of any process. */
  readonly events: EventLog
  /** Short words among the processes that share the store. */
  readonly signals: Signals
  /** What is meant for sessions, whichever process has them. */
  readonly inbox: Inbox
  /** Which events wake which agents. */
  readonly wakes: Wakes
  /** Work that sessions do for others which do not wait for it. */
  readonly tasks: Tasks
  /** A digest of plain data that nobody can try secrets against. */
  readonly hash: (value: unknown) => string
  /** Writes what is left to write, and lets go of everything. */
  close(): Promise<void>
}

export async function openStore(options: StoreOptions): Promise<Store> {
  const { clock = systemClock, key, onError = () => {} } = options
  const database = await openDatabase(options.database)
  const signals = await openSignals(options.database, {
    ...options.signals,
    clock,
    onError,
  })
  try {
    const filled = { ...options, clock, key, onError }
    return await makeStore(database, signals, filled)
  } catch (error) {
    await signals.close()
    await database.close()
    throw error
  }
}

async function openDatabase(options: StoreOptions['database']) {
  if (!('url' in options)) return openSqlite(options)
  const { openPostgres } = await import('./postgres/open-postgres.ts')
  return openPostgres(options)
}

type Filled = Omit<StoreOptions, 'key'> & {
  readonly clock: Clock
  readonly key: string | undefined
  readonly onError: (error: unknown) => void
}

async function makeStore(
  database: Database,
  signals: OwnSignals,
  options: Filled,
): Promise<Store> {
  const { clock, key, onError, content = {} } = options
  const nextId = createTimeIds(clock)
  const redactor = createRedactor({
    secrets: secretsOf(process.env),
    ...options.redactor,
  })
  const parts: StoreParts = {
    database,
    payloads: createPayloads(options.payloads),
    redactor,
    nextId,
    clock,
    worker: `${hostname()}-${process.pid}-${nextId()}`,
    signals,
  }
  const hashInput = createInputHash(key)
  const digest = createDigest(key)
  const signed = key === undefined ? {} : { key }
  if (await isRestoring(database)) {
    const message =
      'The store is being restored, or a restore was not finished; restore it again.'
    throw new StoreError('unavailable', message)
  }
  await dropDeadWorkers(parts)
  const name = processName()
  const lease = await startWorkerLease(parts, {
    name,
    onError,
    ...options.lease,
  })
  const sessions = createSessionStore(parts, {
    lease,
    onSnapshotError: onError,
    ...(content.journal && { content: content.journal }),
  })
  const records = createRunRecords(parts, {
    ...signed,
    ...(content.runs && { content: content.runs }),
  })
  const approvals = createStoredApprovals(parts, {
    ...options.approvals,
    ...signed,
  })
  const state = createStoredState(parts, { onError })
  const audit = createAudit(parts, { ...options.audit, ...signed })
  const events = createEventLog(parts, { signals })
  return {
    parts,
    redactor,
    lease,
    sessions,
    records,
    approvals,
    state,
    audit,
    memories: createMemories(parts),
    events,
    signals,
    inbox: createInbox(parts, { signals, digest }),
    wakes: createWakes(parts, { signals, digest }),
    tasks: createTasks(parts, { signals, digest }),
    hash: (value) => hashInput(value) ?? '',
    async close() {
      await approvals.close()
      await settleAll(onError, [
        () => events.close(),
        () => sessions.drain(),
        () => state.drain(),
        () => records.close(),
        () => audit.close(),
        () => lease.stop(),
        () => signals.close(),
      ])
      await database.close()
    },
  }
}

/** One after the other, whatever fails. */
async function settleAll(
  onError: (error: unknown) => void,
  works: readonly (() => Promise<void>)[],
): Promise<void> {
  for (const work of works) await work().catch(onError)
}
