import type { Store } from '@hookline/agent/durable'
import { type Clock, defineCell, type Timer } from 'hookline'
import type { Log } from '../../log/log.ts'
import type { SwitchesState } from './hook-switches.ts'
import {
  noSwitches,
  readSwitches,
  type SwitchChange,
} from './switch-changes.ts'

/** Hooks have no such scope, so that none of them can write there. */
const cell = defineCell<SwitchesState>('hook-switches', {
  scope: 'daemon',
  initial: () => noSwitches,
  maxChars: 1_000_000,
})

const topic = 'hook-switches'
const waitMs = 3_000
const retryMs = 5_000

export interface KeptSwitchesOptions {
  readonly store: Pick<Store, 'state' | 'signals'>
  readonly clock: Clock
  readonly log: Log
  /** What is kept has changed, here or elsewhere. */
  readonly onKept: (state: SwitchesState) => void
}

/** Switches in the store: shared by all processes, and there after a restart. */
export class KeptSwitches {
  readonly #options: KeptSwitchesOptions
  readonly #state
  /** What was changed here and is not kept yet. */
  #waiting: SwitchChange[] = []
  #kept: SwitchesState = noSwitches
  #work: Promise<void> = Promise.resolve()
  #retry: Timer | undefined
  #unlisten = () => {}
  #problem: string | undefined
  #isClosed = false

  constructor(options: KeptSwitchesOptions) {
    this.#options = options
    this.#state = options.store.state.at({ daemon: 'hooks' })
  }

  /** What holds: what is kept, with what is to be. */
  get state(): SwitchesState {
    return this.#waiting.reduce((state, change) => change(state), this.#kept)
  }

  /** Reads what is kept, and hears of it from now on. */
  async open(): Promise<void> {
    await this.#read()
    const { signals } = this.#options.store
    this.#unlisten = signals.on(topic, () => void this.#readLater())
  }

  /** Makes a change that holds here at once; says why it is not kept yet. */
  async change(change: SwitchChange): Promise<string | undefined> {
    this.#waiting.push(change)
    const written = this.#writeLater()
    return await this.#inTime(written)
  }

  async close(): Promise<void> {
    this.#isClosed = true
    this.#unlisten()
    this.#retry?.stop()
    await this.#work
  }

  /** A store that hangs is no reason to let somebody wait in an emergency. */
  async #inTime(written: Promise<void>): Promise<string | undefined> {
    let timer: Timer | undefined
    const late = new Promise<string>((resolve) => {
      timer = this.#options.clock.after(waitMs, () => {
        const message = `The store did not answer within ${waitMs} ms.`
        // Whoever is told so hears of it when it is kept after all.
        this.#note(new Error(message))
        resolve(message)
      })
    })
    const done = written.then(() => this.#problem)
    try {
      return await Promise.race([done, late])
    } finally {
      timer?.stop()
    }
  }

  #writeLater(): Promise<void> {
    this.#work = this.#work.then(() => this.#write())
    return this.#work
  }

  async #readLater(): Promise<void> {
    if (this.#isClosed) return
    this.#work = this.#work.then(() => this.#read())
    await this.#work
  }

  async #write(): Promise<void> {
    // Others may come while these are written.
    const changes = [...this.#waiting]
    if (changes.length === 0) return
    try {
      const kept = await this.#state.update(cell, (stored) =>
        changes.reduce((state, change) => change(state), readSwitches(stored)),
      )
      this.#waiting = this.#waiting.slice(changes.length)
      this.#take(kept)
      this.#options.store.signals.tell(topic)
      this.#note(undefined)
    } catch (error) {
      this.#note(error)
      this.#retryLater()
    }
  }

  async #read(): Promise<void> {
    try {
      this.#take(readSwitches(await this.#state.get(cell)))
      if (this.#waiting.length === 0) this.#note(undefined)
    } catch (error) {
      this.#note(error)
    }
  }

  #take(kept: SwitchesState): void {
    const before = JSON.stringify(this.#kept)
    this.#kept = kept
    if (JSON.stringify(kept) !== before) this.#options.onKept(this.state)
  }

  #retryLater(): void {
    if (this.#isClosed) return
    this.#retry?.stop()
    this.#retry = this.#options.clock.after(
      retryMs,
      () => void this.#writeLater(),
    )
    this.#retry.hold(false)
  }

  /** Says once that something is wrong, and once that it no longer is. */
  #note(error: unknown): void {
    const problem = error === undefined ? undefined : messageOf(error)
    if (problem === this.#problem) return
    this.#problem = problem
    const { log } = this.#options
    if (problem === undefined) log.info('switches-kept')
    else log.error('switches-not-kept', { error })
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : 'The store failed.'
}
