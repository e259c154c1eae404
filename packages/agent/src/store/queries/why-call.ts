import type { FailurePolicy, Mode, RunState, Visibility } from 'hookline'
import type {
  Answerer,
  PermissionDecision,
  SafetyClass,
  ToolCallStatus,
} from 'hookline/lifecycle'
import type { CallVerdict } from '../../ports/store.ts'
import type { ApprovalState, Lasts } from '../approvals/approval.ts'
import { readRequesters } from '../approvals/approval-row.ts'
import type { Dialect, Row } from '../database.ts'
import type { StoreParts } from '../parts.ts'
import { approverOf } from './approver-of.ts'
import { readJudged } from './judged-call.ts'
import { runsBy } from './runs-by.ts'
import {
  number,
  readRun,
  type StoredRun,
  storedRunColumns,
  text,
} from './stored-run.ts'
import type { CallState } from './trace-turn.ts'
import { type CallDecider, whoDecided } from './who-decided.ts'

/** Why a call was allowed, or was not: all who had a say, in order. */
export interface CallExplanation {
  readonly turnId: string
  readonly callId: string
  readonly sessionId: string
  readonly tool: string
  readonly owner: string
  readonly safety: SafetyClass
  /** How far it has come, and how it ended. */
  readonly state: CallState
  readonly status: ToolCallStatus | undefined
  readonly error: string | undefined
  /** Who or what had the last word; undefined until somebody had it. */
  readonly decidedBy: CallDecider | undefined
  /** As it was judged, redacted; undefined once its payload is gone. */
  readonly args: unknown
  /** As the model wrote it, where that was changed since. */
  readonly originalArgs: unknown
  /** SHA-256 over canonical JSON of the arguments as they were judged. */
  readonly argsHash: string | undefined
  readonly seal: string | undefined
  /** What policy granted it, as it was sealed. */
  readonly grant: unknown
  /** No hook has judged it, and policy did not ask for one. */
  readonly isUngated: boolean
  readonly approvedBy: Answerer | undefined
  readonly startedAt: number
  readonly endedAt: number | undefined
  readonly verdicts: readonly ExplainedVerdict[]
  readonly approvals: readonly ExplainedApproval[]
}

/** What one hook had to say, or why it said nothing. */
export interface ExplainedVerdict {
  /** Undefined where the record of the run is gone. */
  readonly runId: string | undefined
  readonly point: string
  readonly hook: string
  /** Undefined where the record of the run is gone, and only its answer left. */
  readonly state: RunState | undefined
  readonly mode: Mode | undefined
  /** Who may see it; undefined where nobody can say any more. */
  readonly visibility: Visibility | undefined
  readonly answer: string | undefined
  /** Its words, redacted; undefined where content of runs is not kept. */
  readonly reason: string | undefined
  readonly decided: boolean
  readonly failure: StoredRun['failure']
  readonly policy: FailurePolicy | undefined
  readonly failedOpen: boolean
  readonly startedAt: number
  readonly latencyMs: number | undefined
}

export interface ExplainedApproval {
  readonly id: string
  readonly state: ApprovalState
  readonly approvers: number
  readonly requestedBy: readonly string[]
  readonly askedAt: number
  readonly expiresAt: number
  readonly decidedAt: number | undefined
  readonly decidedBy: string | undefined
  readonly reason: string | undefined
  readonly lasts: Lasts | undefined
  readonly votes: readonly ExplainedVote[]
}

export interface ExplainedVote {
  readonly voter: string
  readonly decision: PermissionDecision['type']
  readonly at: number
}

export interface WhichCall {
  readonly turnId: string
  readonly callId: string
  /** Needed only where two sessions have a turn of this id. */
  readonly sessionId?: string
}

export const whyCallSql = (dialect: Dialect) => ({
  call: `SELECT session_id, tool, owner, safety, state, status, error, seal,
  grant_json, verdicts, is_ungated, approver, approved_by, decider,
  decided_by, started_at, ended_at, payload
FROM calls WHERE turn_id = ? AND call_id = ?
  AND session_id = COALESCE(CAST(? AS TEXT), session_id)
ORDER BY started_at DESC LIMIT 1`,
  // A hook that never began was not given the call: its dispatch tells.
  runs: `SELECT ${storedRunColumns} FROM ${runsBy('runs_by_turn', dialect)}
WHERE session_id = ? AND turn_id = ?
  AND (call_id = ? OR (call_id IS NULL AND dispatch IN (
    SELECT dispatch FROM runs WHERE turn_id = ? AND call_id = ?)))
ORDER BY started_at, place LIMIT 1000`,
  approvals: `SELECT approvals.id, approvals.state, approvals.approvers,
  approvals.requested_by, approvals.asked_at, approvals.expires_at,
  approvals.decided_at, approvals.decided_by, approvals.reason,
  approvals.lasts, votes.voter, votes.decision, votes.at
FROM approvals LEFT JOIN votes ON votes.approval_id = approvals.id
WHERE approvals.session_id = ? AND approvals.turn_id = ?
  AND approvals.call_id = ?
ORDER BY approvals.asked_at, approvals.id, votes.at LIMIT 1000`,
  ends: `SELECT about FROM journal
WHERE session_id = ? AND turn_id = ? AND type = 'call-end'
ORDER BY seq DESC LIMIT 1000`,
})

