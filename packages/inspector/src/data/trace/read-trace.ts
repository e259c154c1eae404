import type { Client } from '@hookline/daemon/client'
import type { OutputOf } from '../protocol.ts'

type Trace = OutputOf<'traceTurn'>

export interface TurnPlace {
  readonly sessionId: string
  readonly turnId: string
}

/** All pages of a trace in one. */
export type WholeTrace = Omit<Trace, 'next'> & {
  /** It is over, and was read once more since. */
  readonly isSettled: boolean
}

const pageSize = 1_000
const maxPages = 50
/** Nothing more comes of a turn that ended so long ago. */
const oldMs = 30_000

/** Reads a turn again and again; pages that can no longer change only once. */
export function createTraceReader(
  client: Pick<Client, 'traceTurn'>,
  place: TurnPlace,
): (signal: AbortSignal) => Promise<WholeTrace> {
  const kept: Trace[] = []
  let wasOver = false
  let last: WholeTrace | undefined
  const readPage = (after: string | undefined, signal: AbortSignal) =>
    client.traceTurn(
      { ...place, limit: pageSize, ...(after !== undefined && { after }) },
      { signal },
    )
  const readPages = async (signal: AbortSignal) => {
    // Calls, and how the turn ended, are on the first page.
    const first = await readPage(undefined, signal)
    kept[0] = first
    let after = first.next
    for (let at = 1; at < maxPages && after !== undefined; at++) {
      const known = kept[at]
      const isRead = known !== undefined && !mayChange(known)
      const page = isRead ? known : await readPage(after, signal)
      kept[at] = page
      after = page.next
    }
    return first
  }
  return async (signal) => {
    const { turn, calls, isCut, events } = await readPages(signal)
    const { endedAt } = turn
    const isOld = endedAt !== null && Date.now() - endedAt > oldMs
    const isSettled = endedAt !== null && (wasOver || isOld)
    wasOver = endedAt !== null
    const whole: WholeTrace = {
      turn,
      calls,
      runs: kept.flatMap((page) => page.runs),
      hidden: kept.reduce((sum, page) => sum + page.hidden, 0),
      isCut: isCut || kept.at(-1)?.next !== undefined,
      ...(events !== undefined && { events }),
      isSettled,
    }
    // The same again is not drawn again: what happens elsewhere asks for it.
    if (last === undefined || !isSame(last, whole)) last = whole
    return last
  }
}

/** The last page takes what is new, and any page the ends of its own runs. */
function mayChange({ runs, next }: Trace): boolean {
  const isOpen = runs.some(
    ({ state }) => state === 'started' || state === 'backgrounded',
  )
  return next === undefined || isOpen
}

/** Of what is settled only runs in the background still change. */
function isSame(one: WholeTrace, other: WholeTrace): boolean {
  return (
    one.isSettled &&
    other.isSettled &&
    one.runs.length === other.runs.length &&
    one.calls.length === other.calls.length &&
    one.hidden === other.hidden &&
    one.runs.every(({ state }, at) => state === other.runs[at]?.state)
  )
}
