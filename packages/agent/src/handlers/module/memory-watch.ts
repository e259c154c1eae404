import type { Worker } from 'node:worker_threads'
import type { Clock, Timer } from 'hookline'

const mebibyte = 1_048_576

export interface MemoryWatchOptions {
  readonly clock: Clock
  readonly maxMemoryMb: number
  readonly onExcess: () => void
}

/** Looks after the memory that the limits of a thread do not count: buffers. */
export class MemoryWatch {
  readonly #worker: Pick<Worker, 'getHeapStatistics'>
  readonly #options: MemoryWatchOptions
  #timer: Timer | undefined

  constructor(
    worker: Pick<Worker, 'getHeapStatistics'>,
    options: MemoryWatchOptions,
  ) {
    this.#worker = worker
    this.#options = options
  }

  /** Looks so often from now on, until it is stopped. */
  lookEvery(ms: number): void {
    this.stop()
    this.#timer = this.#options.clock.after(ms, () => this.#look(ms))
    this.#timer.hold(false)
  }

  stop(): void {
    this.#timer?.stop()
    this.#timer = undefined
  }

  #look(ms: number): void {
    const { maxMemoryMb, onExcess } = this.#options
    const timer = this.#timer
    const goOn = (bytes: number) => {
      if (this.#timer !== timer || timer === undefined) return
      if (bytes > maxMemoryMb * mebibyte) onExcess()
      else this.lookEvery(ms)
    }
    this.#worker.getHeapStatistics().then(
      ({ external_memory: bytes }) => goOn(bytes),
      // It has not begun yet; where it has ended, whoever owns it stops this.
      () => goOn(0),
    )
  }
}
