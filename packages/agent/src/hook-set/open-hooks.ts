import { rm } from 'node:fs/promises'
import { resolve } from 'node:path'
import { systemClock } from 'hookline'
import { openCatalogue } from '../config/catalogue.ts'
import { loadLinearRegex } from '../config/linear-regex.ts'
import type { LoadedConfig } from '../config/loaded-config.ts'
import { watchConfig } from '../config/watch-config.ts'
import { asError } from '../data/as-error.ts'
import { errorText } from '../data/error-text.ts'
import { buildEnv } from '../handlers/command/build-env.ts'
import { endOrphans } from '../handlers/command/end-orphans.ts'
import { createHandlers } from '../handlers/create-handlers.ts'
import { AgentError } from '../ports/agent-error.ts'
import type { Runtime } from '../runtime/runtime.ts'
import { createTrust } from '../trust/create-trust.ts'
import type { Trust, TrustOptions } from '../trust/trust.ts'
import {
  type AssembledHooks,
  type AssemblyProblem,
  assembleHooks,
} from './assemble-hooks.ts'
import { makeDataFolder } from './data-folder.ts'
import { hostOf } from './define-hooks.ts'
import type { ForeignTexts } from './foreign-files.ts'
import type { OpenedHooks, OpenHooksOptions } from './hooks-options.ts'
import type { HooksState } from './hooks-state.ts'
import { KeptHandlers } from './kept-handlers.ts'
import { KeptUses } from './kept-uses.ts'
import { refusalOf } from './refusal-of.ts'

/**
 * Has a runtime run the hooks that its files hold, and follow them as they
 * change. What is wrong at the start is thrown; later on, the last good table
 * stays.
 */
export async function openHooks(
  runtime: Runtime,
  options: OpenHooksOptions = {},
): Promise<OpenedHooks> {
  const opening = new HookSet(runtime, options)
  return await opening.open()
}

class HookSet implements OpenedHooks {
  readonly trust: Trust
  readonly #runtime: Runtime
  readonly #options: OpenHooksOptions
  readonly #root: string
  readonly #handlers
  readonly #kept: KeptHandlers
  readonly #keptUses = new KeptUses()
  readonly #catalogue
  #watch: Awaited<ReturnType<typeof watchConfig>> | undefined
  /** What the files said last, whether or not it is what runs. */
  #config: LoadedConfig | undefined
  #state: HooksState | undefined
  #foreignTexts: ForeignTexts = new Map()
  /** One load at a time: two of them would share what the next table holds. */
  #queue: Promise<void> = Promise.resolve()
  /** How many loads have begun. */
  #loads = 0
  #dataDir = ''
  #failure: unknown
  #isClosed = false

  constructor(runtime: Runtime, options: OpenHooksOptions) {
    this.#runtime = runtime
    this.#options = options
    this.#root = resolve(options.root ?? process.cwd())
    this.trust = isTrust(options.trust)
      ? options.trust
      : createTrust(options.trust)
    this.#handlers = createHandlers(options.handlers)
    this.#kept = new KeptHandlers(this.#handlers)
    this.#catalogue = openCatalogue(options.catalogue ?? [])
  }

