import type { Clock, Hook, MaybePromise } from 'hookline'
import {
  type AgentConfig,
  type BoundTool,
  type PointName,
  points,
} from 'hookline/lifecycle'
import { AgentError } from '../ports/agent-error.ts'
import type { Runtime } from './runtime.ts'

/**
 * A subsystem that owns things: tools with what runs them, what agents are
 * told about them, hooks, and state of its own for each agent.
 */
export interface Plugin {
  readonly name: string
  /** Nobody else may have a tool with one of these names. */
  readonly tools?: readonly BoundTool[]
  /** Which of its tools an agent has; default: all of them. */
  scopedTools?(config: AgentConfig): ScopedTools
  /** What agents are told about its tools, as part of the system prompt. */
  prompt?(config: AgentConfig): MaybePromise<string | undefined>
  /** What there is for this agent to use, such as the names of its skills. */
  resources?(config: AgentConfig): MaybePromise<string | undefined>
  readonly hooks?: readonly Hook[]
  /** Makes the plugin's state of an agent, before anybody sees the agent. */
  register?(config: AgentConfig): MaybePromise<void>
  /** Lets go of it. */
  unregister?(config: AgentConfig): MaybePromise<void>
  /** Before the first agent is registered. */
  setup?(host: PluginHost): MaybePromise<void>
  /** When the runtime closes, and all agents are gone. */
  dispose?(): MaybePromise<void>
}

export interface ScopedTools {
  /** Names of its own tools. */
  readonly tools: readonly string[]
  /** A line that tells the agent what it is confined to. */
  readonly scope?: string
}

/** What a plugin has of the runtime that it is part of. */
export interface PluginHost {
  readonly runtime: Runtime
  readonly clock: Clock
  /** Whether tools can hand on work without waiting for it. */
  readonly hasBackground: boolean
  /** What agents are told or have is no longer what they were built with. */
  rebuild(): Promise<void>
  /** Something must not have happened; goes where all alarms go. */
  alarm(code: string, about: string): void
}

type RunOf<Name extends PointName> = Hook<(typeof points)[Name]>['run']

export interface PluginSpec extends Plugin {
  /** Functions by the names of their points; each becomes a hook. */
  readonly on?: { readonly [Name in PointName]?: RunOf<Name> }
  /** What those hooks have in common. */
  readonly defaults?: Omit<Hook, 'name' | 'on' | 'run'>
}

const namePattern = /^[a-z][a-z0-9-]{0,63}$/

/** Checks a plugin, and makes hooks of what it has under `on`. */
export function definePlugin(spec: PluginSpec): Plugin {
  const { on = {}, defaults, ...plugin } = spec
  if (!namePattern.test(plugin.name)) {
    const message = `"${plugin.name}" is no name of a plugin; use small letters, digits and -, at most 64.`
    throw new AgentError('invalid-config', message)
  }
  const brief = Object.entries(on).map(([name, run]): Hook => {
    // That each run fits its point is what the type of `on` says.
    const point = points[name as PointName]
    if (point === undefined) {
      const message = `Plugin "${plugin.name}" has something on "${name}", which is no point.`
      throw new AgentError('invalid-config', message)
    }
    return { ...defaults, name: `${plugin.name}:${name}`, on: point, run }
  })
  return Object.freeze({
    ...plugin,
    hooks: Object.freeze([...(plugin.hooks ?? []), ...brief]),
  })
}
