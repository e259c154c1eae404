import { type HookRecord, type HookRun, scopeOf } from '../engine/index.ts'

const none: readonly never[] = Object.freeze([])

/** What became of a run that has ended; also of one that never began. */
export function recordOf(run: HookRun): HookRecord {
  const { home, planned, startedMs, endedMs, ending } = run
  const { engine, id, options } = home
  const { state, note, answer, decided = false, error, policy } = ending
  return {
    dispatch: id,
    inside: options.parent?.run,
    scope: scopeOf(home),
    point: planned.point,
    hook: planned.name,
    handler: planned.handler,
    visibility: planned.visibility,
    mode: planned.mode,
    attempt: options.attempt ?? 1,
    state,
    note,
    startedAt: engine.ports.clock.wallAt(startedMs),
    latencyMs: endedMs - startedMs,
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
    diagnostics: run.done?.diagnostics ?? none,
  }
}
