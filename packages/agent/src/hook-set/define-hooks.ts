import { type Clock, type Hook, systemClock } from 'hookline'
import type { ModelRequest, ModelResponse } from 'hookline/lifecycle'
import { startOfFile } from '../config/node.ts'
import { nodeOfData, onePlace } from '../config/read/data-node.ts'
import { Report } from '../config/report.ts'
import type { Shape } from '../config/shape/shape.ts'
import { AgentError } from '../ports/agent-error.ts'
import { definePlugin, type Plugin } from '../runtime/plugin.ts'
import type { AnyContext } from '../runtime/runtime.ts'

/** Hooks that belong together, and the options they are made from. */
export interface HooksSpec<Options extends object = object> {
  /** Small letters, digits and dashes. */
  readonly name: string
  readonly description: string
  /** What its options have to be, in code and in files. */
  readonly options: Shape<Options>
  /** Called once for each use. The names of its hooks begin with `host.name`. */
  create(options: Options, host: HooksHost): readonly Hook[]
}

/** What hooks have of the runtime that they become part of. */
export interface HooksHost {
  /** What this use of them is called. */
  readonly name: string
  readonly clock: Clock
  /** Calls a model on behalf of the turn that a hook runs in. */
  readonly callModel: (
    context: AnyContext,
    request: ModelRequest,
  ) => Promise<ModelResponse>
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
    let clock = systemClock
    let callModel: HooksHost['callModel'] = () => {
      const message = `The hooks "${name}" are not part of a runtime yet.`
      throw new AgentError('invalid-call', message)
    }
    let alarm: HooksHost['alarm'] = () => {}
    const host: HooksHost = {
      name,
      clock: lateClock(() => clock),
      callModel: async (context, request) => await callModel(context, request),
      alarm: (code, about) => alarm(code, about),
    }
    return definePlugin({
      name,
      hooks: spec.create(options, host),
      setup(given) {
        const { runtime } = given
        clock = given.clock
        alarm = (code, about) => given.alarm(code, about)
        callModel = (context, request) => runtime.callModel(context, request)
      },
    })
  }
  return Object.freeze(Object.assign(use, { spec: Object.freeze(spec) }))
}

/** Options as they were given, if they fit. */
function readOptions<Options extends object>(
  { name, options: shape }: HooksSpec<Options>,
  given: Options,
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
