import {
  findRuns,
  listRuns,
  type RunCursor,
  type RunFilter,
  type StoredRun,
  skipRuns,
} from '@hookline/agent/durable'
import { runOverlapMs } from '../../protocol/run-outcome.ts'
import type { Workspace } from '../../reload/workspace.ts'

/** Runs of which there are news, or that some are left out. */
export type RunNews =
  | { readonly type: 'runs'; readonly runs: readonly StoredRun[] }
  | { readonly type: 'lagged'; readonly missed: number }

type Visible = NonNullable<Parameters<typeof skipRuns>[2]['visible']>

export interface RunWindowOptions
  extends Pick<RunFilter, 'sessionId' | 'hook' | 'point'> {
  /** Since when there are news. */
  readonly from: number
  /** What whoever reads may see; default: all. */
  readonly visible?: Visible | undefined
}

const pageSize = 200
/** Who is further behind than this goes on with the newest. */
const maxBehind = 10_000
/** Of so many it is known how they were; about as many may begin in a minute. */
const maxTold = 20_000
/** So many may be under way for longer than the window is. */
const maxOpen = 1_000
/** Queued hooks first: of too many, those that run are kept. */
const openStates: readonly StoredRun['state'][] = ['backgrounded', 'started']
/** No run holds up a cursor for longer. */
const holdMs = 600_000

/**
 * The runs of which there may be news: those that began a moment ago, for they
 * may be written late, and those that have not ended. Whatever is read, is
 * read page by page.
 */
export class RunWindow {
  readonly #parts: Workspace['store']['parts']
  readonly #filter: RunFilter
  readonly #visible: Visible | undefined
  /** How each was when it was told, the oldest first. */
  readonly #told = new Map<string, Told>()
  /** Those that have not ended, and when they began. */
  readonly #open = new Map<string, number>()
  #from: number

  constructor(
    { parts }: Workspace['store'],
    { from, visible, ...filter }: RunWindowOptions,
  ) {
    this.#parts = parts
    this.#filter = { ...filter, isBrief: true }
    this.#visible = visible
    this.#from = from
  }

  /** Whoever comes back with it misses nothing but what takes very long. */
  get cursor(): number {
    const oldest = Math.min(this.#from, ...this.#open.values())
    return Math.max(oldest, this.#from - holdMs)
  }

  /** Those under way are told when they end, also if they began before. */
  async noteOpen(): Promise<void> {
    for (const state of openStates) {
      const { runs } = await listRuns(this.#parts, {
        ...this.#filter,
        state,
        until: this.#from,
        limit: maxOpen,
      })
      for (const run of runs.toReversed()) this.#note(run)
    }
  }

  /** What has begun or ended since it was last asked, the oldest first. */
  async *news(): AsyncGenerator<RunNews, void, undefined> {
    const late = [...this.#open].flatMap(([id, at]) => {
      return at < this.#from ? [id] : []
    })
    const ended = this.#newsOf(await findRuns(this.#parts, late))
    if (ended.length > 0) yield { type: 'runs', runs: ended }
    let after: RunCursor | undefined
    do {
      const page = await this.#page(after)
      const { next } = page
      if (after === undefined && next !== undefined) {
        const skipped = await this.#skip()
        if (skipped !== undefined) {
          after = skipped.place
          this.#moveOn(after.startedAt)
          yield { type: 'lagged', missed: skipped.missed }
          continue
        }
      }
      const runs = this.#newsOf(page.runs)
      const newest = page.runs.at(-1)?.startedAt
      if (newest !== undefined) this.#moveOn(newest - runOverlapMs)
      if (runs.length > 0) yield { type: 'runs', runs }
      after = next
    } while (after !== undefined)
  }

  #page(after: RunCursor | undefined) {
    return listRuns(this.#parts, {
      ...this.#filter,
      since: this.#from,
      limit: pageSize,
      isOldestFirst: true,
      ...(after !== undefined && { after }),
    })
  }

  #skip() {
    const visible = this.#visible && { visible: this.#visible }
    const filter = { ...this.#filter, since: this.#from }
    return skipRuns(this.#parts, filter, { keep: maxBehind, ...visible })
  }

  #newsOf(runs: readonly StoredRun[]): readonly StoredRun[] {
    const news = runs.filter(({ id, ...run }) => {
      return this.#told.get(id)?.state !== stateOf(run)
    })
    for (const run of runs) this.#note(run)
    return news
  }

  #note(run: StoredRun): void {
    const { id, startedAt } = run
    this.#told.set(id, { state: stateOf(run), startedAt })
    this.#open.delete(id)
    if (openStates.includes(run.state)) this.#open.set(id, startedAt)
    forgetOldest(this.#open, maxOpen)
  }

  /** Nothing that began before is looked at again, unless it is under way. */
  #moveOn(from: number): void {
    this.#from = Math.max(this.#from, from)
    for (const [id, { startedAt }] of this.#told) {
      const isTooMany = this.#told.size > maxTold
      if (startedAt >= this.#from && !isTooMany) break
      if (this.#open.has(id) && !isTooMany) continue
      this.#told.delete(id)
      if (isTooMany) this.#from = Math.max(this.#from, startedAt + 1)
    }
  }
}

interface Told {
  readonly state: string
  readonly startedAt: number
}

function stateOf({ state, attempt }: Pick<StoredRun, 'state' | 'attempt'>) {
  return `${state} ${attempt}`
}

function forgetOldest(kept: Map<string, unknown>, max: number): void {
  const [oldest] = kept.keys()
  if (kept.size > max && oldest !== undefined) kept.delete(oldest)
}
