import type { Answer } from './answer.ts'
import type { Contributed } from './contribution.ts'
import type { FailureCode, HookError } from './error.ts'
import type { PlannedHook } from './plan.ts'

export type RunState =
  | 'started'
  | 'completed'
  | 'skipped'
  | 'failed'
  | 'timed_out'
  | 'backgrounded'
  | 'cancelled'

export type Visibility = 'internal' | 'debug' | 'user_audit' | 'user_visible'
export type Mode = 'enforce' | 'evaluate'
export type FailurePolicy = 'closed' | 'open' | 'fallback' | 'required'

/** Why a run did not get to its own end, where it did not fail. */
export type RunNote = 'chain-ended' | 'caller-cancelled' | 'superseded'

/** What happened to one hook in one dispatch. Holds no content, other than what
 * the hook itself says: its reason and its diagnostics. */
export interface HookRecord {
  /** With the hook's name this is the id of the run, `dispatch/hook`. */
  readonly dispatch: string
  /** The id of the run that this one is nested in, if it is. */
  readonly inside: string | undefined
  /** The moment, as the caller described it: session, turn and so on. */
  readonly scope: object
  readonly point: string
  readonly hook: string
  readonly handler: HandlerId
  readonly visibility: Visibility
  readonly mode: Mode
  readonly attempt: number
  readonly state: RunState
  readonly note: RunNote | undefined
  /** Wall-clock milliseconds at its start. */
  readonly startedAt: number
  readonly latencyMs: number
  readonly answer: Answer['type'] | undefined
  /** The words of an answer that has some: its reason, question or feedback. */
  readonly reason: string | undefined
  /** Whether this run's answer, or its failure, ended the chain. */
  readonly decided: boolean
  readonly failure: RecordedFailure | undefined
  /** The policy that was applied to the failure. */
  readonly policy: FailurePolicy | undefined
  readonly failedOpen: boolean
  readonly contributions: readonly ContributionRecord[]
  readonly diagnostics: readonly Diagnostic[]
}

export interface HandlerId {
  readonly id: string
  readonly kind: string
  readonly version: string
}

interface RecordedFailure {
  readonly code: FailureCode
  /** Our own words; nothing the hook or its input said. */
  readonly message: string
}

interface ContributionRecord {
  readonly kind: string
  readonly hash: string
}

export interface Diagnostic {
  readonly code: string
  readonly message: string
  readonly safeForUser: boolean
}

/** A run that ended for its caller and was heard of again. */
export interface LateNote {
  readonly dispatch: string
  readonly hook: string
  readonly point: string
  readonly settled: 'answered' | 'threw'
  readonly latencyMs: number
}

/** A run that has begun. */
export interface StartedRun
  extends Pick<HookRecord, 'dispatch' | 'point' | 'hook' | 'scope'> {
  /** Wall-clock milliseconds. */
  readonly startedAt: number
  /** How long it may take. */
  readonly deadlineMs: number
  /** What it was given; frozen, and the same for all runs of a value. */
  readonly input: unknown
}

/** What a run has said that is content: sinks keep it only where they may. */
export interface Said {
  /** Of its answer: what it changed, or gave instead; or its reason again. */
  readonly payload?: unknown
  readonly contributed?: readonly Contributed[]
}

/** How a run ended. */
export interface Ending
  extends Said,
    Pick<HookRecord, 'state'>,
    Partial<
      Pick<HookRecord, 'note' | 'answer' | 'reason' | 'decided' | 'policy'>
    > {
  readonly error?: HookError<FailureCode>
}

/** A run that has ended. */
export interface EndedRun {
  readonly point: string
  /** Written when first asked for. */
  readonly record: HookRecord
  readonly ending: Said
}

/** The same as the dispatch knows it, without its record. */
export interface KnownRun {
  readonly planned: PlannedHook
  /** Wall-clock milliseconds at its start. */
  readonly startedAt: number
  readonly latencyMs: number
  readonly ending: Ending
}

/** Where records go. Must not throw; what it throws is alarmed and dropped. */
export interface RecordSink {
  /** A run has begun; only called where a sink wants to know. */
  start?(run: StartedRun): void
  end(run: EndedRun): void
  late?(note: LateNote): void
}
