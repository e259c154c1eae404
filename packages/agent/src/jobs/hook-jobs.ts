import {
  type Clock,
  type Contributed,
  type Engine,
  type Job,
  type MaybePromise,
  type State,
  systemClock,
  type Table,
} from 'hookline'
import {
  type AgentScope,
  type BackgroundJob,
  job as jobKind,
} from 'hookline/lifecycle'
import type { Statement } from '../store/database.ts'
import { readKeptInput } from '../store/read-answered-by.ts'
import { runIdOf } from '../store/runs/run-start.ts'
import type { JobDefinition } from './define-job.ts'
import {
  aboutOf,
  declarationOf,
  elsewhere,
  outcomeOf,
  refused,
} from './hook-outcome.ts'
import type { JobQueue, LeasedJob, NewJob } from './job-queue.ts'
import type { PerformJob } from './job-worker.ts'
import { performDefined } from './perform-defined.ts'

interface HereTable {
  readonly table: Table
  /** Whether all of them are here; else others may have more of its hooks. */
  readonly isWhole: boolean
}

export interface HookJobsOptions {
  readonly queue: Pick<JobQueue, 'add'>
  readonly engine: Pick<Engine, 'perform'>
  /** The hooks of an agent and those it worked for; undefined: not here. */
  readonly tableFor: (scope: AgentScope) => HereTable | undefined
  readonly stateAt: (scope: AgentScope) => MaybePromise<State>
  /** Who does the jobs that hooks contribute. */
  readonly jobs?: readonly JobDefinition[]
  /** Whether a session is still there; absent: they are not looked after. */
  readonly hasSession?: (sessionId: string) => Promise<boolean>
  /** What is to be written with a job of a hook: the record that there is one. */
  readonly along?: (job: Job) => readonly Statement[]
  readonly clock?: Clock
  /** How long after the start hooks may still be on their way; default 0. */
  readonly startMs?: number
  /** Hears of a contributed job that could not be queued. */
  readonly onError?: (error: unknown) => void
}

/** Background hooks, and the jobs that hooks contribute, through a queue. */
export interface HookJobs {
  /** For the engine: queues a run of a background hook. */
  readonly enqueue: (job: Job) => Promise<void>
  /** For the runtime: queues a contributed job. */
  readonly collect: (contributed: Contributed, scope: AgentScope) => void
  /** For a worker. */
  readonly perform: PerformJob
  /** Settles when all that was collected is queued. */
  readonly drain: () => Promise<void>
}

export function createHookJobs(options: HookJobsOptions): HookJobs {
  const { queue, engine, tableFor, stateAt } = options
  const { hasSession, along, clock = systemClock, onError = () => {} } = options
  const { startMs = 0 } = options
  const definitions = new Map(options.jobs?.map((one) => [one.kind, one]))
  const adding = new Set<Promise<unknown>>()
  const begunMs = clock.now()
  const upMs = () => clock.now() - begunMs

  const add = (job: NewJob) => {
    const added = queue
      .add([job])
      .catch(onError)
      .finally(() => adding.delete(added))
    adding.add(added)
  }

  const performHook = async (leased: LeasedJob, signal: AbortSignal) => {
    // What is read is what `enqueue` wrote; its hash was compared.
    const kept = leased.payload as Job & { readonly scope: AgentScope }
    const job = { ...kept, input: readKeptInput(kept.point, kept.input) }
    const found = tableFor(job.scope)
    if (found === undefined) return elsewhere(leased, 'no_agent', upMs())
    const about = {
      table: found.table,
      state: await stateAt(job.scope),
      signal,
    }
    const { attempt } = leased
    const performed = await engine.perform({ ...job, attempt }, about)
    const isRefused = typeof performed === 'string'
    // Whoever has the rest of them may have the hook as it was.
    if (isRefused && !found.isWhole)
      return elsewhere(leased, 'no_agent', upMs())
    const isMissing = performed === 'unregistered' && upMs() < startMs
    if (isMissing) return elsewhere(leased, 'not_yet', upMs())
    return outcomeOf(leased, performed)
  }

  const performKind = async (leased: LeasedJob, signal: AbortSignal) => {
    const definition = definitions.get(leased.kind)
    if (definition === undefined) return elsewhere(leased, 'no_handler', upMs())
    return performDefined(definition, leased, { signal, clock })
  }

  return {
    async enqueue(job) {
      const scope = job.scope as AgentScope // a runtime's own
      const { agent, sessionId } = scope
      const declared = declarationOf(tableFor(scope)?.table, job)
      await queue.add(
        [
          {
            kind: 'hook',
            key: runIdOf(job),
            lane: sessionId ?? agent ?? '',
            ...sessionOf(scope),
            payload: job,
            about: aboutOf(job),
            ...declared,
          },
        ],
        along && { along: along(job) },
      )
    },
    collect(contributed, scope) {
      const { agent, sessionId } = scope
      if (contributed.kind !== jobKind.kind) return
      const { id, payload, idempotencyKey } = contributed.value as BackgroundJob // its kind checked it
      const definition = definitions.get(id)
      const staysBehind = definition?.outlivesSession ?? false
      add({
        kind: id,
        ...(idempotencyKey !== undefined && { key: idempotencyKey }),
        lane: sessionId ?? agent,
        ...(!staysBehind && sessionOf(scope)),
        payload,
        about: { by: contributed.by },
        ...(definition && {
          isIdempotent: definition.isIdempotent,
          retry: definition.retry,
        }),
      })
    },
    async perform(leased, signal) {
      const { sessionId, kind } = leased
      if (
        sessionId !== undefined &&
        (await hasSession?.(sessionId)) === false
      ) {
        return refused('session_deleted', 'cancelled')
      }
      return kind === 'hook'
        ? performHook(leased, signal)
        : performKind(leased, signal)
    },
    async drain() {
      while (adding.size > 0) await Promise.all(adding)
    },
  }
}

/** One of ours, with which a job goes when it is deleted. */
function sessionOf({ sessionId, hooksOf }: AgentScope) {
  return sessionId === undefined || hooksOf !== undefined ? {} : { sessionId }
}
