import type { Capabilities, Capability } from '../capability.ts'

const speaks: readonly Capability[] = ['context', 'tell-user']
const gates: readonly Capability[] = ['deny', 'end-turn', 'tell-user']

/** What Gemini CLI honours. */
export const capabilities: Capabilities = {
  SessionStart: speaks,
  SessionEnd: [],
  BeforeAgent: [...gates, 'context'],
  AfterAgent: ['keep-going', 'end-turn', 'tell-user'],
  BeforeModel: [...gates, 'rewrite-request', 'respond'],
  AfterModel: [...gates, 'respond'],
  BeforeToolSelection: ['rewrite-request', 'tell-user'],
  BeforeTool: [...gates, 'ask', 'allow', 'rewrite-args'],
  AfterTool: [...gates, 'context'],
  PreCompress: ['tell-user'],
  Notification: ['tell-user'],
}
