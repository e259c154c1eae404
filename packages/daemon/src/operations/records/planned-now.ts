import type { StoredRun } from '@hookline/agent/durable'
import type { OpenedRun } from '../../protocol/schemas/runs.ts'
import type { Workspace } from '../../reload/workspace.ts'
import { inOrder, tablesOf } from '../hooks/agent-tables.ts'
import { hookSources } from '../hooks/find-sources.ts'
import { sourceOfHook, writtenHook } from '../hooks/hook-source.ts'
import { failureWords } from '../hooks/hook-words.ts'
import { listedHook } from '../hooks/listed-hook.ts'
import { orderReason } from '../hooks/order-reason.ts'
import { refusalAt } from '../hooks/refusals.ts'

/**
 * The hook of a run as it is planned now. Its agent's plan goes first; others
 * may have the same hook.
 */
export function plannedNow(
  workspace: Workspace,
  run: StoredRun,
): OpenedRun['now'] {
  const tables = tablesOf(workspace)
  const own = tables.filter(({ agent }) => agent === run.agent)
  for (const { table } of [...own, ...tables]) {
    const plan = table.plans.get(run.point)
    const all = plan === undefined ? [] : inOrder(plan)
    const at = all.findIndex(({ name }) => name === run.hook)
    const found = all[at]
    if (plan === undefined || found === undefined) continue
    const sources = hookSources(workspace)
    return {
      ...listedHook(found, {
        source: sourceOfHook(found, sources),
        order: at + 1,
        isManaged: sources.isManaged(found.name),
        written: writtenHook(found, sources),
      }),
      because: orderReason(found, plan),
      among: all.length,
      whenItFails: failureWords(found, refusalAt(run.point)),
      isSame:
        found.handler.id === run.handler?.id &&
        found.handler.version === run.handler.version,
    }
  }
  return undefined
}
