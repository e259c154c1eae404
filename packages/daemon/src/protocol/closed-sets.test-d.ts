import type { MemoryOrigin } from '@hookline/agent'
import type {
  ConfigLayer,
  HooksState,
  TrustState,
} from '@hookline/agent/config'
import type {
  AnswerOutcome,
  ApprovalState,
  CallExplanation,
  Covers,
  JobState,
  Lasts,
  Refusal,
} from '@hookline/agent/durable'
import type { McpServerState } from '@hookline/agent/plugins'
import type {
  FailurePolicy,
  Mode,
  RunNote,
  RunState,
  Visibility,
} from 'hookline'
import type {
  PermissionDecision,
  SafetyClass,
  SessionEndReason,
  ToolCallStatus,
  TurnStatus,
} from 'hookline/lifecycle'
import type { z } from 'zod'
import type { Caller } from './caller.ts'
import type { OutputOf } from './operations.ts'
import type * as sets from './schemas/closed-sets.ts'

type Sets = typeof sets
type Words<Name extends keyof Sets> = z.infer<Sets[Name]>

/** What the agent, or the daemon behind the protocol, has for each set. */
interface Ours {
  turnStatus: TurnStatus | 'running'
  endReason: SessionEndReason
  callState: CallExplanation['state']
  callStatus: ToolCallStatus
  safety: SafetyClass
  runState: RunState
  runNote: RunNote
  visibility: Visibility
  mode: Mode
  failurePolicy: FailurePolicy
  approvalState: ApprovalState
  decision: PermissionDecision['type']
  lasts: Lasts
  covers: Covers
  answered: Exclude<AnswerOutcome['type'], 'unknown'>
  refusalCode: Refusal
  jobState: JobState
  serverState: McpServerState
  memoryOrigin: MemoryOrigin
  trustState: TrustState
  configLayer: ConfigLayer
  sourceState: HooksState['config']['sources'][number]['state']
  callerKind: Caller['kind']
}

type Equal<A, B> = [A, B] extends [B, A] ? true : false

function isTrue<T extends true>(): T | undefined {
  return undefined
}

// No set is left out, and each has the same words on both sides.
isTrue<Equal<keyof Ours, keyof Sets>>()
isTrue<Equal<{ [Name in keyof Sets]: Words<Name> }, Ours>>()
// @ts-expect-error a word that only one side has is told
isTrue<Equal<Words<'jobState'>, JobState | 'lost'>>()

// What a client is told has these words, and no others.
isTrue<
  Equal<OutputOf<'listTurns'>['items'][number]['status'], Ours['turnStatus']>
>()
isTrue<Equal<OutputOf<'whyCall'>['status'], ToolCallStatus | undefined>>()
isTrue<Equal<OutputOf<'whyCall'>['state'], Ours['callState']>>()
isTrue<Equal<OutputOf<'getRun'>['state'], RunState>>()
isTrue<Equal<OutputOf<'getApproval'>['state'], ApprovalState>>()
