import { truncate } from 'hookline'
import type { Row, Statement } from '../store/database.ts'
import type { Store } from '../store/open-store.ts'
import type { StoreParts } from '../store/parts.ts'
import { topics } from '../store/signals/signals.ts'
import type {
  Added,
  AddOptions,
  ClaimOptions,
  JobCounts,
  JobFailure,
  JobPage,
  JobQueue,
  JobSelection,
  Lease,
  LeasedJob,
  ListOptions,
  NewJob,
  RecoveredJob,
  ReleaseOptions,
  RetryAnswer,
  Settlement,
} from './job-queue.ts'
import { listedJob, recoveredJob, stateOf } from './job-rows.ts'
import { type JobStatements, jobStatements } from './job-statements.ts'
import { newJobValues } from './new-job.ts'
import { readClaimed } from './read-claimed.ts'
import { retryDead } from './retry-dead.ts'

const maxNotePoints = 500
const maxPage = 200
/** Even when there is always enough to do, what falls due gets its turn. */
const promoteEveryMs = 250

/** Jobs in a table, on either database, for any number of processes. */
export class TableQueue implements JobQueue {
  readonly parts: StoreParts
  readonly statements: JobStatements
  readonly #listeners = new Set<() => void>()
  #promoteAtMs = -Infinity
  #unfollow: (() => void) | undefined

  constructor(parts: StoreParts) {
    this.parts = parts
    this.statements = jobStatements(parts.database.dialect)
  }

  async add(
    jobs: readonly NewJob[],
    { along = [] }: AddOptions = {},
  ): Promise<readonly Added[]> {
    const rows = jobs.map((job) => newJobValues(this.parts, job))
    const statements = rows.map(({ values }) => ({
      sql: this.statements.add,
      values,
    }))
    const results = await this.parts.database.write({
      name: 'job.add',
      statements: [...statements, ...along],
    })
    this.wake()
    return rows.map(({ id }, index) => ({
      id,
      isNew: results[index]?.changes === 1,
    }))
  }

  async claim({ limit, leaseMs }: ClaimOptions): Promise<readonly LeasedJob[]> {
    const take: Statement = {
      sql: this.statements.claim,
      values: [limit, this.parts.worker, leaseMs],
    }
    if (this.parts.clock.now() < this.#promoteAtMs) {
      const taken = await this.#take([take])
      if (taken.length > 0) return readClaimed(this, taken)
    }
    this.#promoteAtMs = this.parts.clock.now() + promoteEveryMs
    const promote = { sql: this.statements.promote, values: [] }
    return readClaimed(this, await this.#take([promote, take]))
  }

  async #take(statements: readonly Statement[]): Promise<readonly Row[]> {
    const unit = { name: 'job.claim', statements }
    const results = await this.parts.database.write(unit)
    return results.at(-1)?.rows ?? []
  }

  async renew(
    leases: readonly Lease[],
    leaseMs: number,
  ): Promise<ReadonlySet<string>> {
    const { renew } = this.statements
    const results = await this.parts.database.write({
      name: 'job.renew',
      statements: leases.map(({ id, fence }) => ({
        sql: renew,
        values: [leaseMs, id, fence],
      })),
    })
    const ours = leases.filter((_, index) => results[index]?.changes === 1)
    return new Set(ours.map(({ id }) => id))
  }

  complete(lease: Lease): Promise<Settlement> {
    const { complete } = this.statements
    return this.#settle('job.complete', lease, { sql: complete, values: [] })
  }

  fail(lease: Lease, failure: JobFailure): Promise<Settlement> {
    const { reason, note = '', becomes = 'retry' } = failure
    const { fail, bury, drop } = this.statements
    const sql = { retry: fail, dead: bury, cancelled: drop }[becomes]
    const { redactor } = this.parts
    const shown = truncate(redactor.text(note), maxNotePoints).text
    const values = [redactor.text(reason), shown === '' ? null : shown]
    return this.#settle('job.fail', lease, { sql, values })
  }

