import type { HooksState, OpenedHooks, Trust } from '@hookline/agent/config'
import { placed } from './load-settings.ts'
import { untrustedFiles } from './untrusted-files.ts'

export interface FollowOptions {
  /** The project's folder. */
  readonly root: string
  /** Has the rest of it hold as well, and says what does not. */
  readonly apply: (state: HooksState) => Promise<string | undefined>
  readonly onState: (state: HooksState) => void
}

/** Opened hooks whose state also says what became of the rest of the files. */
export class FollowedHooks implements OpenedHooks {
  readonly #options: FollowOptions
  #hooks: OpenedHooks | undefined
  #state: HooksState | undefined
  #work: Promise<void> = Promise.resolve()

  constructor(options: FollowOptions) {
    this.#options = options
  }

  /** What is followed; it tells its states by `take`. */
  follow(hooks: OpenedHooks): void {
    this.#hooks = hooks
  }

  /** One state after the other: what was said last is what holds. */
  take(state: HooksState): void {
    this.#work = this.#work.then(() => this.#take(state))
  }

  /** The same files once more, for there may be less in their way. */
  again(): void {
    if (this.#hooks !== undefined) this.take(this.#hooks.state)
  }

  /** Settles when all that was told before holds. */
  settled(): Promise<void> {
    return this.#work
  }

  get state(): HooksState {
    return this.#state ?? this.#opened.state
  }

  get trust(): Trust {
    return this.#opened.trust
  }

  async reload(): Promise<HooksState> {
    await this.#opened.reload()
    await this.#work
    return this.state
  }

  async accept(hashes: readonly string[]): Promise<HooksState> {
    const files = new Map(
      (await untrustedFiles(this.state.config)).map((one) => [one.hash, one]),
    )
    for (const hash of hashes) {
      const file = files.get(hash)
      if (file === undefined) continue
      const { root } = this.#options
      await this.trust.trustFile(root, { path: file.name, hash })
    }
    await this.trust.trust(hashes.filter((hash) => !files.has(hash)))
    // Whoever asks is told the state, a refusal of more than hooks in it.
    return await this.reload()
  }

  async close(): Promise<void> {
    await this.#hooks?.close()
    await this.#work
  }

  get #opened(): OpenedHooks {
    if (this.#hooks !== undefined) return this.#hooks
    throw new Error('The hooks were not opened yet.')
  }

  async #take(state: HooksState): Promise<void> {
    const problem = await this.#options.apply(state)
    const refusal = state.refusal ?? keptBecause(state) ?? problem
    const files = await untrustedFiles(state.config)
    this.#state = {
      ...state,
      untrusted: [...files, ...state.untrusted],
      ...(refusal !== undefined && { refusal }),
    }
    this.#options.onState(this.#state)
  }
}

/** Of a file that is wrong now, what it said before is what runs. */
function keptBecause(state: HooksState): string | undefined {
  const { config, findings, keptFiles } = state
  const { sources, problems } = config
  const kept = sources.find(({ state }) => state === 'kept')
  const problem = problems.find(({ file }) => file === kept?.file)
  if (problem !== undefined) return placed(problem)
  const finding = findings.find(({ file }) => keptFiles.includes(file))
  return finding && placed({ ...finding, ...finding.place })
}
