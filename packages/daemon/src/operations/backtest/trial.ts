import { lifecycleJudge } from '@hookline/agent'
import { loadLinearRegex } from '@hookline/agent/config'
import {
  type CancelSignal,
  compileTable,
  createEngine,
  createMemoryState,
  type Hook,
  HookError,
  type HookRecord,
  type Outcome,
  type Table,
  type TableOptions,
} from 'hookline'
import type { AgentScope } from 'hookline/lifecycle'
import { ProtocolError } from '../../protocol/errors.ts'
import type { Workspace } from '../../reload/workspace.ts'

/** What a hook says to an input, with nothing that comes of it. */
export interface Tried {
  /** Undefined where its matcher does not want the input. */
  readonly record: HookRecord | undefined
  /** What it changed, as it is now; or what it gave in place of the outcome. */
  readonly result?: unknown
}

export interface TryOptions {
  readonly scope: AgentScope
  readonly signal: CancelSignal
  readonly deadlineMs: number
}

export type TryHook = (input: unknown, options: TryOptions) => Promise<Tried>

/** What no table would take is wrong with what was asked. */
function compileAlone(hook: Hook, options: TableOptions): Table {
  try {
    return compileTable([hook], options)
  } catch (error) {
    if (!(error instanceof HookError)) throw error
    throw new ProtocolError('bad-request', error.message, { cause: error })
  }
}

function resultOf(outcome: Outcome, subject: string | undefined): unknown {
  if (outcome.type === 'respond') return outcome.output
  if (outcome.writers.length === 0) return undefined
  return subject === undefined ? outcome.value : Object(outcome.value)[subject]
}

/**
 * Asks one hook on an engine of its own: its records, its state and what it
 * contributes are gone with the answer, and nobody else is asked.
 */
export async function createTrial(
  { store }: Workspace,
  hook: Hook,
): Promise<TryHook> {
  const regex = await loadLinearRegex()
  const table = compileAlone(hook, { match: { regex } })
  return async (input, { scope, signal, deadlineMs }) => {
    let record: HookRecord | undefined
    const engine = createEngine(table, {
      judge: lifecycleJudge,
      clock: store.parts.clock,
      // The same as in records, so that contributions can be compared.
      hash: store.hash,
      records: {
        end(run) {
          if (run.record.hook === hook.name) ({ record } = run)
        },
      },
    })
    const ids = { agent: scope.agent, session: 'trial', turn: 'trial' }
    const state = createMemoryState().at(ids)
    try {
      const options = { scope, signal, deadlineMs, state }
      const outcome = await engine.run(hook.on, input, options)
      return { record, result: resultOf(outcome, hook.on.subject) }
    } catch (error) {
      // A hook that is required and fails is an error to its caller.
      if (signal.aborted || record === undefined) throw error
    }
    return { record }
  }
}
