import type { MomentKind } from '../moment.ts'

/** What the events of Codex are here. */
export const moments: Readonly<Record<string, readonly MomentKind[]>> = {
  SessionStart: ['session-start'],
  UserPromptSubmit: ['prompt'],
  PreToolUse: ['tool-pre'],
  PermissionRequest: ['permission'],
  PostToolUse: ['tool-post'],
  PreCompact: ['compact-pre'],
  PostCompact: ['compact-post'],
  SubagentStart: ['subagent-start'],
  SubagentStop: ['subagent-stop'],
  Stop: ['stop'],
  SessionEnd: ['session-end'],
  Interrupt: ['turn-cancelled'],
}
