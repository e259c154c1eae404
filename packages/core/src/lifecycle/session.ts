import { type } from '../define/define-point.ts'
import { promptContext } from './contributions/prompt-context.ts'
import { lifecyclePoint } from './lifecycle-point.ts'

/** `resume`: also after a restart, and on another machine. */
export type SessionSource = 'new' | 'resume'

export interface SessionStartInput {
  readonly source: SessionSource
  readonly cwd: string
}

export type SessionEndReason = 'closed' | 'expired' | 'deleted'

export interface SessionEndInput {
  readonly reason: SessionEndReason
}

/** A session begins or goes on; a reject refuses it. */
export const sessionStart = lifecyclePoint('session.start', {
  input: type<SessionStartInput>(),
  answers: ['reject'],
  contributes: [promptContext],
  fields: { source: ({ source }) => source },
})

/** The session is over for good; a hand-over or restart does not end it. */
export const sessionEnd = lifecyclePoint('session.end', {
  input: type<SessionEndInput>(),
  order: 'descending',
  fields: { reason: ({ reason }) => reason },
})
