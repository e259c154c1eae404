import { ProtocolError } from '@hookline/daemon/client'
import type { StreamItem } from '../protocol.ts'

export interface FeedParts {
  /** Opens the stream: after a cursor, or as it begins. */
  readonly open: (
    after: string | undefined,
    signal: AbortSignal,
  ) => AsyncIterable<StreamItem>
  readonly onItem: (item: StreamItem) => void
  /** It is tried again; with an error, that is why. */
  readonly onLost: (error: ProtocolError | undefined) => void
  /** Nobody may read it, now or ever; it is not tried again. */
  readonly onRefused: (error: ProtocolError) => void
  /** Default: 250 ms, twice as long each time, at most 3 s. */
  readonly pauseMs?: (tries: number) => number
  /**
   * How long a page may be out of sight before it lets go of the stream: what
   * nobody sees need not be drawn. Default: a minute, so that whoever looks away
   * for a moment finds it as it is.
   */
  readonly hiddenMs?: number
}

/**
 * Reads a stream for as long as somebody looks: after a loss, or when the page
 * comes back into sight, it goes on after the last item that was read.
 */
export function followFeed(parts: FeedParts): () => void {
  const { pauseMs = (tries) => Math.min(3_000, 250 * 2 ** tries) } = parts
  const { hiddenMs = 60_000 } = parts
  const ended = new AbortController()
  let after: string | undefined
  let attempt: AbortController | undefined
  let wake: () => void = () => undefined
  // A tab that was opened behind another waits until somebody looks at it.
  let isHidden = document.visibilityState === 'hidden'
  let hiddenTimer: ReturnType<typeof setTimeout> | undefined

  const onVisibility = () => {
    clearTimeout(hiddenTimer)
    if (document.visibilityState === 'hidden') {
      hiddenTimer = setTimeout(() => {
        isHidden = true
        attempt?.abort()
      }, hiddenMs)
      return
    }
    isHidden = false
    wake()
  }
  const pause = (ms: number) =>
    new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms)
      wake = () => {
        clearTimeout(timer)
        resolve()
      }
      if (ended.signal.aborted) wake()
    })
  const readOnce = async () => {
    attempt = new AbortController()
    for await (const item of parts.open(after, attempt.signal)) {
      if (item.cursor !== undefined) after = item.cursor
      tries = 0
      parts.onItem(item)
    }
  }
  let tries = 0
  const run = async () => {
    while (!ended.signal.aborted) {
      if (isHidden) await pause(2 ** 30)
      if (ended.signal.aborted) return
      let lostBy: ProtocolError | undefined
      try {
        await readOnce()
      } catch (error) {
        if (ended.signal.aborted) return
        lostBy = asProtocolError(error)
        if (!isPassing(error)) return parts.onRefused(lostBy)
      }
      if (ended.signal.aborted) return
      if (isHidden) continue
      parts.onLost(lostBy)
      await pause(pauseMs(tries++) * (0.5 + Math.random() / 2))
    }
  }
  document.addEventListener('visibilitychange', onVisibility)
  void run()
  return () => {
    document.removeEventListener('visibilitychange', onVisibility)
    clearTimeout(hiddenTimer)
    ended.abort()
    attempt?.abort()
    wake()
  }
}

/** What failed once may do so no more: a page without its stream is not true. */
const passing: ReadonlySet<string> = new Set([
  'unavailable',
  'shutting-down',
  'too-many',
  'too-slow',
  'internal',
])

function isPassing(error: unknown): boolean {
  if (!(error instanceof ProtocolError)) return true
  return passing.has(error.code)
}

function asProtocolError(error: unknown): ProtocolError {
  if (error instanceof ProtocolError) return error
  return new ProtocolError('internal', 'The stream of events failed.')
}