/** One question, one answer; undefined if there is no such call. */
export async function whyCall(
  parts: Pick<StoreParts, 'database' | 'redactor' | 'payloads'>,
  { turnId, callId, sessionId: wanted }: WhichCall,
): Promise<CallExplanation | undefined> {
  const { database, redactor } = parts
  const sql = whyCallSql(database.dialect)
  const key = [turnId, redactor.text(callId)]
  const which = [...key, wanted ?? null]
  const [call] = await database.read({ sql: sql.call, values: which })
  if (call === undefined) return undefined
  const sessionId = String(call['session_id'])
  const ofSession = [sessionId, ...key]
  const [runs, asked, ends] = await Promise.all([
    database.read({ sql: sql.runs, values: [...ofSession, ...key] }),
    database.read({ sql: sql.approvals, values: ofSession }),
    call['status'] === 'denied'
      ? database.read({ sql: sql.ends, values: [sessionId, turnId] })
      : [],
  ])
  // The journal's writer puts no other words there.
  const explained = {
    turnId,
    callId,
    sessionId,
    ...readJudged(parts, call, key),
    tool: String(call['tool']),
    owner: String(call['owner']),
    safety: String(call['safety']) as SafetyClass,
    state: String(call['state']) as CallState,
    status: text(call['status']) as ToolCallStatus | undefined,
    error: text(call['error']),
    seal: text(call['seal']),
    grant: JSON.parse(text(call['grant_json']) ?? 'null') as unknown,
    isUngated: call['is_ungated'] === 1,
    approvedBy: approverOf(call),
    startedAt: Number(call['started_at']),
    endedAt: number(call['ended_at']),
    verdicts: verdictsOf(call, runs.map(readRun)),
    approvals: approvalsOf(asked),
  }
  const told = toldModel(ends, redactor.text(callId))
  return { ...explained, decidedBy: whoDecided(call, explained, told) }
}

/** What the model was told of a call's end, where the journal keeps content. */
function toldModel(ends: readonly Row[], callId: string): string | undefined {
  for (const { about } of ends) {
    const { call, content } = Object(JSON.parse(text(about) ?? 'null'))
    if (call !== callId) continue
    const blocks: unknown = content?.ended?.result?.content
    const [first] = Array.isArray(blocks) ? blocks : []
    return typeof first?.text === 'string' ? first.text : undefined
  }
  return undefined
}

/** Runs may be gone before the call is: then it says itself who judged it. */
function verdictsOf(
  call: Row,
  runs: readonly StoredRun[],
): readonly ExplainedVerdict[] {
  // The journal's writer has put a list of verdicts there.
  const sealed = JSON.parse(text(call['verdicts']) ?? '[]') as CallVerdict[]
  const left = sealed.filter(
    (verdict) => !runs.some((run) => isSameRun(run, verdict)),
  )
  return [...runs.map(verdictOfRun), ...left.map(verdictOfCall)].toSorted(
    (one, other) => one.startedAt - other.startedAt,
  )
}

function isSameRun(run: StoredRun, verdict: CallVerdict): boolean {
  return (
    run.hook === verdict.hook &&
    run.point === verdict.point &&
    run.startedAt === Math.floor(verdict.startedAt)
  )
}

function verdictOfRun(run: StoredRun): ExplainedVerdict {
  const { point, hook, state, mode, answer, reason, decided, failure } = run
  const { policy, failedOpen, startedAt, latencyMs, visibility } = run
  return {
    runId: run.id,
    point,
    hook,
    state,
    mode,
    visibility,
    answer,
    reason,
    decided,
    failure,
    policy,
    failedOpen,
    startedAt,
    latencyMs,
  }
}

function verdictOfCall(verdict: CallVerdict): ExplainedVerdict {
  const { point, hook, answer, startedAt, latencyMs } = verdict
  return {
    runId: undefined,
    point,
    hook,
    state: undefined,
    mode: undefined,
    visibility: undefined,
    answer,
    reason: undefined,
    decided: false,
    failure: undefined,
    policy: undefined,
    failedOpen: false,
    startedAt: Math.floor(startedAt),
    latencyMs,
  }
}

function approvalsOf(rows: readonly Row[]): readonly ExplainedApproval[] {
  const byId = Map.groupBy(rows, (row) => String(row['id']))
  // Columns of our own, which hold no other words.
  return [...byId].map(([id, [row = {}, ...more]]) => ({
    id,
    state: String(row['state']) as ApprovalState,
    approvers: Number(row['approvers']),
    requestedBy: readRequesters(String(row['requested_by'])),
    askedAt: Number(row['asked_at']),
    expiresAt: Number(row['expires_at']),
    decidedAt: number(row['decided_at']),
    decidedBy: text(row['decided_by']),
    reason: text(row['reason']),
    lasts: text(row['lasts']) as Lasts | undefined,
    votes: [row, ...more]
      .filter((one) => text(one['voter']) !== undefined)
      .map((one) => ({
        voter: String(one['voter']),
        decision: String(one['decision']) as ExplainedVote['decision'],
        at: Number(one['at']),
      })),
  }))
}
