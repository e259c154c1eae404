import { type } from '../define/define-point.ts'
import type { AgentEvent } from './agent-event.ts'
import { lifecyclePoint } from './lifecycle-point.ts'

/** Everything an agent tells, text deltas included; read-only. */
export const event = lifecyclePoint('event', {
  input: type<AgentEvent>(),
  flow: 'observe',
  fields: { type: (input) => input.type },
})
