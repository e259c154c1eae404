import type { HookRecord } from 'hookline'
import type { OutputOf } from '../../protocol/operations.ts'
import type { Workspace } from '../../reload/workspace.ts'
import type { OperationService } from '../../service/service-parts.ts'
import { openTested } from '../backtest/tested-hook.ts'
import { createTrial } from '../backtest/trial.ts'
import { madeUpInput } from './made-up-input.ts'

const maxMs = 120_000

/** Asks one hook alone; nothing comes of what it answers, and nothing is kept. */
export function testOperations(
  workspace: Workspace,
): Pick<OperationService, 'testHook'> {
  return {
    async testHook(moment, { signal }) {
      const { hook: wanted, file, part, agent = 'main' } = moment
      const tested = await openTested(workspace, { hook: wanted, file, part })
      try {
        const { hook } = tested
        const point = hook.on.name
        const input = madeUpInput(point, moment)
        const ask = await createTrial(workspace, hook)
        const cwd = workspace.root
        const { record, result } = await ask(input, {
          scope: { agent, origin: 'user', coreType: 'loop', cwd },
          deadlineMs: maxMs,
          signal,
        })
        const answer = record && answerOf(record, result)
        return {
          hook: hook.name,
          point,
          input,
          ...(answer !== undefined && { answer }),
        }
      } finally {
        await tested.close()
      }
    },
  }
}

function answerOf(
  record: HookRecord,
  result: unknown,
): OutputOf<'testHook'>['answer'] {
  const { state, answer, reason, failure, policy, latencyMs } = record
  return {
    state,
    latencyMs,
    contributions: record.contributions.map(({ kind }) => kind),
    diagnostics: record.diagnostics.map(({ code, message }) => ({
      code,
      message,
    })),
    ...(answer !== undefined && { answer }),
    ...(result !== undefined && { result }),
    ...(reason !== undefined && { reason }),
    ...(policy !== undefined && { policy }),
    ...(failure && {
      failure: { code: failure.code, message: failure.message },
    }),
  }
}