  get state(): HooksState {
    if (this.#state !== undefined) return this.#state
    throw new AgentError('invalid-call', 'The hooks were not loaded yet.')
  }

  async open(): Promise<this> {
    const {
      hooks: _,
      handlers: __,
      trust: ___,
      clock: ____,
      ...load
    } = this.#options
    try {
      this.#dataDir =
        this.#options.dialectParts?.dataDir ?? (await makeDataFolder())
      // What ran on when an earlier process was killed is not ours to keep.
      await endOrphans()
      this.#watch = await watchConfig({
        ...load,
        root: this.#root,
        catalogue: this.#catalogue,
        builtins: this.#handlers.builtins.all.map(({ name }) => name),
        isTrusted: ({ hash }) => this.trust.isTrusted(this.#root, hash),
        onLoad: (config) => this.#load(config),
        onFault: (error) => {
          this.#failure = error
        },
      })
      if (this.#failure !== undefined) throw asError(this.#failure)
      this.#mustRun()
      return this
    } catch (error) {
      await this.close()
      throw error
    }
  }

  async reload(): Promise<HooksState> {
    const before = this.#loads
    await this.#watch?.reload()
    // The files may be the same, and what may run of them is not.
    if (this.#loads === before) await this.#load()
    return this.state
  }

  async accept(hashes: readonly string[]): Promise<HooksState> {
    await this.trust.trust(hashes)
    await this.reload()
    return this.#mustRun()
  }

  /** Whoever was promised that hooks run has to hear that they do not. */
  #mustRun(): HooksState {
    const { refusal } = this.state
    if (refusal !== undefined) throw new AgentError('invalid-config', refusal)
    return this.state
  }

  async close(): Promise<void> {
    this.#isClosed = true
    await this.#watch?.close()
    await this.#queue
    await this.#kept.close()
    await this.#handlers.close()
    const isOurs = this.#options.dialectParts?.dataDir === undefined
    if (isOurs && this.#dataDir !== '') {
      await rm(this.#dataDir, { recursive: true, force: true })
    }
  }

  #load(config = this.#config): Promise<void> {
    this.#config = config
    const load = this.#queue.then(() => this.#loadNewest())
    this.#queue = load.catch(() => {})
    return load
  }

  async #loadNewest(): Promise<void> {
    const config = this.#config
    if (this.#isClosed || config === undefined) return
    this.#loads++
    this.#tellAudit(config)
    const isFirst = this.#state === undefined
    const isKnown = this.trust.knows(this.#root)
    const refusal = refusalOf(config, { isFirst, isKnown })
    if (refusal !== undefined) return this.#show({ config, refusal })
    this.#show({ config, ...(await this.#replace(config)) })
  }

  /** Puts the table of a configuration in place, or says why not. */
  async #replace(config: LoadedConfig): Promise<Replaced> {
    try {
      const assembled = await this.#assemble(config)
      const refusal =
        assembled.problems[0]?.message ?? (await this.#swap(assembled, config))
      if (refusal === undefined) {
        this.#foreignTexts = assembled.foreignTexts
        this.#keptUses.settle()
        await this.#kept.settle()
        return { assembled }
      }
      await this.#abandon()
      return { assembled, refusal }
    } catch (error) {
      await this.#abandon()
      return { refusal: errorText(error) }
    }
  }

  async #abandon(): Promise<void> {
    this.#keptUses.abandon()
    await this.#kept.abandon()
  }

  async #assemble(config: LoadedConfig): Promise<AssembledHooks> {
    const callModel = this.#runtime.callModel.bind(this.#runtime)
    const { clock = systemClock } = this.#options
    return await assembleHooks(config, {
      kept: this.#kept,
      keptUses: this.#keptUses,
      catalogue: this.#catalogue,
      useHost: hostOf(() => this.#runtime, clock),
      trust: this.trust,
      root: this.#root,
      callModel,
      ...(this.#options.points && { points: this.#options.points }),
      dialectParts: this.#dialectParts(),
      foreignTexts: this.#foreignTexts,
    })
  }

  /** Why the table did not get in, if it did not. */
  async #swap(
    { hooks, managed }: AssembledHooks,
    config: LoadedConfig,
  ): Promise<string | undefined> {
    const regex = await loadLinearRegex()
    try {
      const all = [...(this.#options.hooks ?? []), ...hooks]
      const options = { match: { regex } }
      const { swap } = this.#options
      if (swap) swap({ hooks: all, options, managed, config })
      else this.#runtime.swapHooks(all, options)
      return undefined
    } catch (error) {
      return error instanceof Error ? error.message : 'The table is wrong.'
    }
  }

  #show({
    config,
    assembled,
    refusal,
  }: Replaced & { readonly config: LoadedConfig }): void {
    const state: HooksState = {
      config,
      untrusted: assembled?.untrusted ?? [],
      problems: [
        ...config.problems,
        ...(assembled?.problems ?? []),
        ...(assembled?.trustProblems ?? []).map(ofTrust),
      ],
      doubts: assembled?.doubts ?? [],
      findings: assembled?.findings ?? [],
      keptFiles: assembled?.keptFiles ?? [],
      ...(refusal !== undefined && { refusal }),
    }
    this.#state = state
    this.#options.onChange?.(state)
  }

  #dialectParts() {
    const { runner, sender } = this.#handlers
    const { env } = buildEnv(process.env)
    return {
      runner,
      sender,
      env,
      projectDir: this.#root,
      dataDir: this.#dataDir,
      callModel: this.#runtime.callModel.bind(this.#runtime),
      callTool: this.#runtime.callTool.bind(this.#runtime),
      ...this.#options.dialectParts,
    }
  }

  /** Who tries to loosen what is managed leaves a trace. */
  #tellAudit({ problems }: LoadedConfig): void {
    for (const { code, file, line, path } of problems) {
      if (code !== 'managed-hook' && code !== 'refused-key') continue
      const details = { code, file, line, path: String(path) }
      this.#options.onAudit?.({ event: 'config.refused', details })
    }
  }
}

/** What came of a configuration. */
interface Replaced {
  readonly assembled?: AssembledHooks
  /** Why the last table stays. */
  readonly refusal?: string
}

/** It is of no hook and no file. */
function ofTrust(message: string): AssemblyProblem {
  return { hook: '', file: '', line: 1, message }
}

function isTrust(given: Trust | TrustOptions | undefined): given is Trust {
  return given !== undefined && 'inspect' in given
}
