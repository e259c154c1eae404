import type { Row } from '../database.ts'
import type { StoreParts } from '../parts.ts'
import { readKeptInput } from '../read-answered-by.ts'
import { StoreError } from '../store-error.ts'
import { findRun, listRuns, type RunCursor } from './list-runs.ts'
import { runsOfDispatch } from './runs-of-dispatch.ts'
import { readRun, type StoredRun, storedRunColumns } from './stored-run.ts'

export interface DispatchFilter {
  readonly point?: string
  readonly sessionId?: string
  /** Begun then or later, in milliseconds since 1970. */
  readonly since?: number
  /** Begun before. */
  readonly until?: number
  /** Default: 50; at most 200. */
  readonly limit?: number
  /** Where the page before ended. */
  readonly after?: RunCursor
}

export interface DispatchPage {
  /** The newest first. */
  readonly dispatches: readonly StoredDispatch[]
  /**
   * Where the next page begins; undefined after the last one. A page may be
   * short, or empty, and others come all the same: so much was looked at.
   */
  readonly next: RunCursor | undefined
}

/** A point that was asked once, and all its hooks that ran. */
export interface StoredDispatch {
  readonly id: string
  readonly point: string
  readonly agent: string | undefined
  readonly sessionId: string | undefined
  readonly turnId: string | undefined
  readonly callId: string | undefined
  readonly startedAt: number
  /** What the first of them that began was given. */
  readonly given: Given
  /** As they began. */
  readonly runs: readonly GivenRun[]
}

/** A run, and what is known of what it was given. */
export type GivenRun = StoredRun & { readonly given: Given }

export type Given =
  | { readonly type: 'exact' | 'redacted'; readonly input: unknown }
  /** `cut`: it was too long to be kept whole. `unreadable`: no key fits. */
  | {
      readonly type: 'absent'
      readonly why: 'not-kept' | 'cut' | 'unreadable'
    }

const maxLimit = 200
const runsAtOnce = 200
const maxLooked = 1_000

/** What hooks were given and answered, dispatch by dispatch. */
export async function listDispatches(
  parts: Pick<StoreParts, 'database' | 'payloads'>,
  filter: DispatchFilter = {},
): Promise<DispatchPage> {
  const { limit = 50, after: _, ...wanted } = filter
  if (!Number.isInteger(limit) || limit < 1 || limit > maxLimit) {
    const message = `A page of dispatches has 1 to ${maxLimit} of them, not ${limit}.`
    throw new StoreError('invalid-options', message)
  }
  const found: StoredDispatch[] = []
  const seen = new Set<string>()
  let { after } = filter
  for (let looked = 0; looked < maxLooked; looked += runsAtOnce) {
    const place = after === undefined ? {} : { after }
    const page = await listRuns(parts, {
      ...wanted,
      ...place,
      limit: runsAtOnce,
    })
    for (const run of page.runs) {
      after = { startedAt: run.startedAt, id: run.id }
      if (seen.has(run.dispatch)) continue
      seen.add(run.dispatch)
      const dispatch = await readDispatch(parts, run)
      // Its last run is where it is listed; others of it may be on this page.
      if (isLast(run, dispatch)) found.push(dispatch)
      if (found.length === limit) return { dispatches: found, next: after }
    }
    after = page.next
    if (after === undefined) break
  }
  return { dispatches: found, next: after }
}

/** The dispatch that a run belongs to, by the id of the run. */
export async function findDispatch(
  parts: Pick<StoreParts, 'database' | 'payloads'>,
  runId: string,
): Promise<StoredDispatch | undefined> {
  const run = await findRun(parts, runId)
  return run && (await readDispatch(parts, run))
}

const columns = `${storedRunColumns}, payload`

async function readDispatch(
  { database, payloads }: Pick<StoreParts, 'database' | 'payloads'>,
  run: StoredRun,
): Promise<StoredDispatch> {
  const rows = await database.read(runsOfDispatch(run, columns))
  const runs = rows.map((row) => ({
    ...readRun(row),
    given: asToldNow(String(row['point']), givenIn(row, payloads)),
  }))
  const first = runs.find(isGiven) ?? runs[0] ?? { ...run, given: notKept }
  const { dispatch, point, agent, sessionId, turnId } = run
  const callId = runs.find((one) => one.callId !== undefined)?.callId
  const { startedAt = run.startedAt } = runs[0] ?? {}
  const about = { point, agent, sessionId, turnId, callId }
  return { id: dispatch, ...about, startedAt, given: first.given, runs }
}

function asToldNow(point: string, given: Given): Given {
  if (given.type === 'absent') return given
  return { ...given, input: readKeptInput(point, given.input) }
}

/** A hook that never began was given nothing. */
function isGiven({ given }: GivenRun): boolean {
  return given.type !== 'absent' || given.why !== 'not-kept'
}

function isLast(run: StoredRun, { runs }: StoredDispatch): boolean {
  return runs.every(
    ({ startedAt, id }) =>
      startedAt < run.startedAt ||
      (startedAt === run.startedAt && id <= run.id),
  )
}

const notKept: Given = { type: 'absent', why: 'not-kept' }

function givenIn(row: Row, payloads: StoreParts['payloads']): Given {
  const { payload, content } = row
  if (typeof payload === 'string') {
    try {
      const input = payloads.read(payload, ['runs', String(row['id'])])
      return { type: 'exact', input }
    } catch {
      if (typeof content !== 'string') {
        return { type: 'absent', why: 'unreadable' }
      }
    }
  }
  if (typeof content !== 'string') return notKept
  try {
    return { type: 'redacted', input: JSON.parse(content) }
  } catch {
    return { type: 'absent', why: 'cut' }
  }
}
