import type { Capabilities } from '../capability.ts'

/** What Codex honours. What it marks as a failure we take where it is stricter. */
export const capabilities: Capabilities = {
  SessionStart: ['context', 'end-turn', 'tell-user'],
  UserPromptSubmit: ['deny', 'context', 'end-turn', 'tell-user'],
  PreToolUse: ['deny', 'allow', 'rewrite-args', 'context', 'tell-user'],
  PermissionRequest: ['deny', 'allow', 'tell-user'],
  PostToolUse: ['context', 'end-turn', 'tell-user'],
  PreCompact: ['end-turn', 'tell-user'],
  PostCompact: ['tell-user'],
  SubagentStart: ['context', 'tell-user'],
  SubagentStop: ['keep-going', 'end-turn', 'tell-user'],
  Stop: ['keep-going', 'end-turn', 'tell-user'],
  SessionEnd: [],
  Interrupt: ['tell-user'],
}
