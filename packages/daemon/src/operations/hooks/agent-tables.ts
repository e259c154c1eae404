import type { HookDescriptor, Plan, Table } from 'hookline'
import { ProtocolError } from '../../protocol/errors.ts'
import type { Workspace } from '../../reload/workspace.ts'

interface AgentTable {
  readonly agent: string
  readonly table: Table
}

/** The table of one agent, or those of all. */
export function tablesOf(
  { runtime }: Workspace,
  wanted?: string,
): readonly AgentTable[] {
  const names = runtime.agents.map(({ name }) => name)
  if (wanted !== undefined && !names.includes(wanted)) {
    const message = `There is no agent "${wanted}"; there are: ${names.join(', ') || 'none'}.`
    throw new ProtocolError('not-found', message)
  }
  return names
    .filter((name) => wanted === undefined || name === wanted)
    .map((agent) => ({ agent, table: runtime.tableOf(agent) }))
}

export interface PlannedDescriptor {
  readonly hook: HookDescriptor
  readonly agent: string
  /** Its place among those of its point, observers last; absent: in no plan. */
  readonly order: number | undefined
}

/** Every hook once, as the first agent that has it has it. */
export function plannedHooks(
  tables: readonly AgentTable[],
): ReadonlyMap<string, PlannedDescriptor> {
  const found = new Map<string, PlannedDescriptor>()
  for (const { agent, table } of tables) {
    const orders = new Map(
      [...table.plans.values()].flatMap((plan) =>
        inOrder(plan).map(({ name }, at) => [name, at + 1] as const),
      ),
    )
    for (const hook of table.hooks) {
      if (found.has(hook.name)) continue
      found.set(hook.name, { hook, agent, order: orders.get(hook.name) })
    }
  }
  return found
}

export function inOrder({ waited, observers }: Plan) {
  return [...waited, ...observers]
}
