import type { LoggedEvent } from '@hookline/agent/durable'
import type { StreamItem } from '../protocol/schemas/events.ts'
import type { Channel } from './channel.ts'
import type { EventHub, StreamFilter } from './event-hub.ts'
import { itemOf, shownItem } from './told-item.ts'

/** Where a stream begins; by default with what comes next. */
export interface StreamStart {
  readonly after?: string | undefined
  readonly fromStart?: boolean | undefined
  /** Ends where the log does. */
  readonly untilNow?: boolean | undefined
}

interface StreamParts {
  readonly channel: Channel
  readonly filter: StreamFilter
  readonly start: StreamStart
}

type Result = IteratorResult<StreamItem>

const pageSize = 200
/** More than a channel has. */
const maxGiven = 10_000
const over: Result = Object.freeze({ done: true, value: undefined })

/**
 * What happens, for one reader, who asks for one item after the other. It keeps
 * a place and no items, but for a page while it catches up with the log.
 */
export class EventStream implements AsyncIterableIterator<StreamItem> {
  readonly #hub: EventHub
  readonly #channel: Channel
  readonly #filter: StreamFilter
  readonly #onEnd: () => void
  readonly #unfollow: () => void
  readonly #untilNow: boolean
  #place: number
  #catchUp: CatchUp | undefined
  /** What the log gave, and the channel may give once more. */
  #given: Set<string> | undefined
  #waiting: ((result: Result) => void) | undefined
  #isQueued = false
  #isEnded = false

  constructor(hub: EventHub, parts: StreamParts, onEnd: () => void) {
    const { channel, filter, start } = parts
    this.#hub = hub
    this.#channel = channel
    this.#filter = filter
    this.#onEnd = onEnd
    this.#place = channel.end
    this.#unfollow = channel.onMore(() => this.#wakeLater())
    const { after, fromStart = false, untilNow = false } = start
    this.#untilNow = untilNow
    if (after === undefined && !fromStart) return
    const isKnown = after !== undefined && !untilNow
    const known = isKnown ? this.#placeAfter(after) : undefined
    if (known === undefined) this.#catchUp = new CatchUp(after)
    else this.#place = known
  }

  next(): Promise<Result> {
    if (this.#isEnded) return Promise.resolve(over)
    if (this.#catchUp !== undefined) return this.#nextOfLog(this.#catchUp)
    if (this.#untilNow) return this.return()
    if (!this.#hub.slices.isOver) {
      const value = this.#take()
      if (value !== undefined) return Promise.resolve({ done: false, value })
    } else this.#wakeLater()
    return new Promise((resolve) => {
      this.#waiting = resolve
      if (this.hasAll) this.#hub.noteRead()
    })
  }

  /** Whether whoever reads was given all that is here, and asks for more. */
  get hasAll(): boolean {
    return this.#waiting !== undefined && !this.#isQueued
  }

  /** Nothing comes any more. */
  end(): void {
    if (this.#isEnded) return
    this.#isEnded = true
    this.#unfollow()
    this.#waiting?.(over)
    this.#waiting = undefined
    this.#onEnd()
  }

  return(): Promise<Result> {
    this.end()
    return Promise.resolve(over)
  }

  [Symbol.asyncIterator](): this {
    return this
  }

  /** There may be something: looks when it is this stream's turn. */
  #wakeLater(): void {
    if (this.#isQueued || this.#isEnded) return
    this.#isQueued = true
    this.#hub.slices.add(this.#turn)
  }

  /** Made once: there are many streams, and all of them are woken together. */
  readonly #turn = () => {
    this.#isQueued = false
    const waiting = this.#waiting
    if (waiting === undefined) return
    const value = this.#take()
    if (value === undefined) return this.#hub.noteRead()
    this.#waiting = undefined
    waiting({ done: false, value })
  }

  /** The next item of the channel that this reader may see. */
  #take(): StreamItem | undefined {
    const { first, lastGone, end } = this.#channel
    if (this.#place < first) {
      const missed = first - this.#place
      this.#place = first
      const cursor = lastGone ?? this.#hub.cursor
      if (cursor !== undefined) return { type: 'lagged', cursor, missed }
    }
    while (this.#place < end) {
      const told = this.#channel.at(this.#place++)
      if (told === undefined || this.#isGiven(told.item.cursor)) continue
      const item = this.#filter.isWhole ? told.item : told.shown
      if (item !== undefined) return item
    }
    return undefined
  }

  /** What overlaps comes first: after one that is new, all are. */
  #isGiven(cursor: string | undefined): boolean {
    if (this.#given === undefined || cursor === undefined) return false
    if (this.#given.has(cursor)) return true
    this.#given = undefined
    return false
  }

  #placeAfter(cursor: string): number | undefined {
    if (cursor === this.#hub.cursor) return this.#channel.end
    return this.#channel.after(cursor)
  }

  async #nextOfLog(catchUp: CatchUp): Promise<Result> {
    while (!this.#isEnded) {
      const value = catchUp.take(this.#filter, this.#hub)
      if (value !== undefined) return { done: false, value }
      if (catchUp.isAtEnd) {
        if (this.#untilNow) return await this.return()
        // Nothing was let go of since: the channel has all that follows, and
        // some of what the log gave.
        if (this.#channel.first <= this.#place) {
          this.#given = catchUp.given
          this.#catchUp = undefined
          return await this.next()
        }
        this.#place = this.#channel.end
        catchUp.again()
      }
      await this.#hub.gate.run(() => catchUp.read(this.#filter, this.#hub))
    }
    return over
  }
}

/** The way from a cursor to where the log ends. */
class CatchUp {
  #after: string | undefined
  #page: LoggedEvent[] = []
  #reset: StreamItem | undefined
  #hasMore = true
  readonly #given = new Set<string>()

  constructor(after: string | undefined) {
    this.#after = after
  }

  get isAtEnd(): boolean {
    return !this.#hasMore
  }

  get given(): Set<string> {
    return this.#given
  }

  /** Has to look once more. */
  again(): void {
    this.#hasMore = true
  }

  take({ isWhole }: StreamFilter, hub: EventHub): StreamItem | undefined {
    const reset = this.#reset
    this.#reset = undefined
    if (reset !== undefined) return reset
    for (;;) {
      const logged = this.#page.shift()
      if (logged === undefined) return undefined
      const item = itemOf(logged)
      const shown = isWhole ? item : shownItem(item, hub.isVisible)
      if (shown !== undefined) return shown
    }
  }

  async read({ sessionId }: StreamFilter, hub: EventHub): Promise<void> {
    const after = this.#after
    const page = await hub.log.read({
      limit: pageSize,
      ...(sessionId !== undefined && { sessionId }),
      ...(after !== undefined && { after }),
    })
    if (page.isReset && after !== undefined) {
      const reason = 'The log no longer has what came after that.'
      this.#reset = { type: 'reset', cursor: after, reason }
    }
    this.#page = [...page.items]
    this.#after = page.next
    this.#hasMore = page.hasMore
    for (const { cursor } of page.items) this.#remember(cursor)
  }

  /** No more than a channel keeps can come again. */
  #remember(cursor: string): void {
    this.#given.add(cursor)
    const [oldest] = this.#given
    if (this.#given.size > maxGiven && oldest !== undefined) {
      this.#given.delete(oldest)
    }
  }
}
