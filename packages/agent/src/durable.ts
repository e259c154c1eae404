export { joinActors } from './data/join-actors.ts'
export {
  defineJob,
  type JobDefinition,
} from './jobs/define-job.ts'
export type {
  JobCounts,
  JobPage,
  JobQueue,
  JobRetry,
  JobState,
  ListedJob,
  RetryAnswer,
} from './jobs/job-queue.ts'
export { createJobQueue } from './jobs/table-queue.ts'
export {
  createDurableRuntime,
  type DurableOptions,
  type DurableRuntime,
} from './runtime/durable-runtime.ts'
export { keptResult } from './runtime/kept-result.ts'
export { checkSameInput, inputDigest } from './runtime/known-inputs.ts'
export type {
  AnswerOutcome,
  Approval,
  ApprovalAlarm,
  ApprovalPage,
  ApprovalReply,
  ApprovalRule,
  ApprovalState,
  Covers,
  Lasts,
  ManyOutcome,
  ManyReplies,
  PageOptions,
  Principal,
  ReadAnswer,
  Refusal,
  RuleLift,
  RulePage,
  ShownQuestion,
  ShownText,
  StoredAnswer,
  StoredApprovals,
  StoredApprovalsOptions,
  Swept,
  UseOutcome,
  UseProblem,
  Voided,
} from './store/approvals/index.ts'
export { actorNamed } from './store/approvals/index.ts'
export type { AuditEntry } from './store/audit/audit-entry.ts'
export type { AuditHead } from './store/audit/audit-record.ts'
export type { AuditReport, AuditTamper } from './store/audit/audit-report.ts'
export type { Audit, AuditOptions } from './store/audit/create-audit.ts'
export {
  createFileAnchors,
  readFileAnchors,
} from './store/audit/file-anchors.ts'
export {
  type AuditPage,
  type ListAuditOptions,
  listAudit,
} from './store/audit/list-audit.ts'
export { verifyAudit } from './store/audit/verify-audit.ts'
export { backupSqlite } from './store/backup/backup-sqlite.ts'
export { exportStore } from './store/backup/export-store.ts'
export {
  type RestoredBackup,
  type RestoreOptions,
  restoreBackup,
} from './store/backup/restore-backup.ts'
export type {
  ContentLevel,
  ContentLevels,
} from './store/content/content-level.ts'
export type { PayloadKey } from './store/content/create-payloads.ts'
export {
  createRedactor,
  type SecretRedactor,
  secretsOf,
} from './store/content/create-redactor.ts'
export { dropDeadWorkers } from './store/dead-workers.ts'
export type {
  EventLog,
  EventPage,
  LoggedEvent,
  ReadEventsOptions,
} from './store/events/event-log.ts'
export type {
  Inbox,
  InboxMessage,
  MessageOutcome,
  NewMessage,
  WaitingSession,
} from './store/inbox/inbox.ts'
export type { Memories, Memory } from './store/memories/memories.ts'
export { openStore, type Store, type StoreOptions } from './store/open-store.ts'
export type { PostgresOptions } from './store/postgres/open-postgres.ts'
export { probeStore } from './store/probe-store.ts'
export {
  type FindCallsOptions,
  type FoundCall,
  findCalls,
} from './store/queries/find-calls.ts'
export {
  type HookFigures,
  hookFigures,
  type Latency,
  listHookNames,
} from './store/queries/hook-figures.ts'
export {
  type HookHistory,
  hookHistory,
} from './store/queries/hook-history.ts'
export { listAttempts } from './store/queries/list-attempts.ts'
export { listBeside } from './store/queries/list-beside.ts'
export {
  type DispatchFilter,
  type DispatchPage,
  findDispatch,
  type Given,
  type GivenRun,
  listDispatches,
  type StoredDispatch,
} from './store/queries/list-dispatches.ts'
export {
  findRun,
  findRuns,
  listRuns,
  type RunCursor,
  type RunFilter,
  type RunPage,
} from './store/queries/list-runs.ts'
export { type SkippedRuns, skipRuns } from './store/queries/skip-runs.ts'
export type { StoredRun } from './store/queries/stored-run.ts'
export {
  findTurnEvents,
  type TraceCursor,
  type TracedCall,
  type TurnTrace,
  traceTurn,
} from './store/queries/trace-turn.ts'
export {
  type UsageFigures,
  usageFigures,
} from './store/queries/usage-figures.ts'
export type { CallDecider } from './store/queries/who-decided.ts'
export {
  type CallExplanation,
  type ExplainedApproval,
  type ExplainedVerdict,
  type ExplainedVote,
  whyCall,
} from './store/queries/why-call.ts'
export {
  createRetention,
  type RemovedRows,
} from './store/retention/create-retention.ts'
export { deleteSession } from './store/sessions/delete-session.ts'
export {
  type ExportedRow,
  exportSession,
} from './store/sessions/export-session.ts'
export {
  type AbandonedTurn,
  listAbandoned,
} from './store/sessions/list-abandoned.ts'
export {
  getSession,
  getTurn,
  type ListedSession,
  listSessions,
  listTurns,
} from './store/sessions/list-sessions.ts'
export { readStoredSession } from './store/sessions/read-session.ts'
export {
  type SignalOptions,
  type Signals,
  topics,
} from './store/signals/signals.ts'
export type { SqliteOptions } from './store/sqlite/open-sqlite.ts'
export { StoreError, type StoreErrorCode } from './store/store-error.ts'
export {
  type NewTask,
  type OpenTask,
  type Tasks,
  taskEvent,
  taskEventPrefix,
} from './store/tasks/tasks.ts'
export type {
  Fired,
  FiredWake,
  LeftFiring,
  NamedEvent,
  NewWake,
  StoredWake,
  WakePage,
  WakePageOptions,
  Wakes,
} from './store/wakes/wakes.ts'
