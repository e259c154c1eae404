import type { Table } from 'hookline'
import { ProtocolError } from '../../protocol/errors.ts'
import type { InputOf, OutputOf } from '../../protocol/operations.ts'
import type { HookSwitch } from '../../reload/switches/hook-switches.ts'
import { neededHook } from '../../reload/switches/switch-error.ts'
import type { Workspace } from '../../reload/workspace.ts'
import { tablesOf } from './agent-tables.ts'
import { pointNamed } from './explain-hooks.ts'
import { planAt } from './plan-at.ts'

/** What would change if a hook were switched so; nothing does. */
export async function previewHook(
  workspace: Workspace,
  { agent, ...change }: InputOf<'previewHook'>,
): Promise<OutputOf<'previewHook'>> {
  const [own] = tablesOf(workspace, agent)
  const next = tablesThen(workspace, change)
  const hook = workspace.switches.hooks.find(({ name }) => name === change.name)
  if (own === undefined || hook === undefined) {
    const message =
      'There is no agent, and so no plan; add one to the configuration.'
    throw new ProtocolError('conflict', message)
  }
  const point = pointNamed(hook.on.name)
  const call = { agent: own.agent, tool: undefined, args: undefined }
  const place = { agent: own.agent, point, call: { ...call, known: undefined } }
  const then = next.get(own.agent) ?? own.table
  return {
    before: await planAt(workspace, { ...place, table: own.table }),
    after: await planAt(workspace, { ...place, table: then }),
  }
}

function tablesThen(
  { runtime, switches }: Workspace,
  change: HookSwitch,
): ReadonlyMap<string, Table> {
  const { hooks, options } = switches.preview(change)
  try {
    return runtime.tablesWith(hooks, options)
  } catch (error) {
    throw neededHook(change.name, error)
  }
}
