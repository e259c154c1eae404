import type { Contributed, Engine } from 'hookline'
import {
  type AgentScope,
  type AuditEntry,
  audit as auditKind,
} from 'hookline/lifecycle'
import type { JobDefinition } from '../jobs/define-job.ts'
import { createQueuedRunSweep } from '../jobs/end-queued-runs.ts'
import { createHookJobs } from '../jobs/hook-jobs.ts'
import type { JobQueue } from '../jobs/job-queue.ts'
import { createJobWorker, type JobWorkerOptions } from '../jobs/job-worker.ts'
import { createRecovery, type RecoveryOptions } from '../jobs/recovery.ts'
import { createJobQueue } from '../jobs/table-queue.ts'
import { createPolicy } from '../policy/create-policy.ts'
import type { Store } from '../store/open-store.ts'
import { queuedRun } from '../store/runs/queued-run.ts'
import { sweepRunBatch } from '../store/runs/sweep-runs.ts'
import { getSession, topOf } from '../store/sessions/list-sessions.ts'
import { createRuntime } from './create-runtime.ts'
import { durableSessions } from './durable-sessions.ts'
import { createForeignEngine, foreignIds } from './foreign-engine.ts'
import type { RuntimeOptions } from './options.ts'
import type { Runtime } from './runtime.ts'
import { sessionIds } from './session-ids.ts'
import { settleOwed } from './settle-owed.ts'

export interface DurableOptions
  extends Omit<RuntimeOptions, 'store' | 'state' | 'approvals' | 'collect'> {
  readonly store: Store
  /** Who does the jobs that hooks contribute. */
  readonly jobs?: readonly JobDefinition[]
  /** Default: a table in the store. */
  readonly queue?: JobQueue
  /** How jobs are done here; false: not by this process. */
  readonly worker?: Pick<JobWorkerOptions, 'concurrency' | 'leaseMs'> | false
  /** Whether it deals with what crashed processes have left. Default: true. */
  readonly recovers?: boolean
  /** Hears of what failed where nobody waits for it. */
  readonly onError?: (error: unknown) => void
}

/** A runtime whose sessions, records, approvals and jobs outlive it. */
export interface DurableRuntime extends Runtime {
  readonly queue: JobQueue
  /**
   * The hooks of an agent for agents of another product, whose sessions are not
   * here; by a name, which is asked for each time.
   */
  engineFor(nameOf: () => string): Engine
  /** Settles when what crashed processes had left has been dealt with. */
  readonly recovered: Promise<void>
}

export function createDurableRuntime(options: DurableOptions): DurableRuntime {
  const { store, jobs = [], worker = {}, onError = () => {}, ...rest } = options
  const { queue = createJobQueue(store), recovers = true, ...own } = rest
  const { parts, approvals, state, records, audit } = store
  const stateAt = async (scope: AgentScope) => {
    const { agent, sessionId, turnId, parents, hooksOf } = scope
    if (hooksOf !== undefined) return state.at(foreignIds(scope))
    return state.at({
      agent,
      ...(sessionId !== undefined &&
        sessionIds(sessionId, parents && (await topOf(parts, sessionId)))),
      ...(turnId !== undefined && { turn: turnId }),
    })
  }
  const hookJobs = createHookJobs({
    queue,
    engine: { perform: (job, about) => runtime.engine.perform(job, about) },
    tableFor: ({ hooksOf, ...scope }) =>
      runtime.tableFor(hooksOf === undefined ? scope : { agent: hooksOf }),
    stateAt,
    jobs,
    along: queuedRun(parts),
    hasSession: async (id) => (await getSession(parts, id)) !== undefined,
    clock: parts.clock,
    startMs,
    onError,
  })
  const collect = (contributed: Contributed, scope: AgentScope) => {
    hookJobs.collect(contributed, scope)
    recordAudit(store, contributed, scope)
  }
  const runtime = createRuntime({
    nextId: parts.nextId,
    clock: parts.clock,
    ...own,
    store: durableSessions(store, () => hookJobs.drain()),
    policy: approvals.policy(own.policy ?? createPolicy()),
    approvals,
    state,
    engine: {
      nextId: parts.nextId,
      hash: store.hash,
      ...own.engine,
      records,
      enqueue: (job) => hookJobs.enqueue(job),
    },
    collect,
  })
  const jobWorker =
    worker === false
      ? undefined
      : createJobWorker({
          queue,
          perform: (job, signal) => hookJobs.perform(job, signal),
          clock: parts.clock,
          onError,
          ...worker,
        })
  const begunMs = parts.clock.now()
  const isStarting = () => parts.clock.now() - begunMs < startMs
  const owed = { store, runtime, collect, isStarting, onError }
  const sweeps: RecoveryOptions['sweeps'] = [
    (limit) => sweepRunBatch(parts, limit),
    createQueuedRunSweep(parts),
    async () => {
      const { expired, voided } = await approvals.sweep()
      return expired + voided
    },
    (limit) => settleOwed(owed, limit),
  ]
  const recovery = recovers
    ? createRecovery({ queue, sweeps, clock: parts.clock, onError })
    : undefined
  return {
    ...runtime,
    get agents() {
      return runtime.agents
    },
    queue,
    engineFor: (nameOf) =>
      createForeignEngine({ ...runtime, stateAt, collect }, nameOf),
    recovered: recovery?.started ?? Promise.resolve(),
    async drain() {
      await runtime.drain()
      await hookJobs.drain()
      await records.flush()
      await audit.flush()
    },
    async close() {
      await recovery?.stop()
      await runtime.close()
      await hookJobs.drain()
      await jobWorker?.stop()
      await queue.close()
    },
  }
}

/** Agents come first, and then the hooks that files hold. */
const startMs = 60_000

/** What hooks want to be remembered for good. */
function recordAudit(
  { audit }: Store,
  { kind, by, value }: Contributed,
  { sessionId, agent }: AgentScope,
): void {
  if (kind !== auditKind.kind) return
  const entry = value as AuditEntry // its kind checked it
  audit.record({
    kind: 'hook.audit',
    actor: by,
    ...(sessionId !== undefined && { sessionId }),
    body: { agent, ...entry },
  })
}
