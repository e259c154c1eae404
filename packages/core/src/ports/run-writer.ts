import { type HookRun, type RunWriter, scopeOf } from '../engine/index.ts'

const none: readonly never[] = Object.freeze([])

/** Writes down what becomes of a run: what it said stays with the run. */
export const runWriter: RunWriter = {
  start(run) {
    const { home, point, hook, scope, startedAt, startedMs, deadline } = run
    return {
      dispatch: home.id,
      point,
      hook,
      scope,
      startedAt,
      deadlineMs: deadline - startedMs,
      input: home.ledger.value,
    }
  },
  record(run) {
    const { home, planned, ending, startedAt, latencyMs } = run
    const { id, options } = home
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
      startedAt,
      latencyMs,
      answer,
      reason: ending.reason,
      decided,
      failure: error && { code: error.code, message: error.message },
      policy,
      failedOpen: policy === 'open' || policy === 'fallback',
      contributions: hashesOf(run),
      diagnostics: run.done?.diagnostics ?? none,
    }
  },
  late({ home, hook, point, startedMs }, settled) {
    const latencyMs = home.engine.ports.clock.now() - startedMs
    return { dispatch: home.id, hook, point, settled, latencyMs }
  },
}

/** Of what a run has contributed, records have only these. */
function hashesOf({ home, ending }: HookRun) {
  const { engine } = home
  const hash = (value: unknown) =>
    engine.guard('hash', () => engine.ports.hash(value)) ?? ''
  return (
    ending.contributed?.map(({ kind, value }) => ({
      kind,
      hash: hash(value),
    })) ?? none
  )
}
