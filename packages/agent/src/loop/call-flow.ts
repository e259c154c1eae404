import type { KnownRun, Question, Table } from 'hookline'
import type {
  AgentScope,
  Answerer,
  MergedEntry,
  SealedCall,
  ToolCall,
  ToolCallStatus,
  ToolErrorKind,
  ToolResult,
} from 'hookline/lifecycle'
import type { CallVerdict, DecidedBy } from '../ports/store.ts'
import type { Cancellation } from './cancellation.ts'
import type { OwnedTool } from './parts.ts'
import type { Turn } from './turn.ts'

/**
 * A call on its way through the pipeline. From policy to `tool.post_call` it
 * sees one table, whatever is swapped meanwhile.
 */
export interface CallFlow {
  readonly turn: Turn
  readonly table: Table
  readonly scope: AgentScope
  /** Of the hooks that judged it so far. */
  readonly runs: KnownRun[]
  readonly context: MergedEntry[]
  /** The step it is part of; aborted when a hook ends the turn. */
  readonly step: Cancellation
  /** A hook has said so: from then on nothing of the step begins. */
  readonly endTurn: (ending: Ending) => void
  /** Whoever watches has been told that it begins. */
  isTold: boolean
}

/** A call that has passed its gates, and what people are to be asked. */
export interface PassedCall {
  readonly type: 'passed'
  readonly owned: OwnedTool
  readonly sealed: SealedCall
  readonly questions: readonly Question[]
  /** The question that people were asked before the process stopped. */
  readonly questionId?: string
  /** Who has agreed to it, if anybody had to. */
  readonly approvedBy?: Answerer
  readonly approvalId?: string
}

/** A call that ended before, or instead of, being run. */
export interface StoppedCall {
  readonly type: 'stopped'
  readonly call: ToolCall
  readonly status: ToolCallStatus
  readonly result: ToolResult
  readonly seal?: string
  /** The tool was called: whatever the status, it may have acted. */
  readonly hasBegun?: boolean
  /** Who kept it from running, or gave its result instead. */
  readonly decidedBy?: DecidedBy
  /** A hook wants the turn to end, too. */
  readonly ending?: Ending
}

export interface Ending {
  readonly by: string
  readonly reason: string
}

/** How a call comes out of its gates. */
export type Gated = PassedCall | StoppedCall

export const byPolicy: DecidedBy = Object.freeze({ kind: 'policy' })
export const byCheck: DecidedBy = Object.freeze({ kind: 'check' })

/** What has failed; words that can begin a sentence about it. */
export function byFault(name: 'a gate' | 'the approvals' | 'the journal') {
  return { kind: 'fault', name } as const
}

export function byHook(name: string): Answerer {
  return { kind: 'hook', name }
}

/** The call is not made: it was refused, or it cannot be. */
export function deny(
  call: ToolCall | SealedCall,
  why: string,
  decidedBy: DecidedBy,
): StoppedCall {
  const kind = decidedBy.kind === 'check' ? 'dispatch' : 'denied'
  return { ...stop(call, 'denied', failure(kind, why)), decidedBy }
}

/** What the model is told of a call that its turn did not come to. */
export function endedBefore(why: string): string {
  return `The turn was ended before this call: ${why}`
}

/** The call is not made: the turn is over before, or goes on without it. */
export function cancel(call: ToolCall | SealedCall, why: string): StoppedCall {
  return stop(call, 'cancelled', failure('cancelled', why))
}

function stop(
  call: ToolCall | SealedCall,
  status: ToolCallStatus,
  result: ToolResult,
): StoppedCall {
  const stopped = { type: 'stopped' as const, call, status, result }
  return 'seal' in call ? { ...stopped, seal: call.seal } : stopped
}

export function failure(error: ToolErrorKind, text: string): ToolResult {
  return { content: [{ type: 'text', text }], isError: true, error }
}

const noVerdicts: readonly never[] = Object.freeze([])

/** Who has judged a call, and how. */
export function verdictsOf({ runs }: CallFlow): readonly CallVerdict[] {
  if (runs.length === 0) return noVerdicts
  const verdicts: CallVerdict[] = []
  for (const run of runs) {
    if (!isVerdict(run)) continue
    const { planned, ending, startedAt, latencyMs } = run
    const { name: hook, point } = planned
    const { answer = 'proceed' } = ending
    verdicts.push({ hook, point, answer, startedAt, latencyMs })
  }
  return verdicts
}

export function isVerdict({ planned, ending }: KnownRun): boolean {
  const { state, answer } = ending
  const isEnforced = planned.mode === 'enforce'
  return isEnforced && state === 'completed' && answer !== undefined
}
