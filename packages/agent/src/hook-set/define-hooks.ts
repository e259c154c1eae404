import { type Clock, type Hook, systemClock } from 'hookline'
import type { ModelRequest, ModelResponse } from 'hookline/lifecycle'
import { startOfFile } from '../config/node.ts'
import { nodeOfData, onePlace } from '../config/read/data-node.ts'
import { Report } from '../config/report.ts'
import type { Shape } from '../config/shape/shape.ts'
import { errorText } from '../data/error-text.ts'
import { isWaited } from '../handlers/is-waited.ts'
import { AgentError } from '../ports/agent-error.ts'
import type { ModelPrice } from '../ports/model.ts'
import {
  definePlugin,
  type Plugin,
  type PluginHost,
} from '../runtime/plugin.ts'
import type { AnyContext, Runtime } from '../runtime/runtime.ts'

/** Hooks that belong together, and the options they are made from. */
export interface HooksSpec<Options extends object = object> {
  /** Small letters, digits and dashes. */
  readonly name: string
  readonly description: string
  /** What its options have to be, in code and in files. */
  readonly options: Shape<Options>
  /** Nobody waits for any of its hooks: a use that is wrong is left out alone. */
  readonly isObserver?: boolean
  /**
   * The files that hooks are made from, as the options name them. In a project
   * they are part of what is trusted; a reload makes hooks anew when one of
   * them has changed.
   */
  readonly files?: (options: Options) => readonly string[]
  /**
   * All that the options name from `host.folder`, such as a file that hooks
   * write: two uses in two folders are not the same then. Default: `files`.
   */
  readonly paths?: (options: Options) => readonly string[]
  /**
   * Called once for each use. Each of its hooks is named `host.name`, or that
   * with a colon and what it does.
   */
  create(options: Options, host: HooksHost): readonly Hook[]
}

/** What hooks have of the runtime that they become part of. */
export interface HooksHost {
  /** What this use of them is called. */
  readonly name: string
  /** Where relative paths in its options begin. */
  readonly folder: string
  readonly clock: Clock
  /** Calls a model on behalf of the turn that a hook runs in. */
  readonly callModel: (
    context: AnyContext,
    request: ModelRequest,
  ) => Promise<ModelResponse>
  /**
   * Calls the session that a hook runs in something, as lists show it: one line
   * of at most 100 characters. Gives what is kept of it; null: nothing is.
   */
  readonly titleSession: (
    context: AnyContext,
    title: string,
  ) => Promise<string | null>
  /** Whether titles are kept at all: else nobody need think of one. */
  readonly keepsTitles: () => boolean
  /** What a model costs; undefined where nobody says. */
  readonly priceOf: (model: string) => Promise<ModelPrice | undefined>
  /** Something must not have happened; goes where all alarms go. */
  readonly alarm: (code: string, about: string) => void
}

/** Makes a plugin of them; throws where options do not fit. */
export interface DefinedHooks<Options extends object> {
  (options: Options, about?: UseOptions): Plugin
  readonly spec: HooksSpec<Options>
}

export interface UseOptions {
  /** For a second use in one runtime; default: the name of the hooks. */
  readonly name?: string
}

/** Hooks that code uses as a plugin, and that config files name with `use`. */
export function defineHooks<Options extends object>(
  spec: HooksSpec<Options>,
): DefinedHooks<Options> {
  const use = (given: Options, { name = spec.name }: UseOptions = {}) => {
    const options = readOptions(spec, given)
    let home: PluginHost | undefined
    const runtime = () => {
      if (home !== undefined) return home.runtime
      const message = `The hooks "${name}" are not part of a runtime yet.`
      throw new AgentError('invalid-call', message)
    }
    const clock = lateClock(() => home?.clock ?? systemClock)
    return definePlugin({
      name,
      hooks: createHooks(spec, options, {
        name,
        folder: process.cwd(),
        ...hostOf(runtime, clock),
      }),
      setup(host) {
        home = host
      },
    })
  }
  return Object.freeze(Object.assign(use, { spec: Object.freeze(spec) }))
}

/** What hooks have of a runtime, which is asked for when they need it. */
export function hostOf(
  runtime: () => Runtime,
  clock: Clock,
): Omit<HooksHost, 'name' | 'folder'> {
  return {
    clock,
    callModel: async (context, request) =>
      await runtime().callModel(context, request),
    titleSession: async (context, title) =>
      await runtime().titleSession(context, title),
    keepsTitles: () => runtime().keepsTitles,
    priceOf: async (model) => await runtime().priceOf(model),
    alarm: (code, about) => runtime().alarm(code, about),
  }
}

/** What a description comes to, if that is what it says. */
export function createHooks<Options extends object>(
  spec: HooksSpec<Options>,
  options: Options,
  host: HooksHost,
): readonly Hook[] {
  const hooks = made(spec, () => spec.create(options, host))
  const names = new Set<string>()
  for (const hook of hooks) {
    const { name } = hook
    const isOwn = name === host.name || name.startsWith(`${host.name}:`)
    if (!isOwn) {
      const message = `Its hook "${name}" has a name that does not begin with "${host.name}:".`
      throw wrongSpec(spec, message)
    }
    if (names.has(name)) throw wrongSpec(spec, `Two are named "${name}".`)
    if (spec.isObserver && isWaited(hook)) {
      const message = `It is to have observers only, but somebody waits for "${name}".`
      throw wrongSpec(spec, message)
    }
    names.add(name)
  }
  return Object.freeze([...hooks])
}

function made(
  spec: Pick<HooksSpec, 'name'>,
  create: () => readonly Hook[],
): readonly Hook[] {
  let hooks: readonly Hook[]
  try {
    hooks = create()
  } catch (error) {
    throw wrongSpec(spec, errorText(error), error)
  }
  if (Array.isArray(hooks)) return hooks
  throw wrongSpec(spec, 'What was made of it is no list.')
}

function wrongSpec(
  { name }: Pick<HooksSpec, 'name'>,
  why: string,
  cause?: unknown,
): AgentError {
  const message = `The hooks "${name}" cannot be made: ${why}`
  return new AgentError('invalid-config', message, { cause })
}

/** Options as they were given, if they fit. */
export function readOptions<Options extends object>(
  { name, options: shape }: HooksSpec<Options>,
  given: unknown,
): Options {
  const report = new Report(name, 'command-line')
  const node = nodeOfData(given, onePlace(startOfFile), report)
  const read = node && shape.read(node, { report, path: ['options'] })
  const [problem] = report.problems()
  if (problem === undefined && read !== undefined) return read
  const message = `The options of "${name}" do not fit: ${problem?.message ?? 'they are no data.'}`
  throw new AgentError('invalid-config', message)
}

/** The clock of the runtime, once there is one. */
function lateClock(current: () => Clock): Clock {
  return {
    now: () => current().now(),
    wallAt: (now) => current().wallAt(now),
    after: (ms, callback) => current().after(ms, callback),
  }
}
