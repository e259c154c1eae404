import { pathToFileURL } from 'node:url'
import type { Clock } from 'hookline'
import { Deadline } from '../deadline.ts'
import type { HandlerCall, HandlerReply } from '../handler.ts'
import { HandlerFailure } from '../handler-failure.ts'
import type { FileHash } from './file-hash.ts'
import {
  ModuleWorker,
  type ModuleWorkerOptions,
  NotBegun,
} from './module-worker.ts'

export interface ModuleHostOptions
  extends Pick<
    ModuleWorkerOptions,
    'env' | 'folder' | 'maxMemoryMb' | 'maxBytes' | 'program'
  > {
  /** Of another hash, it is other code. */
  readonly file: Pick<FileHash, 'path' | 'read'>
  readonly clock: Clock
}

const firstWaitMs = 100
const longestWaitMs = 10_000
const maxTries = 5

/**
 * One file in one thread at a time. A changed file gets a new thread, and so
 * does one of what it loads; calls that run end on the old one. A thread that died is followed by another, at
 * once the first time, later and later after that, until an answer comes.
 */
export class ModuleHost {
  readonly #options: ModuleHostOptions
  readonly #workers = new Set<ModuleWorker>()
  #current: { readonly worker: ModuleWorker; readonly hash: string } | undefined
  #deaths = 0
  #notBeforeMs = 0
  #isClosed = false

  constructor(options: ModuleHostOptions) {
    this.#options = options
  }

  async ask(call: HandlerCall, exported: string): Promise<HandlerReply> {
    const { clock } = this.#options
    const deadline = new Deadline(clock, call.remainingMs, call.signal)
    const { signal } = deadline
    try {
      for (let tries = 1; ; ) {
        const worker = this.#pick(call)
        if (worker === undefined) {
          await deadline.pause(this.#notBeforeMs - clock.now())
          continue
        }
        try {
          const text = await worker.ask(call, exported, { signal })
          this.#deaths = 0
          return { text }
        } catch (error) {
          if (!(error instanceof NotBegun)) throw error
          if (++tries > maxTries) throw unlucky()
        }
      }
    } finally {
      deadline.end()
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true
    await Promise.all([...this.#workers].map((worker) => worker.end()))
  }

  /** The thread to ask; none while it is too early for the next one. */
  #pick(call: HandlerCall): ModuleWorker | undefined {
    if (this.#isClosed) {
      throw new HandlerFailure('cancelled', 'The module has been closed.')
    }
    const hash = this.#hash()
    const isSame = this.#current?.hash === hash
    if (isSame && this.#current?.worker.isOver === false) {
      return this.#current.worker
    }
    // What was wrong before does not hold up a file that was mended.
    const isEarly = isSame && this.#options.clock.now() < this.#notBeforeMs
    if (isEarly) return undefined
    call.checkStart?.()
    return this.#start(hash)
  }

  #hash(): string {
    const { file } = this.#options
    const { hash, problem } = file.read()
    if (hash !== undefined) return hash
    const message = `The module "${file.path}" ${problem}; correct "file".`
    throw new HandlerFailure('not-started', message)
  }

  #start(hash: string): ModuleWorker {
    this.#current?.worker.retire()
    const { file, clock, ...rest } = this.#options
    const worker = new ModuleWorker({
      ...rest,
      clock,
      url: pathToFileURL(file.path).href,
      isSame: () => file.read().hash === hash,
      onDeath: () => {
        this.#deaths++
        this.#notBeforeMs = clock.now() + waitAfter(this.#deaths)
      },
      onExit: () => this.#workers.delete(worker),
    })
    this.#workers.add(worker)
    this.#current = { worker, hash }
    return worker
  }
}

function waitAfter(deaths: number): number {
  if (deaths < 2) return 0
  return Math.min(longestWaitMs, firstWaitMs * 2 ** (deaths - 2))
}

function unlucky(): HandlerFailure {
  const message = `Other calls ended its thread ${maxTries} times before it was begun.`
  return new HandlerFailure('crashed', message)
}
