import type { MomentKind } from '../moment.ts'

/** What the events of VS Code are here. */
export const moments: Readonly<Record<string, readonly MomentKind[]>> = {
  SessionStart: ['session-start'],
  UserPromptSubmit: ['prompt'],
  PreToolUse: ['tool-pre'],
  PostToolUse: ['tool-post'],
  PreCompact: ['compact-pre'],
  SubagentStart: ['subagent-start'],
  SubagentStop: ['subagent-stop'],
  Stop: ['stop'],
}
