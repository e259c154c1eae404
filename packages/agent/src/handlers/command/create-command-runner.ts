import { availableParallelism } from 'node:os'
import type { OutputListeners } from './child-streams.ts'
import type {
  CommandEnd,
  CommandRunner,
  CommandSpec,
} from './command-runner.ts'
import {
  type LivingProcess,
  type LivingSpec,
  startLiving,
} from './living-process.ts'
import { PipePool } from './pipe-pool.ts'
import { closed, Places } from './places.ts'
import { runProgram } from './program-run.ts'
import { newRunTag } from './run-tag.ts'
import { Sandbox } from './sandbox.ts'
import { SpawnHelper } from './spawn-helper.ts'

export interface CommandRunnerOptions {
  /** At the same time; default: twice the cores, at least 4. */
  readonly concurrency?: number
  /** Who may wait for a place; default 1 000. */
  readonly maxWaiting?: number
  /**
   * Programs are started by a small process in our place, because to start
   * one holds us up the longer the more memory we have. `auto`: when we have
   * more than `helperAboveBytes`.
   */
  readonly spawnHelper?: 'auto' | 'always' | 'never'
  /** Default: 512 MB. */
  readonly helperAboveBytes?: number
  /** Default: `bwrap`, wherever it is in the PATH. */
  readonly sandboxProgram?: string
}

/** Makes a runner; whoever makes it closes it. */
export function createCommandRunner(
  options: CommandRunnerOptions = {},
): CommandRunner {
  return new LimitedRunner(options)
}

const defaultHelperAboveBytes = 512 * 1_048_576

class LimitedRunner implements CommandRunner {
  readonly #options: CommandRunnerOptions
  readonly #places: Places
  readonly #pool = new PipePool()
  readonly #sandbox: Sandbox
  readonly #running = new Set<Promise<unknown>>()
  readonly #living = new Set<LivingProcess>()
  readonly #closing = new AbortController()
  #helper: SpawnHelper | undefined

  constructor(options: CommandRunnerOptions) {
    this.#options = options
    this.#places = new Places({
      places: options.concurrency ?? Math.max(4, 2 * availableParallelism()),
      maxWaiting: options.maxWaiting ?? 1_000,
    })
    this.#sandbox = new Sandbox({
      ...(options.sandboxProgram && { program: options.sandboxProgram }),
      run: (spec) => this.#start(spec),
    })
  }

  async run(spec: CommandSpec): Promise<CommandEnd> {
    return await this.#awaited(this.#runInPlace(spec))
  }

  async start(
    spec: LivingSpec,
    listeners: OutputListeners,
  ): Promise<LivingProcess> {
    return await this.#awaited(this.#startLiving(spec, listeners))
  }

  async close(): Promise<void> {
    this.#places.close()
    this.#closing.abort()
    const ends = [...this.#living].map(async ({ ended }) => await ended)
    for (const living of this.#living) {
      living.hold(true)
      living.kill()
    }
    await Promise.allSettled([...this.#running, ...ends])
    await this.#pool.close()
    await this.#helper?.close()
  }

  /** To close waits for it. */
  async #awaited<T>(work: Promise<T>): Promise<T> {
    this.#running.add(work)
    try {
      return await work
    } finally {
      this.#running.delete(work)
    }
  }

  async #startLiving(
    spec: LivingSpec,
    listeners: OutputListeners,
  ): Promise<LivingProcess> {
    const { signal } = this.#closing
    if (signal.aborted) throw closed()
    const ready =
      spec.sandbox === undefined
        ? spec
        : await this.#sandbox.confine(spec, spec.sandbox)
    if (signal.aborted) throw closed()
    const options = { tag: newRunTag(), listeners }
    const living = this.#needsHelper()
      ? await this.#helped().start(ready, options)
      : await startLiving(ready, options)
    // Closed meanwhile: nobody else knows of it.
    if (signal.aborted) {
      living.hold(true)
      living.kill()
      await living.ended
      throw closed()
    }
    this.#living.add(living)
    void living.ended.then(() => this.#living.delete(living))
    return living
  }

  async #runInPlace(spec: CommandSpec): Promise<CommandEnd> {
    const startedAt = performance.now()
    const leave = await this.#places.enter(spec)
    // To be made ready, and started, is not the command's own time.
    const timeoutMs = spec.timeoutMs - (performance.now() - startedAt)
    const link = linkSignals(spec.signal, this.#closing.signal)
    try {
      const { checkStart, ...wanted } = spec
      const limited = { ...wanted, signal: link.signal }
      const ready =
        spec.sandbox === undefined
          ? limited
          : await this.#sandbox.confine(limited, spec.sandbox)
      checkStart?.()
      const end = await this.#start({ ...ready, timeoutMs })
      return { ...end, elapsedMs: performance.now() - startedAt }
    } finally {
      link.release()
      leave()
    }
  }

  async #start(spec: CommandSpec): Promise<CommandEnd> {
    const tag = newRunTag()
    if (!this.#needsHelper()) {
      return await runProgram(spec, { tag, pool: this.#pool })
    }
    return await this.#helped().run(spec, tag)
  }

  #helped(): SpawnHelper {
    this.#helper ??= new SpawnHelper()
    return this.#helper
  }

  #needsHelper(): boolean {
    const { spawnHelper = 'auto', helperAboveBytes } = this.#options
    if (spawnHelper !== 'auto') return spawnHelper === 'always'
    const most = helperAboveBytes ?? defaultHelperAboveBytes
    return process.memoryUsage.rss() > most
  }
}

// Not AbortSignal.any: it is slow, and leaks on long-lived signals
// (nodejs/node#54614).
function linkSignals(first: AbortSignal | undefined, second: AbortSignal) {
  const linked = new AbortController()
  const stop = () => linked.abort()
  const signals = first === undefined ? [second] : [first, second]
  for (const signal of signals) {
    if (signal.aborted) stop()
    signal.addEventListener('abort', stop, { once: true })
  }
  const release = () => {
    for (const signal of signals) signal.removeEventListener('abort', stop)
  }
  return { signal: linked.signal, release }
}
