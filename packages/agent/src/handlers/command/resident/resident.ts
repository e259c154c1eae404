import { type Clock, systemClock } from 'hookline'
import { Deadline } from '../../deadline.ts'
import type { Handler, HandlerCall, HandlerReply } from '../../handler.ts'
import { HandlerFailure } from '../../handler-failure.ts'
import { BackOff } from './back-off.ts'
import type { ResidentProcess } from './resident-process.ts'

export interface ResidentOptions {
  /** Without a call for so long it is stopped; default: never. */
  readonly idleMs?: number
  readonly clock?: Clock
}

/** Starts the process of a hook; called again when the last one has died. */
export type StartProcess = (
  diagnose: HandlerCall['diagnose'],
) => Promise<ResidentProcess>

/** Keeps one process alive and asks it; several calls may be open at a time. */
export class Resident implements Handler {
  readonly #start: StartProcess
  readonly #clock: Clock
  readonly #idleMs: number | undefined
  readonly #backOff: BackOff
  #process: ResidentProcess | undefined
  /** Settles when the last process is gone and what it leaves is known. */
  #lost: Promise<void> = Promise.resolve()
  #starting: Promise<ResidentProcess> | undefined
  #idle: { stop(): void } | undefined
  #notes: string[] = []
  #asking = 0
  #isClosed = false

  constructor(
    start: StartProcess,
    { idleMs, clock = systemClock }: ResidentOptions = {},
  ) {
    this.#start = start
    this.#idleMs = idleMs
    this.#clock = clock
    this.#backOff = new BackOff(clock)
  }

  async ask(call: HandlerCall): Promise<HandlerReply> {
    if (this.#asking >= maxAsking) throw overloaded()
    this.#idle?.stop()
    this.#asking += 1
    const deadline = new Deadline(this.#clock, call.remainingMs, call.signal)
    try {
      const usable = await this.#usable(call, deadline)
      return await this.#askProcess(usable, { call, deadline })
    } finally {
      deadline.end()
      this.#asking -= 1
      if (this.#asking === 0) this.#rest()
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true
    this.#idle?.stop()
    await this.#starting?.catch(() => {})
    const last = this.#process
    last?.calls.failAll(closed())
    await last?.stop()
    await this.#lost
  }

  async #usable(
    call: HandlerCall,
    deadline: Deadline,
  ): Promise<ResidentProcess> {
    if (this.#isClosed) throw closed()
    if (this.#process?.isUsable) return this.#process
    if (this.#process !== undefined) await deadline.within(this.#lost)
    const { waitMs } = this.#backOff
    if (waitMs >= deadline.remainingMs) throw backingOff(waitMs)
    if (waitMs > 0) {
      await deadline.pause(waitMs)
      return await this.#usable(call, deadline)
    }
    // It may have waited for long since it was found to be what was trusted.
    call.checkStart?.()
    this.#starting ??= this.#startNew(call.diagnose).finally(() => {
      this.#starting = undefined
    })
    return await deadline.within(this.#starting)
  }

  async #startNew(diagnose: HandlerCall['diagnose']): Promise<ResidentProcess> {
    const started = await this.#start(diagnose).catch((error: unknown) => {
      this.#backOff.failed()
      throw error
    })
    this.#process = started
    this.#lost = started.gone.then(() => this.#lose(started))
    return started
  }

  #lose(lost: ResidentProcess): void {
    if (!lost.isStopped) this.#backOff.failed()
    this.#notes = lost.calls.takeNotes()
    this.#process = undefined
  }

  async #askProcess(
    asked: ResidentProcess,
    { call, deadline }: { call: HandlerCall; deadline: Deadline },
  ): Promise<HandlerReply> {
    const { envelope, diagnose } = call
    for (const note of this.#notes.splice(0)) diagnose('resident-restart', note)
    asked.checkInput()
    const reply = asked.calls.add(envelope.run, diagnose)
    asked.hold(true)
    asked.write(JSON.stringify(envelope))
    try {
      const text = await deadline.within(reply)
      this.#backOff.succeeded()
      return { text, isBound: true }
    } catch (error) {
      const isOpen = asked.calls.cancel(envelope.run)
      if (isOpen) asked.write(JSON.stringify({ cancel: envelope.run }))
      const isLate =
        error instanceof HandlerFailure && error.code === 'timed-out'
      throw isLate ? unheard(error) : error
    }
  }

  #rest(): void {
    const resting = this.#process
    resting?.hold(false)
    if (this.#idleMs === undefined || resting === undefined) return
    const timer = this.#clock.after(this.#idleMs, () => void resting.stop())
    timer.hold(false)
    this.#idle = timer
  }
}

const maxAsking = 1_000

function overloaded(): HandlerFailure {
  return new HandlerFailure(
    'overloaded',
    `${maxAsking} calls of the resident command are open; it is too slow.`,
  )
}

function unheard(cause: HandlerFailure): HandlerFailure {
  const message =
    'There was no answer in time; if it printed one, it has to end the line and flush it.'
  return new HandlerFailure('timed-out', message, cause)
}

function closed(): HandlerFailure {
  return new HandlerFailure('cancelled', 'The resident command was stopped.')
}

function backingOff(waitMs: number): HandlerFailure {
  return new HandlerFailure(
    'crashed',
    `The resident command keeps failing and is started again in ${Math.ceil(waitMs)} ms at the earliest; run it in a terminal to see why.`,
  )
}
