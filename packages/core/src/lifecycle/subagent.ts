import { type } from '../define/define-point.ts'
import type { Reply } from './content.ts'
import { promptContext } from './contributions/prompt-context.ts'
import { lifecyclePoint } from './lifecycle-point.ts'
import type { TurnStatus } from './turn-end.ts'

export interface SubagentStartInput {
  readonly parent: string
  readonly child: string
  readonly task: string
}

export interface SubagentStopInput extends SubagentStartInput {
  readonly status: TurnStatus
  readonly reply: Reply
  /** How often hooks have kept it going. */
  readonly continuesSoFar: number
}

const fields = {
  parent: ({ parent }: SubagentStartInput) => parent,
  child: ({ child }: SubagentStartInput) => child,
}

/** A sub-agent is about to begin its task; a reject refuses it. */
export const subagentStart = lifecyclePoint('subagent.start', {
  input: type<SubagentStartInput>(),
  answers: ['reject'],
  contributes: [promptContext],
  fields,
})

/** A sub-agent is about to hand its reply to its parent. */
export const subagentStop = lifecyclePoint('subagent.stop', {
  input: type<SubagentStopInput>(),
  order: 'descending',
  answers: ['keepGoing'],
  fields: { ...fields, status: ({ status }) => status },
})
