import type { Capabilities } from '../capability.ts'

/** What Copilot honours, by its own names; `ownNameOf` has them. */
export const capabilities: Capabilities = {
  sessionStart: ['context'],
  sessionEnd: [],
  userPromptSubmitted: [],
  userPromptTransformed: ['rewrite-prompt'],
  preToolUse: ['deny', 'ask', 'allow', 'rewrite-args'],
  permissionRequest: ['deny', 'allow'],
  postToolUse: ['rewrite-result', 'context'],
  postToolUseFailure: ['context'],
  agentStop: ['keep-going'],
  subagentStart: ['context'],
  subagentStop: ['keep-going'],
  errorOccurred: [],
  preCompact: [],
  notification: [],
}
