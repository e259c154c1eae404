import { type InputOf, type Run, runOverlapMs } from '../protocol.ts'

/** What is known of a list of runs, the newest first. */
export interface KnownRuns {
  readonly runs: readonly Run[]
  /** Where older ones are read on; undefined: there are no more of them. */
  readonly next: string | undefined
  /** When all that could still have come was last read. */
  readonly settledAt: number
  readonly isSettled: boolean
  /** There were older ones, which were let go of. */
  readonly isCut: boolean
}

type Place = Pick<InputOf<'listRuns'>, 'after' | 'since' | 'until'>

interface Page {
  readonly items: readonly Run[]
  readonly next?: string | undefined
}

export type ReadRuns = (place: Place) => Promise<Page>

/** What was read again, and how to put it in the place of what was known. */
export interface RunNews {
  readonly head: readonly Run[]
  /** All that began then or later are in it. */
  readonly from: number
  /** So much is new that what was known is far behind: it goes on here. */
  readonly next?: string | undefined
  /** Older ones that had not ended, as they are now; undefined: not in it any more. */
  readonly changed: ReadonlyMap<string, Run | undefined>
}

/** More than this is nothing that anybody scrolls through; filters are for that. */
const maxRuns = 5_000
/** So many are kept of those that came by themselves: a page may be open all day. */
const maxNews = 2_000
const maxPages = 20
/** A few hang for ever: a daemon that ran them has died. */
const maxOpen = 10

/** The first page. */
export async function beginRuns(
  read: ReadRuns,
  now: number,
): Promise<KnownRuns> {
  const { items, next } = await read({})
  return { runs: items, next, settledAt: now, isSettled: true, isCut: false }
}

interface NewsOptions {
  /** Look at all that may have been written late, not only at the newest. */
  readonly isThorough: boolean
}

/**
 * What is new since, and what has changed: the newest page, and those that had
 * not ended. Runs may be written late, so that now and then all is read that
 * began a moment before the newest one.
 */
export async function readNews(
  { runs }: Pick<KnownRuns, 'runs'>,
  read: ReadRuns,
  { isThorough }: NewsOptions,
): Promise<RunNews> {
  const known = new Set(runs.map(({ id }) => id))
  const from = Math.max(0, (runs[0]?.startedAt ?? 0) - runOverlapMs)
  const head: Run[] = []
  let after: string | undefined
  for (let count = 0; count < maxPages; count++) {
    const page = await read({
      since: from,
      ...(after !== undefined && { after }),
    })
    head.push(...page.items)
    after = page.next
    if (after === undefined) break
    const meets = page.items.some(({ id }) => known.has(id))
    const last = page.items.at(-1)?.startedAt
    // Of those that began in the same moment some may be on the next page.
    if (meets && last !== undefined && !isThorough) {
      const changed = await readOpen(runs, read, last + 1)
      return { head, from: last + 1, changed }
    }
  }
  if (after !== undefined) {
    return { head, from: 0, next: after, changed: new Map() }
  }
  return { head, from, changed: await readOpen(runs, read, from) }
}

async function readOpen(
  runs: readonly Run[],
  read: ReadRuns,
  before: number,
): Promise<RunNews['changed']> {
  const open = runs
    .filter(({ state }) => state === 'started' || state === 'backgrounded')
    .filter(({ startedAt }) => startedAt < before)
    .slice(0, maxOpen)
  const found = await Promise.all(
    open.map(async ({ id, startedAt }) => {
      const { items } = await read({ since: startedAt, until: startedAt + 1 })
      return [id, items.find((one) => one.id === id)] as const
    }),
  )
  return new Map(found)
}

interface Taken {
  readonly isThorough: boolean
  readonly now: number
}

/** What is known with what is new; more may have been read on meanwhile. */
export function takeNews(
  known: KnownRuns,
  { head, from, next, changed }: RunNews,
  { isThorough, now }: Taken,
): KnownRuns {
  const settled = {
    isSettled: isThorough,
    settledAt: isThorough ? now : known.settledAt,
  }
  if (next !== undefined) return { runs: head, next, ...settled, isCut: false }
  const inHead = new Set(head.map(({ id }) => id))
  const older = known.runs.flatMap((run) => {
    if (run.startedAt >= from || inHead.has(run.id)) return []
    if (!changed.has(run.id)) return [run]
    return changed.get(run.id) ?? []
  })
  const whole = { ...known, runs: [...head, ...older], ...settled }
  return bounded(whole, Math.max(maxNews, known.runs.length))
}

/** What is known with an older page; it may have been read before. */
export function takeOlder(
  known: KnownRuns,
  after: string,
  { items, next }: Page,
): KnownRuns {
  if (known.next !== after) return known
  const ids = new Set(known.runs.map(({ id }) => id))
  const runs = [...known.runs, ...items.filter(({ id }) => !ids.has(id))]
  return bounded({ ...known, runs, next }, maxRuns)
}

function bounded(known: KnownRuns, most: number): KnownRuns {
  const { runs } = known
  if (runs.length <= most) return known
  return { ...known, runs: runs.slice(0, most), next: undefined, isCut: true }
}
