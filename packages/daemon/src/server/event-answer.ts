import type { ServerResponse } from 'node:http'
import type { ProtocolError } from '../protocol/errors.ts'
import type { NoticeName } from '../protocol/notices.ts'
import { heartbeat, streamEnd, streamError, writeSse } from '../protocol/sse.ts'
import type { NoLonger } from './allowed-readers.ts'
import { drained, letGo } from './drained.ts'
import type { Beating, Heartbeats } from './heartbeats.ts'
import type { Pace } from './pace.ts'
import { commonHeaders, errorText } from './reply.ts'
import type { ServerLimits } from './server-limits.ts'

export interface EventParts {
  readonly items: AsyncIterator<unknown>
  readonly limits: Pick<ServerLimits, 'stalledMs'>
  readonly headers: Readonly<Record<string, string>>
  /** Of all streams of the server. */
  readonly pace: Pace
  readonly heartbeats: Heartbeats
  /** What is told when the items fail. */
  readonly failure: (error: unknown) => ProtocolError
  /** Why whoever reads may not go on; undefined: they may. */
  readonly whyNot: () => NoLonger | undefined
}

/** How long nobody asks again whether somebody may read. */
const askMs = 1_000

/**
 * Writes items as server-sent events, each with its cursor as id, no faster
 * than they are read. It is over when `done` settles.
 */
export class EventAnswer implements Beating {
  readonly done: Promise<void>
  readonly #response: ServerResponse
  readonly #parts: EventParts
  #isOver = false
  #askedAt = performance.now()
  #settle: () => void = () => undefined

  constructor(response: ServerResponse, parts: EventParts) {
    this.#response = response
    this.#parts = parts
    this.done = new Promise((resolve) => {
      this.#settle = resolve
    })
    response.cork()
    response.writeHead(200, {
      ...commonHeaders,
      ...parts.headers,
      'content-type': 'text/event-stream; charset=utf-8',
      'x-accel-buffering': 'no',
    })
    // What Node keeps of them is then one text; it is dozens of pieces before.
    response.flushHeaders()
    // Whoever asked learns at once that it is open.
    this.#write(heartbeat)
    response.uncork()
    // Thousands may go away in the same moment.
    response.once('close', () => parts.pace.later(() => this.#end()))
    parts.heartbeats.add(this)
    void this.#run()
  }

  /** Says a last word and ends, whatever the items are waiting for. */
  stop(notice: NoticeName): void {
    const data = { type: 'notice', at: Date.now(), name: notice }
    this.#write(writeSse({ data: JSON.stringify(data) }))
    this.#end()
  }

  async #run(): Promise<void> {
    const { items, failure, limits, pace } = this.#parts
    try {
      for (;;) {
        const next = await items.next()
        if (this.#isOver || this.#response.destroyed) return
        if (next.done === true) break
        const turn = pace.turn()
        if (turn !== undefined) await turn
        if (!this.#mayGoOn()) return
        if (!this.#write(writeItem(next.value))) {
          await drained(this.#response, limits.stalledMs)
        }
      }
      this.#write(writeSse({ event: streamEnd, data: '{}' }))
    } catch (error) {
      if (this.#isOver) return
      const data = errorText(failure(error))
      this.#write(writeSse({ event: streamError, data }))
    } finally {
      this.#end()
    }
  }

  /** Whoever may not read any more, or not the same, is told nothing more. */
  #mayGoOn(): boolean {
    const now = performance.now()
    if (now - this.#askedAt < askMs) return true
    this.#askedAt = now
    const reason = this.#parts.whyNot()
    if (reason !== undefined) this.stop(reason)
    return reason === undefined
  }

  beat(): void {
    const reason = this.#parts.whyNot()
    if (reason !== undefined) this.stop(reason)
    // Whoever has not read the last one needs no other.
    else if (!this.#response.writableNeedDrain) this.#write(heartbeat)
  }

  #write(text: string): boolean {
    if (this.#isOver || this.#response.destroyed) return false
    return this.#response.write(text)
  }

  #end(): void {
    if (this.#isOver) return
    this.#isOver = true
    this.#parts.heartbeats.remove(this)
    this.#response.end()
    letGo(this.#parts.items)
    this.#settle()
  }
}

/** What many streams tell is written once. */
const written = new WeakMap<object, string>()

function writeItem(item: unknown): string {
  // Every item of a stream is an object, by the schema of events.
  const about = Object(item)
  const known = written.get(about)
  if (known !== undefined) return known
  const id = typeof about.cursor === 'string' ? about.cursor : undefined
  const text = writeSse({ id, data: JSON.stringify(item) })
  written.set(about, text)
  return text
}
