import { createHash, randomUUID } from 'node:crypto'
import { fromStoredText, toStoredText } from '../stored-text.ts'
import { PostgresEar } from './postgres-ear.ts'
import type { SignalEars, SignalLine } from './signal-hub.ts'

export interface PostgresLineOptions {
  readonly url: string
  readonly schema: string
  /** How long an answer of the server is waited for. */
  readonly answerMs: number
  /** Told each time that the connection could not be made. */
  readonly onError: (error: unknown) => void
}

const firstPauseMs = 50
const longestPauseMs = 2_000
/** Whoever tells all the time tells so often. */
const betweenMs = 5
/** A connection that hears nothing may be none any more. */
const pingMs = 10_000
const maxWaiting = 10_000
/** How long the last words may take. */
const closingMs = 1_000

/**
 * LISTEN and NOTIFY on a connection of its own, which is made again whenever
 * it is lost; that something may have been missed meanwhile is told.
 */
export class PostgresLine implements SignalLine {
  readonly #options: PostgresLineOptions
  readonly #ears: SignalEars
  readonly #channel: string
  /** Who tells hears itself; that is nothing new. */
  readonly #name = randomUUID().slice(0, 8)
  readonly #waiting = new Set<string>()
  /** While it is connected. */
  #ear: PostgresEar | undefined
  #opening: PostgresEar | undefined
  #connecting: Promise<void> | undefined
  #telling: Promise<void> | undefined
  #resting: NodeJS.Timeout | undefined
  #reconnect: NodeJS.Timeout | undefined
  #ping: NodeJS.Timeout | undefined
  #pauseMs = firstPauseMs
  #isClosed = false

  constructor(options: PostgresLineOptions, ears: SignalEars) {
    this.#options = options
    this.#ears = ears
    // Schemas of one database hear each other otherwise.
    const hash = createHash('sha256').update(options.schema).digest('hex')
    this.#channel = `hookline_${hash.slice(0, 24)}`
  }

  listen(): void {
    const isBusy = this.#ear ?? this.#connecting ?? this.#reconnect
    if (this.#isClosed || isBusy !== undefined) return
    this.#connecting = this.#connect().finally(() => {
      this.#connecting = undefined
    })
  }

  tell(topic: string): void {
    // Others find it when they look for themselves.
    if (this.#isClosed || this.#waiting.size >= maxWaiting) return
    this.#waiting.add(topic)
    this.listen()
    this.#tellSoon()
  }

  async close(): Promise<void> {
    this.#isClosed = true
    for (const timer of [this.#reconnect, this.#ping, this.#resting]) {
      clearTimeout(timer)
    }
    if (this.#waiting.size > 0) await within(closingMs, this.#tellLast())
    this.#waiting.clear()
    this.#ear?.destroy()
    this.#opening?.destroy()
    await this.#connecting
    await this.#telling
  }

  async #tellLast(): Promise<void> {
    await this.#connecting
    await this.#telling
    await this.#tellAll()
  }

  async #connect(): Promise<void> {
    const { url, answerMs, onError } = this.#options
    const ear = new PostgresEar({
      url,
      answerMs,
      heard: (text) => this.#heard(text),
      lost: () => this.#lost(ear),
    })
    this.#opening = ear
    try {
      await ear.listen(this.#channel)
    } catch (error) {
      ear.destroy()
      if (!this.#isClosed) onError(error)
      this.#connectLater()
      return
    } finally {
      this.#opening = undefined
    }
    this.#ear = ear
    this.#pauseMs = firstPauseMs
    if (this.#isClosed) return
    this.#ears.heardAll()
    this.#tellSoon()
    this.#pingLater(ear)
  }

  #lost(ear: PostgresEar): void {
    if (this.#ear !== ear) return
    this.#ear = undefined
    ear.destroy()
    clearTimeout(this.#ping)
    this.#connectLater()
  }

  #connectLater(): void {
    if (this.#isClosed) return
    this.#reconnect = setTimeout(() => {
      this.#reconnect = undefined
      this.listen()
    }, this.#pauseMs).unref()
    this.#pauseMs = Math.min(this.#pauseMs * 2, longestPauseMs)
  }

  #heard(text: string): void {
    const at = text.indexOf(' ')
    if (this.#isClosed || text.slice(0, at) === this.#name) return
    this.#ears.heard(fromStoredText(text.slice(at + 1)))
  }

  #tellSoon(): void {
    const isBusy = this.#telling ?? this.#resting
    if (isBusy !== undefined || this.#ear === undefined) return
    if (this.#waiting.size === 0) return
    this.#telling = this.#tellAll().finally(() => {
      this.#telling = undefined
      this.#rest()
    })
  }

  #rest(): void {
    if (this.#isClosed) return
    this.#resting = setTimeout(() => {
      this.#resting = undefined
      this.#tellSoon()
    }, betweenMs).unref()
  }

  /** All topics at once; those that come meanwhile go with the next. */
  async #tellAll(): Promise<void> {
    const ear = this.#ear
    if (ear === undefined || this.#waiting.size === 0) return
    const told = [...this.#waiting]
    this.#waiting.clear()
    const texts = told.map((topic) => `${this.#name} ${toStoredText(topic)}`)
    try {
      await ear.tell(this.#channel, texts)
    } catch {
      // The next connection tells it.
      for (const topic of told) this.#waiting.add(topic)
      this.#lost(ear)
    }
  }

  #pingLater(ear: PostgresEar): void {
    this.#ping = setTimeout(() => {
      ear.ping().then(
        () => this.#ear === ear && !this.#isClosed && this.#pingLater(ear),
        () => this.#lost(ear),
      )
    }, pingMs).unref()
  }
}

/** Settles with the work, or when the time is up. */
async function within(ms: number, work: Promise<void>): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const timer = setTimeout(resolve, ms)
  await Promise.race([work, promise])
  clearTimeout(timer)
}
