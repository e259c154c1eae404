import type { InputOf, OutputOf } from '@hookline/daemon/client'

/** What views speak of, by the names that the protocol has for it. */
export {
  answererWords,
  approvalWords,
  type CallEnd,
  canLast,
  endOfCall,
  grantWords,
  type InputOf,
  type JudgedRun,
  type OutputOf,
  outcomeOfRun,
  policyWords,
  type RunOutcome,
  readNotice,
  runOutcomes,
  runOverlapMs,
  verdictWords,
  whyEnded,
} from '@hookline/daemon/client'

export type StreamItem = OutputOf<'watchAll'>
export type AgentEvent = Extract<StreamItem, { type: 'event' }>['event']
/** Of one type, or of those that share what they hold. */
export type EventOf<Type extends AgentEvent['type']> = AgentEvent & {
  readonly type: Type
}
export type Session = OutputOf<'listSessions'>['items'][number]
export type SessionDetail = OutputOf<'getSession'>
export type SessionState = SessionDetail['state']
export type Approval = OutputOf<'listApprovals'>['items'][number]
export type ApprovalDetail = OutputOf<'getApproval'>
export type ApprovalRule = OutputOf<'listRules'>['items'][number]
export type PendingQuestions = OutputOf<'listQuestions'>['items'][number]
export type Answer = InputOf<'answerApproval'>
export type Hook = OutputOf<'listHooks'>['items'][number]
export type Plan = OutputOf<'explainHooks'>
export type PlanStep = Plan['steps'][number]
export type Figures = OutputOf<'hookFigures'>['items'][number]
export type UsageItem = OutputOf<'usageFigures'>['items'][number]
export type Run = OutputOf<'listRuns'>['items'][number]
export type OpenedRun = OutputOf<'getRun'>
export type CallExplanation = OutputOf<'whyCall'>
