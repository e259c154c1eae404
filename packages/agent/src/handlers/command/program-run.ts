import type { ChildProcess } from 'node:child_process'
import { finished } from 'node:stream/promises'
import { HandlerFailure } from '../handler-failure.ts'
import { CappedBytes } from './capped-bytes.ts'
import type { ConnectedStreams } from './child-streams.ts'
import type { CommandEnd, CommandSpec } from './command-runner.ts'
import { endChild, signalChild } from './end-child.ts'
import type { PipePool } from './pipe-pool.ts'
import { endSurvivors } from './process-tree.ts'
import { startProgram } from './start-program.ts'
import { longestTimerMs } from './timer-limit.ts'
import { type Exceeded, watchLimits } from './watch-limits.ts'

/** Runs a program from its start until nothing of it is left. */
export async function runProgram(
  spec: CommandSpec,
  { tag, pool }: { tag: string; pool: PipePool },
): Promise<CommandEnd> {
  const run = new ProgramRun(spec, tag)
  return await run.run(pool)
}

const defaults = {
  stdoutBytes: 1_048_576,
  stderrBytes: 131_072,
  graceMs: 1_000,
}
/** How long output may go on when its program has ended: others may hold it. */
const drainMs = 250
/** How long the system may take to end what has been killed. */
const killMs = 500
/** Past its maximum output is thrown away; past this its program is ended. */
const floodBytes = 268_435_456
/** Within this time no process id comes again. */
const youngMs = 5_000

type Ending = 'time-out' | 'cancel' | 'flood' | Exceeded

class ProgramRun {
  readonly #spec: CommandSpec
  readonly #tag: string
  readonly #startedAt = performance.now()
  readonly #stdout: CappedBytes
  readonly #stderr: CappedBytes
  readonly #timers = new Set<NodeJS.Timeout>()
  #ending: Ending | undefined
  #isGone = false
  #child: ChildProcess | undefined
  #giveUp: (() => void) | undefined

  constructor(spec: CommandSpec, tag: string) {
    this.#spec = spec
    this.#tag = tag
    const stderrBytes = spec.maxStderrBytes ?? defaults.stderrBytes
    const tail = Math.floor(stderrBytes / 2)
    const head = spec.maxStdoutBytes ?? defaults.stdoutBytes
    this.#stdout = new CappedBytes({ head, tail: 0 })
    // What went wrong is said at the start or at the end.
    this.#stderr = new CappedBytes({ head: stderrBytes - tail, tail })
  }

  async run(pool: PipePool): Promise<CommandEnd> {
    const stop = () => this.#end('cancel')
    this.#spec.signal?.addEventListener('abort', stop, { once: true })
    try {
      if (this.#spec.signal?.aborted) throw this.#cancelled()
      const { child, pid, streams } = await startProgram(this.#spec, {
        tag: this.#tag,
        pool,
        listeners: {
          stdout: (chunk) => this.#takeOutput(chunk),
          stderr: (chunk) => this.#stderr.add(chunk),
        },
      })
      return await this.#follow({ child, pid, streams })
    } finally {
      this.#spec.signal?.removeEventListener('abort', stop)
      for (const timer of this.#timers) clearTimeout(timer)
    }
  }

  async #follow({
    child,
    pid,
    streams,
  }: {
    child: ChildProcess
    pid: number
    streams: ConnectedStreams
  }): Promise<CommandEnd> {
    const exit = this.#waitForExit(child)
    const outputs = Promise.all(streams.outputs.map(ended))
    this.#child = child
    // Where we were held up, what it did meanwhile is heard first.
    this.#after(this.#spec.timeoutMs, () =>
      setImmediate(() => this.#end('time-out')),
    )
    // Its time was up, or nobody wanted it any more, before it was there.
    if (this.#ending !== undefined) this.#signalEnd(child)
    const unwatch = watchLimits(pid, this.#spec.sandbox, (what) =>
      this.#end(what),
    )
    const isGone = await exit
    unwatch()
    this.#isGone = isGone
    if (isGone) await this.#within(drainMs, outputs)
    for (const stream of streams.outputs) stream.destroy()
    streams.stdin?.destroy()
    const isOld = performance.now() - this.#startedAt > youngMs
    const survivors = await endSurvivors({ pid, tag: this.#tag, isOld })
    if (this.#ending === 'cancel') throw this.#cancelled()
    return this.#describe(child, isGone ? survivors : [pid, ...survivors])
  }

  #describe(child: ChildProcess, survivors: readonly number[]): CommandEnd {
    return {
      exitCode: child.exitCode ?? undefined,
      signal: child.signalCode ?? undefined,
      stdout: this.#stdout.text,
      stderr: this.#stderr.text,
      isStdoutCut: this.#stdout.isCut,
      isStderrCut: this.#stderr.isCut,
      ...(this.#stdout.isInvalid && { isInvalidText: true }),
      ...(isExceeded(this.#ending) && { exceeded: this.#ending }),
      isTimedOut: this.#ending === 'time-out',
      ...(!this.#isGone && { isUnkillable: true }),
      survivors: [...new Set(survivors)],
      elapsedMs: performance.now() - this.#startedAt,
    }
  }

  /** False: it was killed and is still there, waiting for a disk or the like. */
  #waitForExit(child: ChildProcess): Promise<boolean> {
    return new Promise((resolve) => {
      child.once('exit', () => resolve(true))
      this.#giveUp = () => {
        child.unref()
        resolve(false)
      }
    })
  }

  #takeOutput(chunk: Uint8Array): void {
    this.#stdout.add(chunk)
    if (this.#stdout.total > floodBytes) this.#end('flood')
  }

  #end(ending: Ending): void {
    // One that has ended in its time is not late because others hold its pipes.
    if (this.#ending !== undefined || this.#isGone) return
    this.#ending = ending
    if (this.#child !== undefined) this.#signalEnd(this.#child)
  }

  #signalEnd(child: ChildProcess): void {
    const kill = () => {
      endChild(child, this.#tag)
      this.#after(killMs, () => this.#giveUp?.())
    }
    if (this.#ending === 'flood' || isExceeded(this.#ending)) {
      kill()
      return
    }
    signalChild(child, 'SIGTERM')
    this.#after(this.#spec.graceMs ?? defaults.graceMs, kill)
  }

  #after(ms: number, act: () => void): void {
    this.#timers.add(setTimeout(act, Math.min(ms, longestTimerMs)))
  }

  async #within(ms: number, done: Promise<unknown>): Promise<void> {
    await Promise.race([
      done,
      new Promise<void>((resolve) => this.#after(ms, resolve)),
    ])
  }

  #cancelled(): HandlerFailure {
    return new HandlerFailure(
      'cancelled',
      `"${this.#spec.argv[0]}" was ended: its answer is no longer wanted.`,
    )
  }
}

function isExceeded(ending: Ending | undefined): ending is Exceeded {
  return ending === 'processes' || ending === 'memory'
}

async function ended(stream: ConnectedStreams['outputs'][number]) {
  await finished(stream, { writable: false }).catch(() => {})
}
