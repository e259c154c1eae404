import type { EventLog, LoggedEvent } from '@hookline/agent/durable'
import type { Clock, Timer } from 'hookline'
import type { NoticeData, NoticeName } from '../protocol/notices.ts'
import type { HookVisibility } from '../service/visible-hooks.ts'
import { Again } from './again.ts'
import { Channel, type ChannelBounds, type Told } from './channel.ts'
import { EventStream, type StreamStart } from './event-stream.ts'
import { ReadGate } from './read-gate.ts'
import { Slices } from './slices.ts'
import { toldItem } from './told-item.ts'

export interface EventHubOptions {
  readonly log: Pick<EventLog, 'read' | 'head' | 'onAppend'>
  readonly clock: Clock
  readonly isVisible: HookVisibility
  readonly onError: (error: unknown) => void
  /** Sees all that is read, whoever it is for. */
  readonly onRead?: (logged: LoggedEvent) => void
  readonly bounds?: Partial<ChannelBounds>
}

/** What a stream is about. */
export interface StreamFilter {
  /** With what is done for it. Absent: all sessions, and what belongs to none. */
  readonly sessionId?: string | undefined
  /** Whether it also has what only those see who run the daemon. */
  readonly isWhole: boolean
}

const pageSize = 500
const retryMs = 500
const catchUpsAtOnce = 8
const defaultBounds: ChannelBounds = {
  maxItems: 1_000,
  maxBytes: 8 * 1_048_576,
}

/**
 * Reads the log once for all streams of the process, as long as there are any,
 * and gives each what it is about.
 */
export class EventHub {
  readonly slices = new Slices()
  readonly gate = new ReadGate(catchUpsAtOnce)
  readonly #options: EventHubOptions
  readonly #bounds: ChannelBounds
  readonly #channels = new Map<string | undefined, Channel>()
  readonly #streams = new Set<EventStream>()
  readonly #whenRead: (() => void)[] = []
  #cursor: string | undefined
  #starting: Promise<void> | undefined
  #unfollow: (() => void) | undefined
  readonly #pulling = new Again(() => this.#pullAll())
  #retry: Timer | undefined
  #isClosed = false

  constructor(options: EventHubOptions) {
    this.#options = options
    this.#bounds = { ...defaultBounds, ...options.bounds }
  }

  get size(): number {
    return this.#streams.size
  }

  get log(): Pick<EventLog, 'read'> {
    return this.#options.log
  }

  get isVisible(): HookVisibility {
    return this.#options.isVisible
  }

  /** Where the log stood when the hub last looked. */
  get cursor(): string | undefined {
    return this.#cursor
  }

  /** From here on nothing is missed. */
  async open(
    filter: StreamFilter,
    start: StreamStart,
    onEnd: () => void = () => {},
  ): Promise<EventStream> {
    await this.#started()
    // Behind a cursor that somebody has, there is nothing left to read.
    if (start.after !== undefined && start.after !== this.#cursor) {
      await this.#caughtUp()
      await this.#started()
    }
    const channel = this.#channelOf(filter.sessionId)
    const stream = new EventStream(this, { channel, filter, start }, () => {
      this.#streams.delete(stream)
      onEnd()
      if (!channel.isWatched) this.#channels.delete(filter.sessionId)
      if (this.#streams.size === 0) this.#stop()
      this.noteRead()
    })
    if (this.#isClosed) stream.end()
    else this.#streams.add(stream)
    return stream
  }

  /** Tells all streams of this process what cannot be in the log. */
  announce<Name extends NoticeName>(name: Name, data: NoticeData<Name>): void {
    const { clock } = this.#options
    const at = Math.floor(clock.wallAt(clock.now()))
    const item = Object.freeze({ type: 'notice' as const, at, name, data })
    const told = { item, shown: item, size: 500 }
    this.#tellAll(told)
  }

  /** Settles when all who read have what was told by now. */
  async read(): Promise<void> {
    await this.#caughtUp()
    while ([...this.#streams].some(({ hasAll }) => !hasAll)) {
      await new Promise<void>((resolve) => this.#whenRead.push(resolve))
    }
  }

  /** Somebody has read all, or reads no more. */
  noteRead(): void {
    for (const tell of this.#whenRead.splice(0)) tell()
  }

  async close(): Promise<void> {
    this.#isClosed = true
    for (const stream of [...this.#streams]) stream.end()
    this.#stop()
    await this.#pulling.running
  }

  /** The last reader may leave while the next one comes. */
  async #started(): Promise<void> {
    while (this.#unfollow === undefined && !this.#isClosed) {
      this.#starting ??= this.#start().finally(() => {
        this.#starting = undefined
      })
      await this.#starting
    }
  }

  async #start(): Promise<void> {
    const { log } = this.#options
    this.#cursor = await log.head()
    this.#unfollow = log.onAppend(() => this.#pull())
    // What came between the two is not waited for.
    this.#pull()
  }

  /** Nobody watches: what is told meanwhile is read by whoever comes. */
  #stop(): void {
    this.#unfollow?.()
    this.#unfollow = undefined
    this.#retry?.stop()
    this.#retry = undefined
  }

  #channelOf(sessionId: string | undefined): Channel {
    const known = this.#channels.get(sessionId)
    if (known !== undefined) return known
    const channel = new Channel(this.#bounds)
    this.#channels.set(sessionId, channel)
    return channel
  }

  /** All that was told before now has been read, unless the log fails. */
  async #caughtUp(): Promise<void> {
    await this.#pulling.want()
  }

  #pull(): void {
    void this.#pulling.want()
  }

  async #pullAll(): Promise<void> {
    if (this.#unfollow === undefined) return
    try {
      while (await this.#pullPage());
    } catch (error) {
      this.#options.onError(error)
      if (this.#unfollow === undefined) return
      this.#retry = this.#options.clock.after(retryMs, () => this.#pull())
      this.#retry.hold(false)
    }
  }

  async #pullPage(): Promise<boolean> {
    const { log, isVisible, onRead } = this.#options
    const after = this.#cursor
    const page = await log.read({
      limit: pageSize,
      ...(after !== undefined && { after }),
    })
    // Somebody has begun anew meanwhile.
    if (this.#cursor !== after || this.#unfollow === undefined) return false
    this.#cursor = page.next
    if (page.isReset) this.#tellReset(page.next)
    const woken = new Set<Channel>()
    for (const logged of page.items) {
      onRead?.(logged)
      const channels = this.#channelsFor(logged)
      if (channels.length === 0) continue
      const told = toldItem(logged, isVisible)
      for (const channel of channels) {
        channel.push(told)
        woken.add(channel)
      }
    }
    for (const channel of woken) channel.wake()
    return page.hasMore
  }

  /** Of its session, of the outermost that it is done for, and of all. */
  #channelsFor(logged: LoggedEvent): readonly Channel[] {
    const { sessionId, within = [] } =
      logged.type === 'event'
        ? logged.event
        : { sessionId: logged.sessionId, within: [] }
    const ids = new Set([sessionId, within[0], undefined])
    return [...ids].flatMap((id) => this.#channels.get(id) ?? [])
  }

  #tellReset(cursor: string): void {
    const reason = 'The log no longer has what came next.'
    const item = Object.freeze({ type: 'reset' as const, cursor, reason })
    this.#tellAll({ item, shown: item, size: 500 })
  }

  #tellAll(told: Told): void {
    for (const channel of this.#channels.values()) {
      channel.push(told)
      channel.wake()
    }
  }
}
