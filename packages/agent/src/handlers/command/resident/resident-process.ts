import type { Framing } from '../../definition.ts'
import { HandlerFailure } from '../../handler-failure.ts'
import { CappedBytes } from '../capped-bytes.ts'
import type { OutputListeners } from '../child-streams.ts'
import { cleanOutput } from '../command-text.ts'
import type { LivingProcess } from '../living-process.ts'
import { tellingLine } from '../telling-line.ts'
import { LineReader } from './line-reader.ts'
import { PendingCalls } from './pending-calls.ts'

export interface ResidentTraits {
  /** What it is called in messages. */
  readonly program: string
  readonly secrets: readonly string[]
  readonly graceMs: number
  readonly maxLineBytes: number
  readonly framing: Framing
}

/** Starts a process that tells these listeners what it prints. */
export type StartLiving = (listeners: OutputListeners) => Promise<LivingProcess>

/** One process, from its start to its end. It is not started again. */
export class ResidentProcess {
  readonly calls: PendingCalls
  readonly #traits: ResidentTraits
  readonly #stderr = new CappedBytes({ head: 2_048, tail: 4_096 })
  readonly #lines: LineReader
  #living: LivingProcess | undefined
  #gone: Promise<void> = Promise.resolve()
  #isEnding = false
  #isStopped = false

  constructor(traits: ResidentTraits) {
    this.#traits = traits
    const { graceMs, maxLineBytes } = traits
    this.calls = new PendingCalls({
      graceMs,
      violated: (failure) => this.#kill(failure),
    })
    this.#lines = new LineReader({
      maxBytes: maxLineBytes,
      take: (line) => this.calls.receive(line),
      overflow: () => this.#kill(lineTooLong(maxLineBytes)),
    })
  }

  async start(start: StartLiving): Promise<void> {
    const living = await start({
      stdout: (chunk) => this.#lines.add(chunk),
      stderr: (chunk) => this.#stderr.add(chunk),
    })
    this.#living = living
    this.#gone = living.ended.then((how) => this.#bury(how))
  }

  /** Settles when nothing of it is left. */
  get gone(): Promise<void> {
    return this.#gone
  }

  /** Whether it can still be asked. */
  get isUsable(): boolean {
    return !this.#isEnding
  }

  /** Whether it has ended because it was told to. */
  get isStopped(): boolean {
    return this.#isStopped
  }

  /** What is not read stays in memory; there is an end to that. */
  checkInput(): void {
    if ((this.#living?.unreadBytes ?? 0) <= maxUnreadBytes) return
    throw new HandlerFailure(
      'overloaded',
      `"${this.#traits.program}" does not read what it is asked.`,
    )
  }

  write(text: string): void {
    const isSized = this.#traits.framing === 'size'
    const framed = isSized ? `${Buffer.byteLength(text)}\n${text}` : `${text}\n`
    this.#living?.write(framed)
  }

  /** Asks it to end; ends it when it does not. */
  async stop(): Promise<void> {
    this.#isEnding = true
    this.#isStopped = true
    this.hold(true)
    this.#living?.endInput()
    const { graceMs } = this.#traits
    const timers = [
      setTimeout(() => this.#living?.terminate(), graceMs),
      setTimeout(() => this.#living?.kill(), 2 * graceMs),
    ]
    await this.#gone
    for (const timer of timers) clearTimeout(timer)
  }

  /** While it is asked nothing it does not keep this program alive. */
  hold(isHeld: boolean): void {
    this.#living?.hold(isHeld)
  }

  /** It has broken its word: nothing it says is believed any more. */
  #kill(failure: HandlerFailure): void {
    this.#isEnding = true
    this.#lines.stop()
    this.calls.failAll(failure)
    this.#living?.kill()
  }

  #bury(how: string): void {
    this.#isEnding = true
    const { program, secrets } = this.#traits
    const line = tellingLine(this.#stderr.text)
    const said = cleanOutput(line, { secrets, maxPoints: maxSaid })
    const hint = said === '' ? '' : ` It said: ${said}`
    const message = `"${program}" ${how} without an answer.${hint}`
    this.calls.failAll(new HandlerFailure('crashed', message))
  }
}

const maxUnreadBytes = 16_777_216
const maxSaid = 300

function lineTooLong(maxBytes: number): HandlerFailure {
  return new HandlerFailure(
    'too-large',
    `The resident command printed a line of more than ${maxBytes} bytes; print an answer alone, or raise maxStdoutBytes.`,
  )
}
