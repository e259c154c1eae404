import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { Socket } from 'node:net'
import type { OutputListeners } from './child-streams.ts'
import type { CommandSpec } from './command-runner.ts'
import { endChild, signalChild } from './end-child.ts'
import { findProgram } from './find-program.ts'
import { endSurvivors } from './process-tree.ts'
import { runTagVariable } from './run-tag.ts'
import { startFailure } from './start-failure.ts'
import { type Exceeded, watchLimits } from './watch-limits.ts'

/** A program that is to go on running. */
export type LivingSpec = Pick<CommandSpec, 'argv' | 'env' | 'cwd' | 'sandbox'>

/** How a process has ended, in words that follow its name. */
export type HowItEnded = string

/** A process that is written to and listened to for as long as it lives. */
export interface LivingProcess {
  /** Settles when it has ended, nothing of it is left and all was heard. */
  readonly ended: Promise<HowItEnded>
  /** How much of what was written it has not read. */
  readonly unreadBytes: number
  write(text: string): void
  endInput(): void
  /** Asks it, and its group, to end. */
  terminate(): void
  /** Ends it with all that it has started. */
  kill(): void
  /** Whether our own program has to stay alive for it; at first not. */
  hold(isHeld: boolean): void
}

/** Such a process, started by ourselves. */
export async function startLiving(
  spec: LivingSpec,
  { tag, listeners }: { tag: string; listeners: OutputListeners },
): Promise<PausableProcess> {
  const file = findProgram(spec)
  const [argv0 = file, ...args] = spec.argv
  try {
    const child = spawn(file, args, {
      argv0,
      cwd: spec.cwd,
      env: { SHLVL: '1', ...spec.env, [runTagVariable]: tag },
      detached: process.platform !== 'win32',
      windowsHide: true,
      stdio: ['pipe', 'pipe', 'pipe'],
    })
    if (child.pid === undefined) throw (await once(child, 'error'))[0]
    return new OwnProcess(child, { tag, listeners, sandbox: spec.sandbox })
  } catch (error) {
    throw startFailure(error, argv0)
  }
}

/** One whose output can be made to wait. */
export interface PausableProcess extends LivingProcess {
  pause(): void
  resume(): void
}

/** How long output may go on when its process has ended: others may hold it. */
const drainMs = 250

interface OwnParts {
  readonly tag: string
  readonly listeners: OutputListeners
  readonly sandbox: LivingSpec['sandbox']
}

class OwnProcess implements PausableProcess {
  readonly ended: Promise<HowItEnded>
  readonly #child: ChildProcess
  readonly #tag: string
  #exceeded: Exceeded | undefined

  constructor(child: ChildProcess, { tag, listeners, sandbox }: OwnParts) {
    this.#child = child
    this.#tag = tag
    child.on('error', () => {})
    // It need not read what it is told.
    child.stdin?.on('error', () => {})
    child.stdout?.on('data', listeners.stdout)
    child.stderr?.on('data', listeners.stderr)
    const unwatch = watchLimits(child.pid ?? 0, sandbox, (what) => {
      this.#exceeded = what
      this.kill()
    })
    this.ended = once(child, 'exit').then(async () => {
      unwatch()
      return await this.#bury()
    })
    this.hold(false)
  }

  get unreadBytes(): number {
    return this.#child.stdin?.writableLength ?? 0
  }

  write(text: string): void {
    if (this.#child.stdin?.writable) this.#child.stdin.write(text)
  }

  endInput(): void {
    this.#child.stdin?.end()
  }

  terminate(): void {
    signalChild(this.#child, 'SIGTERM')
  }

  kill(): void {
    endChild(this.#child, this.#tag)
  }

  hold(isHeld: boolean): void {
    for (const one of [this.#child, ...this.#streams()]) {
      if (isHeld) one.ref()
      else one.unref()
    }
  }

  pause(): void {
    this.#child.stdout?.pause()
    this.#child.stderr?.pause()
  }

  resume(): void {
    this.#child.stdout?.resume()
    this.#child.stderr?.resume()
  }

  async #bury(): Promise<HowItEnded> {
    // Its last words may still be on their way.
    await this.#drain()
    const pid = this.#child.pid ?? 0
    await endSurvivors({ pid, tag: this.#tag, isOld: true })
    for (const stream of this.#streams()) stream.destroy()
    if (this.#exceeded !== undefined) {
      return `took more ${this.#exceeded} than it may and was ended`
    }
    const { exitCode, signalCode } = this.#child
    if (signalCode !== null) return `was ended by ${signalCode}`
    return `exited with code ${exitCode}`
  }

  async #drain(): Promise<void> {
    const open = [this.#child.stdout, this.#child.stderr]
      .filter((stream) => stream !== null)
      .filter((stream) => !stream.closed)
    const closed = open.map(async (stream) => await once(stream, 'close'))
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, drainMs)
    })
    await Promise.race([Promise.all(closed), late]).catch(() => {})
    clearTimeout(timer)
  }

  #streams(): Socket[] {
    const { stdin, stdout, stderr } = this.#child
    return [stdin, stdout, stderr].filter((one) => one instanceof Socket)
  }
}
