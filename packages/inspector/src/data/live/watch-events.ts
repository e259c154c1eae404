import type { Client } from '@hookline/daemon/client'
import type { StreamItem } from '../protocol.ts'
import { LiveQueue } from './shared/live-queue.ts'

export interface WatchOptions {
  readonly token: string
  readonly client: Pick<Client, 'watchAll' | 'watchSession'>
  readonly signal: AbortSignal
  /** Absent: everything. */
  readonly sessionId?: string | undefined
  /** Where to begin; default: with what comes next. */
  readonly after?: string | undefined
  readonly fromStart?: boolean
  readonly onOpen: () => void
}

/** No more of what was read before can come once more. */
const maxGiven = 5_000

/**
 * What happened since a cursor, and then what happens, each once and in order.
 * The first is asked for by itself; the other is read once for all tabs.
 */
export async function* watchEvents(
  options: WatchOptions,
): AsyncGenerator<StreamItem, void, undefined> {
  const { token, sessionId, signal } = options
  signal.throwIfAborted()
  const live = new LiveQueue({ token, sessionId })
  const close = () => live.close()
  signal.addEventListener('abort', close)
  try {
    await live.opened
    if (signal.aborted) return
    options.onOpen()
    let given: Set<string> | undefined = new Set()
    for await (const item of readPast(options)) {
      if (item.cursor !== undefined) remember(given, item.cursor)
      yield item
    }
    for (;;) {
      const item = await live.next()
      if (item === undefined) return
      if (isGiven(given, item)) continue
      // What overlaps comes first: after one that is new, all are.
      given = undefined
      yield item
    }
  } finally {
    signal.removeEventListener('abort', close)
    live.close()
  }
}

async function* readPast({
  client,
  sessionId,
  after,
  fromStart = false,
  signal,
}: WatchOptions): AsyncGenerator<StreamItem, void, undefined> {
  if (after === undefined && !fromStart) return
  const from = after === undefined ? { fromStart } : { after }
  const input = { ...from, untilNow: true }
  yield* sessionId === undefined
    ? client.watchAll(input, { signal })
    : client.watchSession({ sessionId, ...input }, { signal })
}

function remember(given: Set<string>, cursor: string): void {
  given.add(cursor)
  const [oldest] = given
  if (given.size > maxGiven && oldest !== undefined) given.delete(oldest)
}

function isGiven(
  given: ReadonlySet<string> | undefined,
  { type, cursor }: StreamItem,
): boolean {
  const isTold = type === 'event' || type === 'notice'
  return isTold && cursor !== undefined && given?.has(cursor) === true
}
