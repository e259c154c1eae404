import type { Job as BullmqJob } from 'bullmq'
import type { Row } from '../store/database.ts'
import type { StoreParts } from '../store/parts.ts'
import type {
  Added,
  AddOptions,
  ClaimOptions,
  JobQueue,
  LeasedJob,
  NewJob,
} from './job-queue.ts'
import { leased, taken } from './job-statements.ts'
import { loadBullmq } from './load-bullmq.ts'
import { readClaimed } from './read-claimed.ts'
import { TableQueue } from './table-queue.ts'

export interface BullmqOptions {
  /** The same server as the table is on. */
  readonly url: string
  readonly schema?: string
  /** How long a ticket may be under way before another one is sent. */
  readonly resendMs?: number
  readonly onError?: (error: unknown) => void
}

/**
 * Jobs in the table, handed out by BullMQ on the same server. What it carries
 * are tickets: whoever gets one takes the job from the table, if it is there.
 */
export async function openBullmqQueue(
  parts: StoreParts,
  options: BullmqOptions,
): Promise<JobQueue> {
  const bullmq = await connect(options)
  return new BullmqQueue(parts, { ...bullmq, resendMs: 30_000, ...options })
}

async function connect(options: BullmqOptions) {
  const { url, schema = 'bullmq', onError = () => {} } = options
  const { Queue, Worker, createPostgresBackend } = await loadBullmq()
  const connection = { connectionString: url, schema, migrate: true, max: 4 }
  const queue = new Queue(queueName, { connection }, createPostgresBackend)
  const worker = new Worker(
    queueName,
    null,
    // A ticket is held for as long as it takes to take the job.
    {
      connection,
      autorun: false,
      lockDuration: 10_000,
      stalledInterval: 5_000,
    },
    createPostgresBackend,
  )
  queue.on('error', onError)
  worker.on('error', onError)
  await Promise.all([queue.waitUntilReady(), worker.waitUntilReady()])
  await worker.startStalledCheckTimer()
  return { queue, worker }
}

type BullmqParts = Awaited<ReturnType<typeof connect>> & {
  readonly resendMs: number
}

const queueName = 'hookline'
const relayEveryMs = 250
const relayBatch = 200

class BullmqQueue extends TableQueue {
  readonly #bullmq: BullmqParts
  #relayAtMs = -Infinity
  #token = 0

  constructor(parts: StoreParts, bullmq: BullmqParts) {
    super(parts)
    this.#bullmq = bullmq
  }

  override async add(
    jobs: readonly NewJob[],
    options?: AddOptions,
  ): Promise<readonly Added[]> {
    return super.add(jobs, options)
  }

  override wake(): void {
    this.#relayAtMs = -Infinity
    super.wake()
  }

  override async claim({
    limit,
    leaseMs,
  }: ClaimOptions): Promise<readonly LeasedJob[]> {
    if (this.parts.clock.now() < this.#relayAtMs) {
      const jobs = await this.#claim(limit, leaseMs)
      if (jobs.length > 0) return jobs
    }
    this.#relayAtMs = this.parts.clock.now() + relayEveryMs
    await this.#relay()
    return this.#claim(limit, leaseMs)
  }

  async #claim(limit: number, leaseMs: number): Promise<readonly LeasedJob[]> {
    const token = `${this.parts.worker}:${this.#token++}`
    const tickets: BullmqJob<Ticket>[] = []
    while (tickets.length < limit) {
      const ticket: BullmqJob<Ticket> | undefined =
        await this.#bullmq.worker.getNextJob(token, { block: false })
      if (ticket === undefined) break
      tickets.push(ticket)
    }
    if (tickets.length === 0) return []
    const rows = await this.#take(tickets, leaseMs)
    await Promise.all(
      tickets.map((ticket) => ticket.moveToCompleted('', token, false)),
    )
    return readClaimed(this, rows)
  }

  async #take(
    tickets: readonly BullmqJob<Ticket>[],
    leaseMs: number,
  ): Promise<readonly Row[]> {
    const { worker } = this.parts
    const results = await this.parts.database.write({
      name: 'job.claim',
      statements: tickets.map(({ data }) => ({
        sql: claimOne,
        values: [worker, leaseMs, data.id, data.fence],
      })),
      isPatient: true,
    })
    return results.flatMap(({ rows }) => rows)
  }

  /** Sends a ticket for every job that is due and has none under way. */
  async #relay(): Promise<void> {
    const { queue, resendMs } = this.#bullmq
    const [, result] = await this.parts.database.write({
      name: 'job.send',
      statements: [
        { sql: this.statements.promote, values: [] },
        { sql: markSent, values: [resendMs, relayBatch] },
      ],
      isPatient: true,
    })
    const rows = [...(result?.rows ?? [])].sort(
      (one, other) => Number(one['order_at']) - Number(other['order_at']),
    )
    if (rows.length === 0) return
    if (rows.length === relayBatch) this.#relayAtMs = -Infinity
    await queue.addBulk(
      rows.map(({ id, fence }) => ({
        name: 'ticket',
        data: { id: String(id), fence: Number(fence) },
        opts: {
          jobId: `${id}.${fence}`,
          removeOnComplete: true,
          removeOnFail: true,
        },
      })),
    )
  }

  override async close(): Promise<void> {
    await super.close()
    await this.#bullmq.worker.close(true)
    await this.#bullmq.queue.close()
  }
}

interface Ticket {
  readonly id: string
  readonly fence: number
}

const claimOne = `${taken}
  WHERE id = ? AND fence = ? AND state = 'queued' RETURNING ${leased}`

const markSent = `WITH unsent AS MATERIALIZED (
    SELECT id FROM jobs
    WHERE state = 'queued'
      AND (sent_at IS NULL OR sent_at < (SELECT hookline_now()) - ?)
    ORDER BY order_at, id LIMIT ? FOR UPDATE SKIP LOCKED
  )
  UPDATE jobs SET sent_at = hookline_now() FROM unsent
  WHERE jobs.id = unsent.id
  RETURNING jobs.id, jobs.fence, jobs.order_at, jobs.sent_at`
