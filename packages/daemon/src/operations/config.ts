import type { HooksState } from '@hookline/agent/config'
import type { ConfigState } from '../protocol/schemas/config.ts'
import type { Workspace } from '../reload/workspace.ts'
import type { OperationService } from '../service/service-parts.ts'
import { brokenFiles } from './broken-files.ts'
import { configProblem } from './config-problem.ts'
import { plainData } from './plain-data.ts'
import { needRoom, recordAudit } from './record-audit.ts'

export function configOperations(
  workspace: Workspace,
): Pick<OperationService, 'getConfig' | 'reload'> {
  return {
    getConfig: () => configState(workspace, workspace.hooks.state),
    async reload(_, context) {
      needRoom(workspace)
      const state = await workspace.reload()
      const { refusal } = state
      await recordAudit(workspace, context, {
        kind: 'config.reload',
        body: refusal === undefined ? {} : { refusal },
      })
      return configState(workspace, state)
    },
  }
}

function configState(
  { needsRestart }: Workspace,
  state: HooksState,
): ConfigState {
  const { config, problems, doubts, findings, untrusted, refusal } = state
  return {
    sources: config.sources.map((source) => ({ ...source })),
    problems: problems.map(configProblem),
    broken: brokenFiles(state),
    doubts: doubts.map(configProblem),
    findings: findings.map(plainData),
    untrusted: untrusted.length,
    needsRestart: [...needsRestart],
    ...(refusal !== undefined && { refusal }),
  }
}
