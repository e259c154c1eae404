import type { StreamItem } from '../protocol/schemas/events.ts'

/** Something on a stream. */
export interface Told {
  /** For those who run the daemon. */
  readonly item: StreamItem
  /** For all others, mostly the same object; undefined: not for them. */
  readonly shown: StreamItem | undefined
  readonly size: number
}

export interface ChannelBounds {
  /** How many items whoever reads may be behind. */
  readonly maxItems: number
  /** About how many bytes all of them may have. */
  readonly maxBytes: number
}

/**
 * The newest of what is told about one session, or about all. Whoever reads it
 * keeps only the place where they are; who is too slow finds that it has gone.
 */
export class Channel {
  readonly #bounds: ChannelBounds
  readonly #readers = new Set<() => void>()
  #told: Told[] = []
  /** How many of the array have been let go of. */
  #gone = 0
  #first = 0
  #bytes = 0
  #lastGone: string | undefined

  constructor(bounds: ChannelBounds) {
    this.#bounds = bounds
  }

  /** The place of the oldest item that is still here. */
  get first(): number {
    return this.#first
  }

  /** The place of what comes next. */
  get end(): number {
    return this.#first + this.#told.length - this.#gone
  }

  /** The cursor of the last item that is not here any more. */
  get lastGone(): string | undefined {
    return this.#lastGone
  }

  at(place: number): Told | undefined {
    return this.#told[place - this.#first + this.#gone]
  }

  /** The place after an item, if that is still here. */
  after(cursor: string): number | undefined {
    for (let place = this.end - 1; place >= this.#first; place--) {
      if (this.at(place)?.item.cursor === cursor) return place + 1
    }
    return undefined
  }

  push(told: Told): void {
    this.#told.push(told)
    this.#bytes += told.size
    const { maxItems, maxBytes } = this.#bounds
    while (
      this.end - this.#first > maxItems ||
      (this.#bytes > maxBytes && this.end - this.#first > 1)
    ) {
      this.#dropFirst()
    }
  }

  /** Tells whoever reads that there is more. */
  wake(): void {
    for (const wake of this.#readers) wake()
  }

  /** Calls back for whatever comes; returns what ends that. */
  onMore(wake: () => void): () => void {
    this.#readers.add(wake)
    return () => void this.#readers.delete(wake)
  }

  get isWatched(): boolean {
    return this.#readers.size > 0
  }

  #dropFirst(): void {
    const gone = this.at(this.#first)
    this.#bytes -= gone?.size ?? 0
    this.#lastGone = gone?.item.cursor ?? this.#lastGone
    this.#first++
    this.#gone++
    if (this.#gone < this.#bounds.maxItems) return
    this.#told = this.#told.slice(this.#gone)
    this.#gone = 0
  }
}
