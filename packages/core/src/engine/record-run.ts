import type { Contributed } from './contribution.ts'
import type { Dispatch } from './dispatch.ts'
import type { FailureCode, HookError } from './error.ts'
import { scopeOf } from './nesting.ts'
import type { PlannedHook } from './plan.ts'
import type { HookRecord } from './record.ts'
import type { HookRun } from './run.ts'

/** How a run ended. */
export type Ending = Pick<HookRecord, 'state'> &
  Partial<
    Pick<HookRecord, 'note' | 'answer' | 'reason' | 'decided' | 'policy'>
  > & {
    readonly error?: HookError<FailureCode>
    /** The value of its answer, if it has one. */
    readonly payload?: unknown
    /** What it contributed, if that counts. */
    readonly contributed?: readonly Contributed[]
  }

const none: readonly never[] = Object.freeze([])

/** Writes the record of a run; of one that never began there is no `run`. */
export function recordRun(
  dispatch: Dispatch,
  planned: PlannedHook,
  ending: Ending,
  run: HookRun | undefined,
): HookRecord {
  const { engine, id, nowMs, options } = dispatch
  const { state, note, answer, decided = false, error, policy } = ending
  const startedMs = run === undefined ? nowMs : run.startedMs
  const record: HookRecord = {
    dispatch: id,
    inside: options.parent?.run,
    scope: scopeOf(dispatch),
    point: planned.point,
    hook: planned.name,
    handler: planned.handler,
    visibility: planned.visibility,
    mode: planned.mode,
    attempt: options.attempt ?? 1,
    state,
    note,
    startedAt: engine.ports.clock.wallAt(startedMs),
    latencyMs: nowMs - startedMs,
    answer,
    reason: ending.reason,
    decided,
    failure: error && { code: error.code, message: error.message },
    policy,
    failedOpen: policy === 'open' || policy === 'fallback',
    contributions:
      ending.contributed?.map(({ kind, value }) => ({
        kind,
        hash: engine.guard('hash', () => engine.ports.hash(value)) ?? '',
      })) ?? none,
    diagnostics: run?.diagnostics ?? none,
  }
  try {
    const kept: unknown = engine.ports.records.end(record, ending)
    if (kept !== undefined) engine.watch('records', kept)
  } catch {
    engine.alarm('port-threw', 'records')
  }
  if (engine.listeners !== undefined) {
    engine.emit({ type: 'hook-end', record, error })
  }
  return record
}
