import type { EndedRun, HookRecord, StartedRun } from 'hookline'

const handler = { id: 'guard', kind: 'code', version: '1' }

/** A run of a guard, as an engine tells of its start. */
export function startedRun(dispatch: string, call: number): StartedRun {
  return {
    dispatch,
    point: 'tool.guard',
    hook: 'guard',
    scope: scopeOf(call),
    startedAt: 1_700_000_000_000 + call,
    deadlineMs: 30_000,
    input: Object.freeze({ id: `call-${call}`, tool: 'read', args: { call } }),
  }
}

/** The same, as it ends. */
export function endedRun(dispatch: string, call: number): EndedRun {
  const record: HookRecord = {
    dispatch,
    inside: undefined,
    scope: scopeOf(call),
    point: 'tool.guard',
    hook: 'guard',
    handler,
    visibility: 'internal',
    mode: 'enforce',
    attempt: 1,
    state: 'completed',
    note: undefined,
    startedAt: 1_700_000_000_000 + call,
    latencyMs: 1.5,
    answer: 'proceed',
    reason: undefined,
    decided: false,
    failure: undefined,
    policy: undefined,
    failedOpen: false,
    contributions: [],
    diagnostics: [],
  }
  return { point: record.point, record, ending: {} }
}

function scopeOf(call: number): object {
  const sessionId = `session-${call % 50}`
  return { agent: 'main', sessionId, turnId: `turn-${call % 500}` }
}
