import type { AgentEvent } from 'hookline/lifecycle'

export interface SubscribeOptions {
  /**
   * What happens when the watcher is slower than the agent: the agent waits
   * (default), or events are dropped and a gap says how many.
   */
  readonly whenFull?: 'wait' | 'drop'
  /** How many events may wait for the watcher; default 1 024. */
  readonly capacity?: number
}

// What was read is let go of in pieces, as a queue may never be empty.
const maxRead = 1_024

/** The events of an agent, in order, for one watcher. */
export class Subscription implements AsyncIterableIterator<AgentEvent> {
  readonly #mayDrop: boolean
  readonly #capacity: number
  readonly #onClose: (subscription: Subscription) => void
  #queue: AgentEvent[] = []
  #head = 0
  #missed = 0
  #lastMissed: AgentEvent | undefined
  #isClosed = false
  #waiting: ((result: IteratorResult<AgentEvent>) => void)[] = []
  #room: (() => void) | undefined
  #roomPromise: Promise<void> | undefined

  constructor(
    { whenFull = 'wait', capacity = 1_024 }: SubscribeOptions,
    onClose: (subscription: Subscription) => void,
  ) {
    this.#mayDrop = whenFull === 'drop'
    // What is no number is no room at all, and would hold up everybody.
    this.#capacity = capacity >= 1 ? capacity : 1
    this.#onClose = onClose
  }

  /** Takes an event; a promise asks the agent to wait until there is room. */
  push(event: AgentEvent): void | Promise<void> {
    if (this.#isClosed) return
    const isFull = this.#queue.length - this.#head >= this.#capacity
    if (isFull && this.#mayDrop) {
      this.#missed++
      this.#lastMissed = event
      return
    }
    this.#tellGap()
    this.#give(event)
    if (this.#mayDrop || this.#queue.length - this.#head < this.#capacity) {
      return
    }
    this.#roomPromise ??= new Promise((resolve) => {
      this.#room = resolve
    })
    return this.#roomPromise
  }

  next(): Promise<IteratorResult<AgentEvent>> {
    if (this.#head < this.#queue.length) {
      const value = this.#queue[this.#head++] as AgentEvent
      if (this.#head === this.#queue.length || this.#head >= maxRead) {
        this.#queue = this.#queue.slice(this.#head)
        this.#head = 0
      }
      if (this.#queue.length - this.#head < this.#capacity / 2) this.#freeRoom()
      return Promise.resolve({ done: false, value })
    }
    if (this.#isClosed) {
      return Promise.resolve({ done: true, value: undefined })
    }
    return new Promise((resolve) => this.#waiting.push(resolve))
  }

  /** No more events come; what is queued can still be read. */
  end(): void {
    if (this.#isClosed) return
    this.#tellGap()
    this.#isClosed = true
    this.#freeRoom()
    for (const waiting of this.#waiting) {
      waiting({ done: true, value: undefined })
    }
    this.#waiting = []
    this.#onClose(this)
  }

  /** The watcher has seen enough. */
  return(): Promise<IteratorResult<AgentEvent>> {
    this.end()
    this.#queue = []
    this.#head = 0
    return Promise.resolve({ done: true, value: undefined })
  }

  [Symbol.asyncIterator](): this {
    return this
  }

  #give(event: AgentEvent): void {
    const waiting = this.#waiting.shift()
    if (waiting === undefined) this.#queue.push(event)
    else waiting({ done: false, value: event })
  }

  #tellGap(): void {
    if (this.#lastMissed === undefined) return
    const gap = gapAt(this.#lastMissed, this.#missed)
    this.#missed = 0
    this.#lastMissed = undefined
    this.#give(gap)
  }

  #freeRoom(): void {
    this.#room?.()
    this.#room = undefined
    this.#roomPromise = undefined
  }
}

/** Stands for events that were left out, where the last of them was. */
function gapAt(
  { sessionId, turnId, path, seq }: AgentEvent,
  missed: number,
): AgentEvent {
  const place = { seq, sessionId, turnId, path }
  return Object.freeze({ type: 'gap', missed, ...place })
}
