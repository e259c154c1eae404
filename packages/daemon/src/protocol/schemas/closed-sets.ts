import { z } from 'zod'
import { runStates } from '../run-outcome.ts'
import { turnStatuses } from '../turn-statuses.ts'

// What the agent has a closed set of words for, in the same words: a type test
// compares them. Versions of the protocol are compared at connect, and a client
// does not check answers: a word that a newer daemon adds reaches it as it is.

/** `running`, or how it ended. */
export const turnStatus = z.enum(['running', ...turnStatuses])

/** Why a session is over for good. */
export const endReason = z.enum(['closed', 'expired', 'deleted'])

/** How far a call has come. */
export const callState = z.enum(['waiting', 'sealed', 'ended'])

/** How a call ended. */
export const callStatus = z.enum([
  'executed',
  'synthesized',
  'denied',
  'cancelled',
  'unknown_outcome',
])

export const safety = z.enum([
  'read_only',
  'mutating',
  'destructive',
  'network',
])

/** How far a run has come, or how it ended. */
export const runState = z.enum(runStates)

/** Why a run did not get to its own end, where it did not fail. */
export const runNote = z.enum(['chain-ended', 'caller-cancelled', 'superseded'])

export const visibility = z.enum([
  'internal',
  'debug',
  'user_audit',
  'user_visible',
])

export const mode = z.enum(['enforce', 'evaluate'])

export const failurePolicy = z.enum(['closed', 'open', 'fallback', 'required'])

/** Where a question stands. */
export const approvalState = z.enum([
  'pending',
  'approved',
  'edited',
  'denied',
  'expired',
  'void',
  'used',
])

export const decision = z.enum(['allow', 'deny', 'edit'])

/** How long a yes holds. */
export const lasts = z.enum(['once', 'session', 'always'])

/** What a yes that lasts is for. */
export const covers = z.enum(['arguments', 'tool'])

/** What came of an answer; only `accepted` has decided anything. */
export const answered = z.enum([
  'accepted',
  'counted',
  'repeated',
  'lost',
  'expired',
  'void',
  'refused',
])

/** Why an answer does not count. */
export const refusalCode = z.enum([
  'own-question',
  'no-right',
  'other-shown',
  'tampered',
  'no-content',
])

export const jobState = z.enum([
  'queued',
  'delayed',
  'running',
  'done',
  'failed',
  'dead',
  'cancelled',
])

export const serverState = z.enum(['connecting', 'ready', 'failed', 'stopped'])

export const memoryOrigin = z.enum(['tool', 'extractor', 'import'])

export const trustState = z.enum(['trusted', 'untrusted', 'changed'])

export const configLayer = z.enum([
  'managed',
  'user',
  'project',
  'local',
  'command-line',
])

export const sourceState = z.enum(['loaded', 'kept', 'refused', 'needs-trust'])

export const callerKind = z.enum(['user', 'service'])