  release(
    lease: Lease,
    { reason, delayMs = 0 }: ReleaseOptions,
  ): Promise<Settlement> {
    const { release: sql } = this.statements
    return this.#settle('job.release', lease, {
      sql,
      values: [delayMs, reason],
    })
  }

  /**
   * If nothing changes, it may be that we were heard the first time, and did
   * not hear of it: whoever takes a job from us changes its fence.
   */
  async #settle(
    name: string,
    { id, fence }: Lease,
    { sql, values }: Statement,
  ): Promise<Settlement> {
    const { database } = this.parts
    const [result] = await database.write({
      name,
      statements: [{ sql, values: [...values, id, fence] }],
      isPatient: true,
    })
    const { settled } = this.statements
    const [row] = result?.rows.length
      ? result.rows
      : await database.read({ sql: settled, values: [id, fence] })
    return row === undefined ? 'lost_lease' : stateOf(row)
  }

  async cancel(selection: JobSelection, reason: string): Promise<number> {
    const { cancel, cancelSession } = this.statements
    const [sql, subject] =
      'id' in selection
        ? [cancel, selection.id]
        : [cancelSession, selection.sessionId]
    const values = [this.parts.redactor.text(reason), subject]
    const [result] = await this.parts.database.write({
      name: 'job.cancel',
      statements: [{ sql, values }],
    })
    return result?.changes ?? 0
  }

  async retryDead(id: string): Promise<RetryAnswer> {
    const answer = await retryDead(this, id)
    if (answer === 'put_back') this.wake()
    return answer
  }

  async recover(limit: number): Promise<readonly RecoveredJob[]> {
    const [result] = await this.parts.database.write({
      name: 'job.recover',
      statements: [{ sql: this.statements.recover, values: [limit] }],
      isPatient: true,
    })
    return (result?.rows ?? []).map(recoveredJob)
  }

  async counts(): Promise<JobCounts> {
    const rows = await this.parts.database.read({
      sql: this.statements.counts,
      values: [],
    })
    const counted = rows.map((row) => [stateOf(row), Number(row['amount'])])
    return { ...noCounts, ...Object.fromEntries(counted) }
  }

  async list(options: ListOptions = {}): Promise<JobPage> {
    const { limit = 50, after } = options
    const size = Math.max(1, Math.min(limit, maxPage))
    const { sql, values } = this.#listing(options)
    const rows = await this.parts.database.read({
      sql,
      values: [...values, ...placeOf(after), size + 1],
    })
    const jobs = rows.slice(0, size).map(listedJob)
    const last = jobs.at(-1)
    const next =
      rows.length > size && last !== undefined
        ? `${last.createdAt} ${last.id}`
        : undefined
    return { jobs, next }
  }

  #listing({ state, sessionId }: ListOptions): Statement {
    const { list } = this.statements
    if (sessionId !== undefined) {
      return state === undefined
        ? { sql: list.session, values: [sessionId] }
        : { sql: list.stateInSession, values: [sessionId, state] }
    }
    if (state === undefined) return { sql: list.all, values: [] }
    if (state === 'done') return { sql: list.done, values: [] }
    return { sql: list.state, values: [state] }
  }

  onAdd(listener: () => void): () => void {
    this.#listeners.add(listener)
    // Whoever works looks by itself, too.
    this.#unfollow ??= this.parts.signals?.on(
      topics.jobs,
      () => this.#wakeHere(),
      { isPolled: false },
    )
    return () => void this.#listeners.delete(listener)
  }

  /** Tells whoever works, here and elsewhere, that there may be more to do. */
  wake(): void {
    const { signals } = this.parts
    if (signals === undefined) this.#wakeHere()
    else signals.tell(topics.jobs)
  }

  #wakeHere(): void {
    for (const listener of this.#listeners) listener()
  }

  async close(): Promise<void> {
    this.#listeners.clear()
    this.#unfollow?.()
    this.#unfollow = undefined
  }
}

const noCounts: JobCounts = {
  queued: 0,
  delayed: 0,
  running: 0,
  failed: 0,
  dead: 0,
  cancelled: 0,
}

const newest = [Number.MAX_SAFE_INTEGER, ''] as const

/** The place in the list that a page ended at. */
function placeOf(after: string | undefined): readonly [number, string] {
  const [, createdAt, id] = /^(\d{1,16}) (.+)$/s.exec(after ?? '') ?? []
  return createdAt === undefined || id === undefined
    ? newest
    : [Number(createdAt), id]
}

/** The jobs of a store. */
export function createJobQueue({ parts }: Pick<Store, 'parts'>): JobQueue {
  return new TableQueue(parts)
}
