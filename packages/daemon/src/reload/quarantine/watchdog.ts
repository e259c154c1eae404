import { Worker } from 'node:worker_threads'

export interface WatchdogData {
  /** A count that goes up while the loop turns, and how many hooks it is for. */
  readonly beats: Int32Array
  /** The list of running hooks. */
  readonly path: string
  readonly tickMs: number
  /** So many without a beat are a process that hangs. */
  readonly ticks: number
}

/** So many ticks without a beat; a beat comes several times in each. */
const ticks = 5

/**
 * Ends the process when a hook in it has held up the loop for so long: no timer
 * of ours would fire any more, nobody could ask for anything, and whoever
 * supervises it sees a process that lives. What was begun goes on after it.
 */
export class Watchdog {
  readonly #beats = new Int32Array(new SharedArrayBuffer(8))
  readonly #worker: Worker
  readonly #heart: NodeJS.Timeout

  constructor(path: string, stallMs: number) {
    const tickMs = Math.max(100, stallMs / ticks)
    const data: WatchdogData = { beats: this.#beats, path, tickMs, ticks }
    this.#worker = new Worker(threadUrl(), { workerData: data, execArgv: [] })
    this.#worker.unref()
    this.#heart = setInterval(() => Atomics.add(this.#beats, 0, 1), tickMs / 4)
    this.#heart.unref()
  }

  /** It looks only while a hook runs that could be the cause. */
  began(): void {
    Atomics.add(this.#beats, 1, 1)
  }

  ended(): void {
    Atomics.sub(this.#beats, 1, 1)
  }

  async close(): Promise<void> {
    clearInterval(this.#heart)
    await this.#worker.terminate()
  }
}

/** Beside this file in the sources, an entry of its own in the built package. */
function threadUrl(): URL {
  const here = import.meta.url
  if (here.endsWith('.ts')) return new URL('./watchdog-thread.ts', here)
  const built = here.slice(0, here.lastIndexOf('/dist/'))
  return new URL(`${built}/dist/reload/quarantine/watchdog-thread.js`)
}
