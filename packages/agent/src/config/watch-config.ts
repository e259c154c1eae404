import { type Clock, systemClock, type Timer } from 'hookline'
import { errorText } from '../data/error-text.ts'
import { canonicalJson } from '../seal/canonical-json.ts'
import { sha256 } from '../seal/sha256.ts'
import { coalesce } from './coalesce.ts'
import { loadOnto, type Memory } from './load-config.ts'
import type { LoadedConfig } from './loaded-config.ts'
import { createLoader, type LoadOptions } from './loader.ts'
import { startOfFile } from './node.ts'
import { type ConfigProblem, quote } from './problem.ts'
import { readSettled } from './read-file.ts'
import { Report } from './report.ts'
import { type FileWatch, watchFiles } from './watch-files.ts'

export interface WatchOptions extends LoadOptions {
  /** Is told at the start, and whenever something is different. */
  readonly onLoad: (config: LoadedConfig) => void | Promise<void>
  /** Is told what `onLoad` throws; the watch goes on. */
  readonly onFault?: (error: unknown) => void
  readonly clock?: Clock
  /** How often files are looked at that nobody said have changed; default 5 s. */
  readonly pollMs?: number
}

export interface ConfigWatch {
  /** What was loaded last. */
  readonly current: LoadedConfig
  /** Loads now. `forgetsMissing`: files that have gone count no more. */
  reload(options?: { readonly forgetsMissing?: boolean }): Promise<LoadedConfig>
  close(): Promise<void>
}

const quietMs = 50
const minGapMs = 500

/**
 * Loads the configuration and stays with it: what is changed is loaded, at most
 * twice a second. What is wrong, or has gone, is reported, and what was said
 * before stays in force. Never throws.
 */
export async function watchConfig(options: WatchOptions): Promise<ConfigWatch> {
  const watch = new Watch(options)
  await watch.open()
  return watch
}

class Watch implements ConfigWatch {
  readonly #options: WatchOptions
  readonly #clock: Clock
  readonly #loader
  readonly #coalescer
  #memory: Memory = {}
  #current: LoadedConfig = nothing
  #print = ''
  #queue: Promise<unknown> = Promise.resolve()
  #files: FileWatch | undefined
  #watchProblem: ConfigProblem | undefined
  #poll: Timer | undefined
  #isClosed = false

  constructor(options: WatchOptions) {
    this.#options = options
    this.#clock = options.clock ?? systemClock
    this.#loader = createLoader(options)
    const run = async () => {
      await this.reload()
    }
    const timing = { clock: this.#clock, quietMs, minGapMs }
    this.#coalescer = coalesce(run, timing)
  }

  get current(): LoadedConfig {
    return this.#current
  }

  async open(): Promise<void> {
    try {
      this.#files = await watchFiles(this.#options, {
        onChange: () => this.#coalescer.request(),
        onError: (error) => this.#failWatch(error),
      })
    } catch (error) {
      this.#failWatch(error)
    }
    await this.reload()
    this.#pollLater()
  }

  reload({ forgetsMissing = false } = {}): Promise<LoadedConfig> {
    const load = this.#queue.then(() => this.#load(forgetsMissing))
    this.#queue = load
    return load
  }

  async close(): Promise<void> {
    this.#isClosed = true
    this.#coalescer.close()
    this.#poll?.stop()
    await this.#queue
    await this.#files?.close()
  }

  async #load(forgetsMissing: boolean): Promise<LoadedConfig> {
    if (this.#isClosed) return this.#current
    try {
      const memory = { ...this.#memory, forgetsMissing }
      const loaded = await loadOnto(this.#loader, this.#options, memory)
      this.#memory = loaded.memory
      const named = loaded.config.dialects.map(({ file }) => file)
      const bytes = await this.#bytesOf(named)
      await this.#tell(this.#withWatchProblem(loaded.config), bytes)
      // Files may have come before their folder was watched.
      if (await this.#files?.refresh(named)) this.#coalescer.request()
    } catch (error) {
      this.#fault(error)
    }
    return this.#current
  }

  /** What hook files of other products hold; they are read by others. */
  async #bytesOf(files: readonly string[]): Promise<string> {
    const read = files.map((file) => readSettled(file, this.#loader))
    const told = (await Promise.all(read)).map((one) =>
      one.type === 'bytes' ? one.hash : one.type,
    )
    return told.join()
  }

  async #tell(config: LoadedConfig, bytes: string): Promise<void> {
    const print = sha256(`${canonicalJson(config)}${bytes}`)
    if (print === this.#print) return
    this.#print = print
    this.#current = config
    await this.#options.onLoad(config)
  }

  #withWatchProblem(config: LoadedConfig): LoadedConfig {
    if (this.#watchProblem === undefined) return config
    const problems = [...config.problems, this.#watchProblem]
    return Object.freeze({ ...config, problems })
  }

  /** Files are still looked at from time to time. */
  #failWatch(error: unknown): void {
    const report = new Report('', 'command-line')
    const why = quote(errorText(error))
    const message = `Changes cannot be watched: ${why}; they are found later than usual.`
    const at = startOfFile
    const severity = 'warning'
    report.add({ code: 'watch-failed', severity, at, path: [], message })
    this.#watchProblem = report.problems()[0]
    this.#coalescer.request()
  }

  #pollLater(): void {
    if (this.#isClosed) return
    this.#poll = this.#clock.after(this.#options.pollMs ?? 5_000, () => {
      this.#coalescer.request()
      this.#pollLater()
    })
    this.#poll.hold(false)
  }

  #fault(error: unknown): void {
    try {
      if (this.#options.onFault) this.#options.onFault(error)
      else process.emitWarning(errorText(error))
    } catch (thrown) {
      process.emitWarning(errorText(thrown))
    }
  }
}

const nothing: LoadedConfig = Object.freeze({
  hooks: [],
  dialects: [],
  disabled: [],
  sections: [],
  problems: [],
  sources: [],
})
