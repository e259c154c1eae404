import { type } from '../define/define-point.ts'
import type { AgentConfig } from './agent-config.ts'
import { lifecyclePoint } from './lifecycle-point.ts'

export interface AgentBuildInput {
  readonly config: AgentConfig
}

export interface AgentRegisterInput {
  readonly name: string
  readonly config: AgentConfig
}

/** Completes the config of an agent; asked again when what it is made from changes. */
export const agentBuild = lifecyclePoint('agent.build', {
  input: type<AgentBuildInput>(),
  subject: 'config',
  answers: ['transform', 'replace'],
  fields: { model: ({ config }) => config.model },
  failure: 'required',
})

/** The agent becomes visible once every hook has its state in place. */
export const agentRegister = lifecyclePoint('agent.register', {
  input: type<AgentRegisterInput>(),
  fields: { model: ({ config }) => config.model },
  failure: 'required',
})

/** The agent takes no more turns; it is invisible once every hook has let go. */
export const agentUnregister = lifecyclePoint('agent.unregister', {
  input: type<AgentRegisterInput>(),
  order: 'descending',
  fields: { model: ({ config }) => config.model },
})
