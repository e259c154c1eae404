import {
  closeSync,
  ftruncateSync,
  openSync,
  readFileSync,
  rmSync,
  writeSync,
} from 'node:fs'
import { stalledLine } from './stalled-line.ts'
import { Watchdog } from './watchdog.ts'

export interface RunningHook {
  readonly name: string
  /** It runs in our own process, where nothing but its end can stop it. */
  readonly isOwn: boolean
}

/** The hooks that ran when a process ended without a word. */
export interface LeftHooks {
  readonly names: readonly string[]
  /** Those in our own process that held it up until it was ended. */
  readonly stalled: readonly string[]
}

/**
 * The hooks that run now, in a file, so that whoever starts after a crash knows
 * them. It is written at once: a hook can end the process before any record of
 * it reaches the store.
 */
export class RunningHooks {
  readonly path: string
  readonly left: LeftHooks
  readonly #counts = new Map<string, { isOwn: boolean; count: number }>()
  readonly #handle: number
  readonly #stallMs: number
  #watchdog: Watchdog | undefined
  #isCrash = false
  readonly #onCrash = () => {
    this.#isCrash = true
  }
  readonly #onExit = () => {
    // A hook in our own process may be who ended it.
    const isOwn = [...this.#counts.values()].some((one) => one.isOwn)
    if (!this.#isCrash && !isOwn) rmSync(this.path, { force: true })
  }

  /** `stallMs`: how long a hook in our own process may hold it up. */
  constructor(path: string, stallMs = 30_000) {
    this.path = path
    this.#stallMs = stallMs
    this.left = readLeft(path)
    this.#handle = openSync(path, 'w', 0o600)
    process.on('exit', this.#onExit)
    process.on('uncaughtExceptionMonitor', this.#onCrash)
  }

  /** A hook is among them until what it does has settled. */
  async during<T>(
    hook: RunningHook,
    work: () => T | PromiseLike<T>,
  ): Promise<T> {
    this.#add(hook)
    if (hook.isOwn) this.#watch().began()
    try {
      return await work()
    } finally {
      if (hook.isOwn) this.#watch().ended()
      this.#remove(hook)
    }
  }

  /** What looked like a crash was contained. */
  survived(): void {
    this.#isCrash = false
  }

  /** The process ends as it should. */
  async close(): Promise<void> {
    await this.#watchdog?.close()
    process.off('exit', this.#onExit)
    process.off('uncaughtExceptionMonitor', this.#onCrash)
    this.#counts.clear()
    closeSync(this.#handle)
    rmSync(this.path, { force: true })
  }

  #watch(): Watchdog {
    this.#watchdog ??= new Watchdog(this.path, this.#stallMs)
    return this.#watchdog
  }

  #add({ name, isOwn }: RunningHook): void {
    const known = this.#counts.get(name)
    if (known !== undefined) {
      known.count++
      return
    }
    this.#counts.set(name, { isOwn, count: 1 })
    this.#write()
  }

  #remove({ name }: RunningHook): void {
    const known = this.#counts.get(name)
    if (known === undefined || --known.count > 0) return
    this.#counts.delete(name)
    this.#write()
  }

  #write(): void {
    const running = [...this.#counts].map(([name, { isOwn }]) => {
      return { name, isOwn }
    })
    const line = `${JSON.stringify(running)}\n`
    try {
      ftruncateSync(this.#handle, writeSync(this.#handle, line, 0))
    } catch {
      // No hook fails because nobody could be told of it.
    }
  }
}

function readLeft(path: string): LeftHooks {
  const nothing = { names: [], stalled: [] }
  try {
    const [first = '', second] = readFileSync(path, 'utf8').split('\n')
    const read: unknown = JSON.parse(first)
    if (!Array.isArray(read)) return nothing
    const hooks = read.filter(isRunningHook)
    const isStalled = second === stalledLine.trim()
    const stalled = isStalled ? hooks.filter(({ isOwn }) => isOwn) : []
    return { names: hooks.map(nameOf), stalled: stalled.map(nameOf) }
  } catch {
    // There is none, or it was cut short.
    return nothing
  }
}

const nameOf = ({ name }: RunningHook) => name

function isRunningHook(value: unknown): value is RunningHook {
  const { name, isOwn }: Record<string, unknown> = Object(value)
  return typeof name === 'string' && typeof isOwn === 'boolean'
}
