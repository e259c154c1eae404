import { pathToFileURL } from 'node:url'
import type { Clock } from 'hookline'
import { cutText } from '../../data/cut-text.ts'
import { Deadline } from '../deadline.ts'
import type { HandlerCall, HandlerReply } from '../handler.ts'
import { HandlerFailure } from '../handler-failure.ts'
import { type CodeRun, runCodeWithin } from './code-run.ts'
import { loadProblem, type ModulePlace } from './error-place.ts'
import type { FileHash } from './file-hash.ts'
import { type Exported, importModule } from './import-module.ts'

type Loaded = Promise<Exported>

/** A program that was imported once stays in memory for good. */
const maxVersions = 100

export interface ProcessWideOptions {
  readonly file: FileHash
  /** Where paths in messages start. */
  readonly folder: string
  readonly clock: Clock
  readonly maxBytes: number
}

/**
 * A file of trusted code in our own process: nothing can end it. Each version
 * of its bytes is imported once; as none can be unloaded, there is a maximum.
 */
export class ProcessWideModule {
  readonly #options: ProcessWideOptions
  readonly #versions = new Map<string, Loaded>()

  constructor(options: ProcessWideOptions) {
    this.#options = options
  }

  async ask(call: HandlerCall, exported: string): Promise<HandlerReply> {
    const { clock, maxBytes } = this.#options
    const deadline = new Deadline(clock, call.remainingMs, call.signal)
    const { envelope, diagnose } = call
    try {
      const loaded = await deadline.within(this.#load())
      const run = loaded[exported]
      if (typeof run !== 'function') {
        const message = `The file exports no function "${exported}"; add one, or name another with "export".`
        throw new HandlerFailure('not-started', message)
      }
      const module = this.#place()
      const code = { envelope, diagnose, maxBytes, module }
      return await runCodeWithin(deadline, run as CodeRun, code)
    } finally {
      deadline.end()
    }
  }

  #place(): ModulePlace {
    const { file, folder } = this.#options
    return { path: file.path, folder }
  }

  async #load(): Loaded {
    const { file } = this.#options
    const { hash, problem } = file.read()
    if (hash === undefined) {
      const message = `The module "${file.path}" ${problem}; correct "file".`
      throw new HandlerFailure('not-started', message)
    }
    const known = this.#versions.get(hash)
    if (known !== undefined) return known
    if (this.#versions.size >= maxVersions) {
      const message = `The module "${file.path}" has changed ${maxVersions} times; restart the process to load it again.`
      throw new HandlerFailure('not-started', message)
    }
    const url = `${pathToFileURL(file.path).href}?version=${hash}`
    const loading = importFile(url, this.#place())
    this.#versions.set(hash, loading)
    return loading
  }
}

async function importFile(url: string, place: ModulePlace): Loaded {
  try {
    return await importModule(url, place)
  } catch (thrown) {
    const message = `It ${cutText(loadProblem(thrown, place), 700)}`
    throw new HandlerFailure('not-started', message, thrown)
  }
}
