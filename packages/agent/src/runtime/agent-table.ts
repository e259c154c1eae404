import {
  type Condition,
  compileCondition,
  compileTable,
  type Hook,
  type Table,
  type TableOptions,
} from 'hookline'
import { type PointName, points } from 'hookline/lifecycle'
import { AgentError } from '../ports/agent-error.ts'
import type { Core } from '../ports/core.ts'

/** The points that the runtime itself asks, whatever the core does. */
const always: ReadonlySet<string> = new Set<PointName>([
  'agent.build',
  'agent.register',
  'agent.unregister',
  'session.start',
  'session.end',
  'turn.input',
  'turn.pre_turn',
  'turn.pre_policy',
  'turn.output',
  'turn.error',
  'turn.post_turn',
  'event',
])

/** The agent that a table is for. */
interface TableOwner {
  readonly name: string
  readonly core: Core
  readonly parents: readonly string[]
}

/** The table of one agent. A hook that could never run is refused. */
export function compileAgentTable(
  { name: agent, core, parents }: TableOwner,
  hooks: readonly Hook[],
  options: TableOptions,
): Table {
  const table = compileTable(hooks, options)
  const honoured = new Set<string>(core.honours)
  for (const hook of hooks) {
    const point = hook.on.name
    const isLifecycle = Object.hasOwn(points, point)
    const runs = !isLifecycle || always.has(point) || honoured.has(point)
    const names = [agent, ...parents]
    if (runs || hook.disabled || !concerns(hook, names, options)) continue
    const message = `Hook "${hook.name}" is on ${point}, which the core "${core.type}" of agent "${agent}" does not pass; match other agents, or use another core.`
    throw new AgentError('point-not-honoured', message)
  }
  return table
}

/** Whether a hook may have to do with an agent, as far as its matcher says. */
function concerns(
  { match }: Hook,
  names: readonly string[],
  { match: engines }: TableOptions,
): boolean {
  const condition: unknown =
    typeof match === 'object' ? Object(match).agent : undefined
  if (condition === undefined) return true
  // It was compiled before, as part of the table.
  return names.some(compileCondition(condition as Condition, engines))
}
