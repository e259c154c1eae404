import type { Worker } from 'node:worker_threads'
import type { Clock, Timer } from 'hookline'
import type { HandlerCall } from '../handler.ts'
import { HandlerFailure } from '../handler-failure.ts'
import { MemoryWatch } from './memory-watch.ts'
import { startThread, type ThreadOptions } from './start-thread.ts'
import { failureOf, outOfMemory, toFailure } from './thread-failures.ts'
import {
  readMessage,
  type SentCall,
  sharedPlaces,
  splitBody,
  type ThreadMessage,
  writeMessage,
} from './thread-messages.ts'

export interface ModuleWorkerOptions extends ThreadOptions {
  readonly clock: Clock
  /** Whether the file is still the one that it was started for. */
  readonly isSame: () => boolean
  /** It has ended, and not because it was asked to. */
  readonly onDeath: () => void
  readonly onExit: () => void
}

/** The thread ended before it got to a call, which can be made elsewhere. */
export class NotBegun extends Error {}

interface Waiting {
  readonly call: HandlerCall
  readonly resolve: (text: string) => void
  readonly reject: (error: HandlerFailure | NotBegun) => void
}

/** How long a thread may take to say that it is there. */
const answerMs = 50
/** How long it may take to load its file. */
const loadMs = 10_000
/** How often its memory is looked at: while it may work, and while it has no call. */
const lookMs = { busy: 50, idle: 1_000 }
/** So many calls that never end are as bad as one that blocks. */
const maxAbandoned = 100

/** The thread of a module, as seen from the host. */
export class ModuleWorker {
  readonly #options: ModuleWorkerOptions
  readonly #worker: Worker
  readonly #places: Int32Array
  readonly #waiting = new Map<number, Waiting>()
  readonly #abandoned = new Set<number>()
  readonly #pings = new Map<number, Timer>()
  readonly #memory: MemoryWatch
  readonly #loadTimer: Timer
  readonly #exited: Promise<void>
  #lastSeq = 0
  #isLoaded = false
  #isRetired = false
  /** It broke the rules, so that what it notes of itself counts for nothing. */
  #isLiar = false
  /** Why it is over; set once. */
  #end: HandlerFailure | undefined

