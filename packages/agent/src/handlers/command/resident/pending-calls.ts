import { HandlerFailure } from '../../handler-failure.ts'
import { readLine } from './read-line.ts'

type Diagnose = (code: string, message: string) => void

/** Whoever waits for an answer. */
export interface Pending {
  readonly resolve: (text: string) => void
  readonly reject: (failure: HandlerFailure) => void
  readonly diagnose: Diagnose
}

/**
 * The calls that one process has been asked and has not answered. Answers come
 * in any order and name their run; one that names a run nobody asked about,
 * or a second one, is a violation.
 */
export class PendingCalls {
  readonly #pending = new Map<string, Pending>()
  readonly #cancelled = new Map<string, NodeJS.Timeout>()
  readonly #graceMs: number
  readonly #violated: (failure: HandlerFailure) => void
  readonly #notes: string[] = []
  #answers = 0
  #noise = 0

  constructor({
    graceMs,
    violated,
  }: {
    graceMs: number
    violated: (failure: HandlerFailure) => void
  }) {
    this.#graceMs = graceMs
    this.#violated = violated
  }

  /** How many are open. */
  get size(): number {
    return this.#pending.size
  }

  /** How many have been answered. */
  get answers(): number {
    return this.#answers
  }

  /** What has gone wrong while nobody was there to be told. */
  takeNotes(): string[] {
    return this.#notes.splice(0)
  }

  add(run: string, diagnose: Diagnose): Promise<string> {
    return new Promise((resolve, reject) => {
      if (this.#pending.has(run) || this.#cancelled.has(run)) {
        const message = 'This run is asked a second time; ask it once.'
        reject(new HandlerFailure('invalid', message))
        return
      }
      this.listen(run, { resolve, reject, diagnose })
    })
  }

  listen(run: string, pending: Pending): void {
    this.#pending.set(run, pending)
  }

  /** Nobody waits any more; it has a while to say something all the same. */
  cancel(run: string): boolean {
    if (!this.#pending.delete(run)) return false
    const message = 'The resident command hangs; it is started anew.'
    const silent = () => this.#violated(new HandlerFailure('crashed', message))
    const timer = setTimeout(silent, this.#graceMs)
    timer.unref()
    this.#cancelled.set(run, timer)
    return true
  }

  receive(line: Uint8Array): void {
    const read = readLine(line)
    switch (read.type) {
      case 'blank':
        return
      case 'answer':
        this.#answer(read.run, read.text)
        return
      case 'nameless':
        this.#violate('answered without the "run" that it answers')
        return
      case 'noise':
        this.#hear()
    }
  }

  failAll(failure: HandlerFailure): void {
    for (const timer of this.#cancelled.values()) clearTimeout(timer)
    this.#cancelled.clear()
    const failed = [...this.#pending.values()]
    this.#pending.clear()
    for (const { reject } of failed) reject(failure)
  }

  #answer(run: string, text: string): void {
    const timer = this.#cancelled.get(run)
    if (timer !== undefined) {
      clearTimeout(timer)
      this.#cancelled.delete(run)
      return
    }
    const pending = this.#pending.get(run)
    if (pending === undefined) {
      this.#violate('answered a run that is not, or no longer, open')
      return
    }
    this.#pending.delete(run)
    this.#answers += 1
    pending.resolve(text)
  }

  #hear(): void {
    this.#noise += 1
    if (this.#noise > maxNoise) {
      this.#violate(`printed more than ${maxNoise} lines that are no answers`)
      return
    }
    if (this.#noise > 1) return
    this.#tell(
      'resident-noise',
      'The resident command prints lines that are no answers; print those on stderr.',
    )
  }

  #violate(what: string): void {
    const message = `The resident command ${what}; it is started anew.`
    this.#tell('protocol-violation', message)
    this.#violated(new HandlerFailure('wrong-run', message))
  }

  #tell(code: string, message: string): void {
    if (this.#pending.size === 0) this.#notes.push(message)
    for (const { diagnose } of this.#pending.values()) diagnose(code, message)
  }
}

const maxNoise = 100
