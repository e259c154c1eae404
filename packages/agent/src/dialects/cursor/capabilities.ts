import type { Capabilities, Capability } from '../capability.ts'

const judges: readonly Capability[] = ['deny', 'allow', 'tell-user']

/** What Cursor honours. */
export const capabilities: Capabilities = {
  sessionStart: ['context'],
  sessionEnd: [],
  beforeSubmitPrompt: ['deny', 'context', 'tell-user'],
  preToolUse: [...judges, 'rewrite-args'],
  postToolUse: ['rewrite-result', 'context'],
  postToolUseFailure: [],
  beforeShellExecution: [...judges, 'ask'],
  afterShellExecution: [],
  beforeMCPExecution: [...judges, 'ask'],
  afterMCPExecution: [],
  beforeReadFile: judges,
  afterFileEdit: [],
  subagentStart: judges,
  subagentStop: ['keep-going'],
  preCompact: ['tell-user'],
  stop: ['keep-going'],
  afterAgentResponse: [],
  afterAgentThought: [],
}
