import { type } from '../define/define-point.ts'
import type { Reply, UserContent } from './content.ts'
import { policy } from './contributions/policy.ts'
import { promptContext } from './contributions/prompt-context.ts'
import { contentLimits, lifecyclePoint } from './lifecycle-point.ts'
import type { StopReason } from './model-call.ts'
import type { TurnError, TurnStatus, TurnSummary } from './turn-end.ts'

export interface TurnContentInput {
  readonly content: UserContent
}

export interface TurnPolicyInput extends TurnContentInput {
  readonly model: string
}

export interface TurnStopInput {
  readonly stopReason: StopReason
  readonly reply: Reply
  /** How often hooks have kept this turn going. */
  readonly continuesSoFar: number
  /** False when a limit stops the turn rather than the model. */
  readonly isVoluntary: boolean
}

export interface TurnOutputInput extends TurnContentInput {
  readonly reply: Reply
}

export interface TurnErrorInput extends TurnContentInput {
  readonly error: TurnError
}

export interface PostTurnInput {
  readonly status: TurnStatus
  readonly summary: TurnSummary
}

/** Rewrites a message before it enters the conversation, or keeps it out. */
export const turnInput = lifecyclePoint('turn.input', {
  input: type<TurnContentInput>(),
  subject: 'content',
  answers: ['transform', 'replace', 'reject'],
  contributes: [promptContext],
  limits: contentLimits,
})

/** Judges the message as it will enter; a reject refuses the turn. */
export const turnPreTurn = lifecyclePoint('turn.pre_turn', {
  input: type<TurnContentInput>(),
  answers: ['reject'],
  contributes: [promptContext],
})

/** Sets the policies that hold for the rest of the turn. */
export const turnPrePolicy = lifecyclePoint('turn.pre_policy', {
  input: type<TurnPolicyInput>(),
  flow: 'parallel',
  contributes: [policy],
  fields: { model: ({ model }) => model },
})

/** The turn is about to stop; a hook can keep it going, within a cap. */
export const turnStop = lifecyclePoint('turn.stop', {
  input: type<TurnStopInput>(),
  answers: ['keepGoing'],
  fields: {
    stopReason: ({ stopReason }) => stopReason,
    isVoluntary: ({ isVoluntary }) => isVoluntary,
  },
})

/** Judges the last reply; a reject withholds it, which is not an error. */
export const turnOutput = lifecyclePoint('turn.output', {
  input: type<TurnOutputInput>(),
  order: 'descending',
  subject: 'reply',
  answers: ['transform', 'replace', 'reject'],
  limits: contentLimits,
  isStreamed: true,
  conceal: (input) => ({ ...input, reply: [] }),
})

/** A failed turn can still answer; what it says passes `turn.output`. */
export const turnError = lifecyclePoint('turn.error', {
  input: type<TurnErrorInput>(),
  output: type<Reply>(),
  answers: ['respond'],
  fields: { code: ({ error }) => error.code },
  limits: contentLimits,
})

/** Once for every turn, after its end; nothing here reaches its outcome. */
export const turnPostTurn = lifecyclePoint('turn.post_turn', {
  input: type<PostTurnInput>(),
  flow: 'parallel',
  fields: {
    status: ({ status }) => status,
    model: ({ summary }) => summary.model,
  },
})
