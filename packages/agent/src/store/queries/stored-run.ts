import type {
  Diagnostic,
  FailurePolicy,
  HandlerId,
  LateNote,
  Mode,
  RunNote,
  RunState,
  Visibility,
} from 'hookline'
import type { Row, SqlValue } from '../database.ts'

/** A run of a hook as the store has it. */
export interface StoredRun {
  readonly id: string
  readonly dispatch: string
  readonly inside: string | undefined
  readonly sessionId: string | undefined
  readonly turnId: string | undefined
  readonly callId: string | undefined
  readonly agent: string | undefined
  readonly point: string
  readonly hook: string
  readonly handler: HandlerId | undefined
  readonly visibility: Visibility | undefined
  readonly mode: Mode | undefined
  readonly attempt: number
  readonly state: RunState
  readonly note: RunNote | undefined
  readonly startedAt: number
  /** Absent while it runs, and if its process died. */
  readonly latencyMs: number | undefined
  readonly deadlineMs: number | undefined
  readonly answer: string | undefined
  /** The words of its answer, redacted; only where content is kept. */
  readonly reason: string | undefined
  readonly decided: boolean
  readonly failure:
    | { readonly code: string; readonly message: string }
    | undefined
  readonly policy: FailurePolicy | undefined
  readonly failedOpen: boolean
  readonly contributions: readonly {
    readonly kind: string
    readonly hash: string
  }[]
  readonly diagnostics: readonly Diagnostic[]
  readonly idempotencyKey: string | undefined
  readonly inputHash: string | undefined
  readonly worker: string | undefined
  /** How it was heard of after its end. */
  readonly late: Pick<LateNote, 'settled' | 'latencyMs'> | undefined
  /** What it was given, redacted; only where that is kept. */
  readonly content: string | undefined
  /** What it said, redacted: `findRun` alone reads it, where it is kept. */
  readonly said: string | undefined
}

/** What `readRun` reads: all but what has to be exact. */
export const storedRunColumns = `id, dispatch, inside, session_id, turn_id,
  call_id, agent, point, hook, handler_id, handler_kind, handler_version,
  visibility, mode, attempt, state, note, started_at, place, latency_ms,
  deadline_ms, answer, reason, decided, failure_code, failure_message, policy,
  failed_open, contributions, diagnostics, idempotency_key, input_hash, worker,
  late, late_ms, content`

/** The same without what may be long. */
export const briefRunColumns = storedRunColumns.replace(', content', '')

export function readRun(row: Row): StoredRun {
  const code = text(row['failure_code'])
  const handlerId = text(row['handler_id'])
  const settled = text(row['late'])
  // What the store wrote is what it reads: these columns hold no other words.
  return {
    id: String(row['id']),
    dispatch: String(row['dispatch']),
    inside: text(row['inside']),
    sessionId: text(row['session_id']),
    turnId: text(row['turn_id']),
    callId: text(row['call_id']),
    agent: text(row['agent']),
    point: String(row['point']),
    hook: String(row['hook']),
    handler:
      handlerId === undefined
        ? undefined
        : {
            id: handlerId,
            kind: text(row['handler_kind']) ?? '',
            version: text(row['handler_version']) ?? '',
          },
    visibility: text(row['visibility']) as Visibility | undefined,
    mode: text(row['mode']) as Mode | undefined,
    attempt: Number(row['attempt']),
    state: String(row['state']) as RunState,
    note: text(row['note']) as RunNote | undefined,
    startedAt: Number(row['started_at']),
    latencyMs: number(row['latency_ms']),
    deadlineMs: number(row['deadline_ms']),
    answer: text(row['answer']),
    reason: text(row['reason']),
    decided: row['decided'] === 1,
    failure:
      code === undefined
        ? undefined
        : { code, message: text(row['failure_message']) ?? '' },
    policy: text(row['policy']) as FailurePolicy | undefined,
    failedOpen: row['failed_open'] === 1,
    contributions: list(row['contributions']) as StoredRun['contributions'],
    diagnostics: list(row['diagnostics']) as StoredRun['diagnostics'],
    idempotencyKey: text(row['idempotency_key']),
    inputHash: text(row['input_hash']),
    worker: text(row['worker']),
    late:
      settled === undefined
        ? undefined
        : {
            settled: settled as LateNote['settled'],
            latencyMs: Number(row['late_ms']),
          },
    content: text(row['content']),
    said: text(row['said']),
  }
}

/** The text of a column, undefined for null. */
export function text(value: SqlValue | undefined): string | undefined {
  return value === null || value === undefined ? undefined : String(value)
}

export function number(value: SqlValue | undefined): number | undefined {
  return value === null || value === undefined ? undefined : Number(value)
}

function list(value: SqlValue | undefined): readonly unknown[] {
  const parsed: unknown = JSON.parse(text(value) ?? '[]')
  return Array.isArray(parsed) ? parsed : []
}
