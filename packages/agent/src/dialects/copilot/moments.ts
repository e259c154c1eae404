import type { MomentKind } from '../moment.ts'

const camelCase: Readonly<Record<string, readonly MomentKind[]>> = {
  sessionStart: ['session-start'],
  sessionEnd: ['session-end'],
  userPromptSubmitted: ['prompt'],
  userPromptTransformed: ['prompt-rewrite'],
  preToolUse: ['tool-pre'],
  permissionRequest: ['permission'],
  postToolUse: ['tool-post'],
  postToolUseFailure: ['tool-failure'],
  agentStop: ['stop'],
  subagentStart: ['subagent-start'],
  subagentStop: ['subagent-stop'],
  errorOccurred: ['turn-error', 'tool-failure'],
  preCompact: ['compact-pre'],
  notification: ['notification'],
}

/** The names of Claude Code, and what they are called by Copilot itself. */
export const ownNames: Readonly<Record<string, string>> = {
  SessionStart: 'sessionStart',
  SessionEnd: 'sessionEnd',
  UserPromptSubmit: 'userPromptSubmitted',
  PreToolUse: 'preToolUse',
  PermissionRequest: 'permissionRequest',
  PostToolUse: 'postToolUse',
  PostToolUseFailure: 'postToolUseFailure',
  Stop: 'agentStop',
  SubagentStart: 'subagentStart',
  SubagentStop: 'subagentStop',
  ErrorOccurred: 'errorOccurred',
  PreCompact: 'preCompact',
  Notification: 'notification',
}

/** What the events of Copilot are here, under either of their names. */
export const moments: Readonly<Record<string, readonly MomentKind[]>> = {
  ...camelCase,
  ...Object.fromEntries(
    Object.entries(ownNames).map(([name, own]) => [name, camelCase[own] ?? []]),
  ),
}

/** The name that Copilot itself has for an event. */
export function ownNameOf(event: string): string {
  return Object.hasOwn(ownNames, event) ? (ownNames[event] ?? event) : event
}

/** A name of Claude Code's selects its fields, too. */
export function isClaudeName(event: string): boolean {
  return Object.hasOwn(ownNames, event)
}
