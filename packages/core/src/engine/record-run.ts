import type { Dispatch } from './dispatch.ts'
import type { FailureCode, HookError } from './error.ts'
import type {
  ContributionRecord,
  FailurePolicy,
  HookRecord,
  RunNote,
  RunState,
} from './record.ts'
import type { HookRun } from './run.ts'
import type { PlannedHook } from './table.ts'

/** How a run ended. */
export interface Ending {
  readonly state: RunState
  readonly note?: RunNote
  readonly answer?: HookRecord['answer']
  readonly decided?: boolean
  readonly error?: HookError<FailureCode>
  readonly policy?: FailurePolicy | undefined
}

const none: readonly never[] = []

/** Writes the record of a run; of one that never began there is no `run`. */
export function recordRun(
  dispatch: Dispatch,
  planned: PlannedHook,
  ending: Ending,
  run?: HookRun,
): HookRecord {
  const { error, policy } = ending
  const { kernel, nowMs } = dispatch
  const startedMs = run === undefined ? nowMs : run.startedMs
  const record: HookRecord = {
    dispatch: dispatch.id,
    point: planned.point,
    hook: planned.name,
    handler: planned.handler,
    visibility: planned.visibility,
    mode: planned.mode,
    attempt: dispatch.attempt,
    state: ending.state,
    note: ending.note,
    startedAt: kernel.wallAt(startedMs),
    latencyMs: nowMs - startedMs,
    answer: ending.answer,
    decided: ending.decided ?? false,
    failure: error && { code: error.code, message: error.message },
    policy,
    failedOpen: policy === 'open' || policy === 'fallback',
    contributions: hashContributions(dispatch, run),
    diagnostics: run?.diagnostics ?? none,
  }
  try {
    kernel.records.end(record)
  } catch {
    kernel.portThrew('records')
  }
  if (kernel.listeners !== undefined) {
    kernel.emit({ type: 'hook-end', record, error })
  }
  return record
}

function hashContributions(
  { kernel }: Dispatch,
  run: HookRun | undefined,
): readonly ContributionRecord[] {
  if (run?.contributed === undefined) return none
  return run.contributed.map(({ kind, value }) => ({
    kind,
    hash: kernel.hash(value),
  }))
}
