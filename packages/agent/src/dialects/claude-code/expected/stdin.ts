/** The fields that scripts read, by event. */
export const common = [
  'session_id',
  'transcript_path',
  'cwd',
  'permission_mode',
  'hook_event_name',
] as const

/** Section 2.7 of the notes, as far as there is something to say here. */
export const stdinFields: Readonly<Record<string, readonly string[]>> = {
  SessionStart: ['source'],
  SessionEnd: ['reason'],
  UserPromptSubmit: ['prompt', 'source'],
  PreToolUse: ['tool_name', 'tool_input', 'tool_use_id'],
  PermissionRequest: ['tool_name', 'tool_input'],
  PermissionDenied: ['tool_name', 'tool_input', 'tool_use_id', 'reason'],
  PostToolUse: [
    'tool_name',
    'tool_input',
    'tool_use_id',
    'tool_response',
    'duration_ms',
  ],
  PostToolUseFailure: [
    'tool_name',
    'tool_input',
    'tool_use_id',
    'error',
    'is_interrupt',
    'duration_ms',
  ],
  PostToolBatch: ['tool_calls'],
  Notification: ['message', 'title', 'notification_type'],
  SubagentStart: ['agent_id', 'agent_type'],
  SubagentStop: [
    'stop_hook_active',
    'agent_id',
    'agent_type',
    'agent_transcript_path',
    'last_assistant_message',
  ],
  Stop: ['stop_hook_active', 'last_assistant_message'],
  StopFailure: ['error', 'error_details'],
  PreCompact: ['trigger', 'custom_instructions'],
  PostCompact: ['trigger', 'compact_summary'],
}

/** They do not have what the others of their kind have. */
export const absentFields: Readonly<Record<string, readonly string[]>> = {
  PermissionRequest: ['tool_use_id'],
  PreToolUse: ['tool_response', 'tool_output', 'tool', 'toolInput'],
  PostToolUse: ['tool_output', 'tool_result', 'error'],
  Stop: ['prompt', 'agent_id'],
}
