import type { OutputOf } from '../../protocol/operations.ts'
import type { ListedHook } from '../../protocol/schemas/hooks.ts'
import type { Workspace } from '../../reload/workspace.ts'
import type { OperationService } from '../../service/service-parts.ts'
import { configProblem, findingProblem } from '../config-problem.ts'
import type { Check, CheckedHook } from './check.ts'
import { checkFailures } from './check-failures.ts'
import { checkHandler } from './check-handler.ts'
import { checkMatcher, type KnownTools, knownTools } from './check-matcher.ts'
import { checkPolicy } from './check-policy.ts'
import { checkTimes } from './check-times.ts'
import { checkTrust } from './check-trust.ts'
import { writtenHook } from './hook-source.ts'
import { listHooks } from './list-hooks.ts'

/** Every hook looked at before it is needed; nothing of any of them runs. */
export function checkOperations(
  workspace: Workspace,
): Pick<OperationService, 'checkHooks'> {
  return {
    async checkHooks(_, context) {
      const tools = await knownTools(workspace)
      const items: OutputOf<'checkHooks'>['items'] = []
      for (const hook of listHooks(workspace)) {
        context.signal.throwIfAborted()
        const checks = await checksOf(workspace, hook, tools)
        items.push({ hook: hook.name, level: worst(checks), checks })
      }
      const { problems, findings } = workspace.hooks.state
      return {
        items,
        problems: [
          ...problems.map(configProblem),
          ...findings
            .filter(({ severity }) => severity !== 'note')
            .map(findingProblem),
        ],
      }
    },
  }
}

async function checksOf(
  workspace: Workspace,
  hook: ListedHook,
  tools: KnownTools,
): Promise<Check[]> {
  const written = writtenHook(hook, workspace.hooks)
  const checked: CheckedHook = { hook, written, workspace }
  return [
    ...(await checkHandler(checked)),
    ...checkMatcher(checked, tools),
    ...checkTrust(checked),
    ...checkTimes(checked),
    ...checkPolicy(checked),
    ...(await checkFailures(checked)),
  ]
}

const levels = ['ok', 'warning', 'error'] as const

function worst(checks: readonly Check[]): Check['level'] {
  const ranks = checks.map(({ level }) => levels.indexOf(level))
  return levels[Math.max(0, ...ranks)] ?? 'ok'
}