  constructor(options: ModuleWorkerOptions) {
    this.#options = options
    const { worker, places } = startThread(options)
    const { maxMemoryMb } = options
    this.#worker = worker
    this.#places = places
    this.#memory = new MemoryWatch(this.#worker, {
      clock: options.clock,
      maxMemoryMb,
      onExcess: () => this.#over(outOfMemory(maxMemoryMb)),
    })
    this.#loadTimer = options.clock.after(loadMs, () => {
      const message = `It took more than ${loadMs} ms to load; do less at once.`
      this.#over(new HandlerFailure('not-started', message))
    })
    this.#loadTimer.hold(false)
    this.#worker.on('message', (given: unknown) => this.#receive(given))
    this.#worker.on('messageerror', () => this.#breach())
    this.#worker.on('error', (error) =>
      this.#over(failureOf(error, maxMemoryMb)),
    )
    this.#exited = new Promise((resolve) => {
      this.#worker.on('exit', () => {
        const message = 'Its thread ended by itself; do not call process.exit.'
        this.#over(new HandlerFailure('crashed', message))
        options.onExit()
        resolve()
      })
    })
    this.#worker.unref()
  }

  get isOver(): boolean {
    return this.#end !== undefined
  }

  /** Gives the text of an answer. Whoever gives up says so by `signal`. */
  ask(
    call: HandlerCall,
    exported: string,
    { signal }: { readonly signal: AbortSignal },
  ): Promise<string> {
    if (this.isOver) return Promise.reject(new NotBegun())
    const seq = this.#nextSeq()
    const leftMs = call.remainingMs()
    const sent: SentCall = { exported, leftMs, envelope: call.envelope }
    const message = writeMessage('c', seq, JSON.stringify(sent))
    return new Promise((resolve, reject) => {
      const giveUp = () => {
        // Its reason is always one of our failures.
        waiting.reject(signal.reason as HandlerFailure)
        this.#abandon(seq)
      }
      const settle = () => {
        signal.removeEventListener('abort', giveUp)
        this.#settled(seq)
      }
      const waiting: Waiting = {
        call,
        resolve: (text) => {
          settle()
          resolve(text)
        },
        reject: (error) => {
          settle()
          reject(error)
        },
      }
      if (this.#waiting.size === 0) this.#busy()
      this.#waiting.set(seq, waiting)
      signal.addEventListener('abort', giveUp)
      this.#worker.postMessage(message)
      if (signal.aborted) giveUp()
    })
  }

  /** Takes no more calls; ends when those that it has are over. */
  retire(): void {
    this.#isRetired = true
    if (this.#waiting.size === 0) void this.end()
  }

  /** Ends the thread, whatever it does; calls that it has fail. */
  async end(
    failure = new HandlerFailure('cancelled', 'Its thread was ended.'),
  ): Promise<void> {
    this.#isRetired = true
    this.#over(failure)
    await this.#exited
  }

  #nextSeq(): number {
    // As far as a shared place can count.
    this.#lastSeq = (this.#lastSeq % 0x7fffffff) + 1
    return this.#lastSeq
  }

  #busy(): void {
    this.#worker.ref()
    this.#memory.lookEvery(lookMs.busy)
  }

  #settled(seq: number): void {
    this.#waiting.delete(seq)
    if (this.#waiting.size > 0) return
    this.#worker.unref()
    // What was given up may go on.
    const isIdle = this.#abandoned.size === 0
    this.#memory.lookEvery(isIdle ? lookMs.idle : lookMs.busy)
    if (this.#isRetired) void this.end()
  }

  #receive(given: unknown): void {
    const message = readMessage(given)
    if (message === undefined) this.#breach()
    else this.#take(message)
  }

  #take({ letter, seq, body }: ThreadMessage): void {
    const waiting = this.#waiting.get(seq)
    switch (letter) {
      case 'r':
        this.#loaded()
        return
      case 'n':
        this.#over(new HandlerFailure('not-started', `It ${body}`))
        return
      case 'p':
        this.#pings.get(seq)?.stop()
        this.#pings.delete(seq)
        return
      case 'd':
        this.#diagnose(seq, body)
        return
      case 'a':
        if (waiting === undefined) this.#late(seq)
        else waiting.resolve(body)
        return
      case 'f':
        if (waiting === undefined) this.#late(seq)
        else waiting.reject(toFailure(body))
        return
      default:
        this.#breach()
    }
  }

  /** Nobody knows which bytes it has read, if there were others meanwhile. */
  #loaded(): void {
    this.#loadTimer.stop()
    this.#isLoaded = this.#options.isSame()
    if (this.#isLoaded) return
    const message = 'Its file was changed while it was loaded; ask again.'
    this.#over(new HandlerFailure('not-started', message))
  }

  /** To a call that was given up it changes nothing; to none it is a lie. */
  #late(seq: number): void {
    if (!this.#abandoned.delete(seq)) this.#breach()
  }

  #diagnose(seq: number, body: string): void {
    const [first] = this.#waiting.values()
    const waiting = seq === 0 ? first : this.#waiting.get(seq)
    const [code, message] = splitBody(body)
    waiting?.call.diagnose(code, message)
  }

  #abandon(seq: number): void {
    if (this.isOver) return
    this.#abandoned.add(seq)
    const isOften = this.#abandoned.size > maxAbandoned
    if (isOften || this.#isInsideAbandoned()) {
      this.#kill()
      return
    }
    this.#worker.postMessage(writeMessage('x', seq))
    // To load takes its time, which is limited elsewhere.
    if (!this.#isLoaded) return
    this.#worker.postMessage(writeMessage('p', seq))
    const timer = this.#options.clock.after(answerMs, () => {
      // What it said meanwhile may still be on its way to us.
      setImmediate(() => {
        if (!this.#pings.delete(seq) || this.isOver) return
        const inside = Atomics.load(this.#places, sharedPlaces.inside)
        // It may be busy with another call, which still has time.
        if (!this.#waiting.has(inside)) this.#kill()
      })
    })
    timer.hold(false)
    this.#pings.set(seq, timer)
  }

  #isInsideAbandoned(): boolean {
    const inside = Atomics.load(this.#places, sharedPlaces.inside)
    return this.#abandoned.has(inside)
  }

  #kill(): void {
    const message = 'Its thread was ended, as another call did not come back.'
    this.#over(new HandlerFailure('crashed', message))
  }

  #breach(): void {
    this.#isLiar = true
    const message =
      'Its thread was ended, as it said what nobody asked for; answer each call once.'
    this.#over(new HandlerFailure('crashed', message))
  }

  #over(failure: HandlerFailure): void {
    if (this.#end !== undefined) return
    this.#end = failure
    this.#memory.stop()
    this.#loadTimer.stop()
    for (const timer of this.#pings.values()) timer.stop()
    this.#pings.clear()
    if (!this.#isRetired) this.#options.onDeath()
    const begun = Atomics.load(this.#places, sharedPlaces.begun)
    const mayGoElsewhere = this.#isLoaded && !this.#isLiar
    void this.#worker.terminate()
    for (const [seq, { reject }] of [...this.#waiting]) {
      reject(mayGoElsewhere && seq > begun ? new NotBegun() : failure)
    }
  }
}
