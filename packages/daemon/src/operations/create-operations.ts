import type { Workspace } from '../reload/workspace.ts'
import type { OperationService } from '../service/service-parts.ts'
import { translated } from '../service/translate-errors.ts'
import { agentOperations } from './agents.ts'
import { approvalOperations } from './approvals.ts'
import { backtestOperations } from './backtest/backtest.ts'
import { bridgeOperations } from './bridge.ts'
import { configOperations } from './config.ts'
import { checkOperations } from './hooks/check-hooks.ts'
import { explainOperations } from './hooks/explain-hooks.ts'
import { figureOperations } from './hooks/hook-figures.ts'
import { listHookOperations } from './hooks/list-hooks.ts'
import { switchOperations } from './hooks/switch-hooks.ts'
import { testOperations } from './hooks/test-hook.ts'
import { trustOperations } from './hooks/trust-hooks.ts'
import { memoryOperations } from './memories.ts'
import { auditOperations } from './records/audit.ts'
import { jobOperations } from './records/jobs.ts'
import { plannedNow } from './records/planned-now.ts'
import { runOperations } from './records/runs.ts'
import { traceOperations } from './records/traces.ts'
import { watchRunOperations } from './records/watch-runs.ts'

/** Everything that can be asked of a workspace beside its sessions. */
export function createOperations(workspace: Workspace): OperationService {
  return translated({
    ...agentOperations(workspace),
    ...memoryOperations(workspace),
    ...listHookOperations(workspace),
    ...explainOperations(workspace),
    ...figureOperations(workspace),
    ...switchOperations(workspace),
    ...testOperations(workspace),
    ...checkOperations(workspace),
    ...trustOperations(workspace),
    ...backtestOperations(workspace),
    ...runOperations({
      store: workspace.store,
      plannedNow: (run) => plannedNow(workspace, run),
    }),
    ...watchRunOperations(workspace),
    ...traceOperations(workspace),
    ...auditOperations(workspace),
    ...jobOperations(workspace),
    ...approvalOperations(workspace),
    ...configOperations(workspace),
    ...bridgeOperations(workspace),
  })
}
