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
} from './jobs/job-queue.ts'
export { createJobQueue } from './jobs/table-queue.ts'
export {
  createDurableRuntime,
  type DurableOptions,
  type DurableRuntime,
} from './runtime/durable-runtime.ts'
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
export type { AuditEntry } from './store/audit/audit-entry.ts'
export type { AuditHead } from './store/audit/audit-record.ts'
export type { AuditReport, AuditTamper } from './store/audit/audit-report.ts'
export type { Audit, AuditOptions } from './store/audit/create-audit.ts'
export { createFileAnchors } from './store/audit/file-anchors.ts'
export { verifyAudit } from './store/audit/verify-audit.ts'
export { backupSqlite, restoreSqlite } from './store/backup/backup-sqlite.ts'
export { exportStore } from './store/backup/export-store.ts'
export { restoreStore } from './store/backup/restore-store.ts'
export type {
  ContentLevel,
  ContentLevels,
} from './store/content/content-level.ts'
export type { PayloadKey } from './store/content/create-payloads.ts'
export type { Memories, Memory } from './store/memories/memories.ts'
export { openStore, type Store, type StoreOptions } from './store/open-store.ts'
export type { PostgresOptions } from './store/postgres/open-postgres.ts'
export {
  type HookFigures,
  hookFigures,
  type Latency,
  listHookNames,
} from './store/queries/hook-figures.ts'
export { listAttempts } from './store/queries/list-attempts.ts'
export { findRun, listRuns } from './store/queries/list-runs.ts'
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
  getSession,
  getTurn,
  listSessions,
  listTurns,
} from './store/sessions/list-sessions.ts'
export type { SqliteOptions } from './store/sqlite/open-sqlite.ts'
export { StoreError, type StoreErrorCode } from './store/store-error.ts'
