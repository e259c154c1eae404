import type { ExpectedStdin } from '../expectation.ts'

const base = {
  session_id: 'session-1',
  turn_id: 'turn-1',
  transcript_path: '*',
  cwd: '*',
  model: '*',
  permission_mode: 'default',
}
const tool = {
  tool_name: 'Bash',
  tool_input: { command: 'ls -la', description: 'Lists.' },
}
const child = { agent_id: '*', agent_type: 'explorer' }

/** What hooks of Codex read, from section 3 of the notes. */
export const expectedStdin: ExpectedStdin = {
  SessionStart: { ...base, source: 'startup' },
  UserPromptSubmit: { ...base, prompt: 'Fix the bug.' },
  PreToolUse: { ...base, ...tool, tool_use_id: 'call-1' },
  PermissionRequest: { ...base, ...tool },
  PostToolUse: { ...base, ...tool, tool_use_id: 'call-1', tool_response: '*' },
  PreCompact: { ...base, trigger: 'manual' },
  PostCompact: { ...base, trigger: 'manual' },
  SubagentStart: { ...base, ...child },
  SubagentStop: {
    ...base,
    ...child,
    agent_transcript_path: '*',
    stop_hook_active: false,
    last_assistant_message: 'It is done.',
  },
  Stop: {
    ...base,
    stop_hook_active: false,
    last_assistant_message: 'It is done.',
  },
  SessionEnd: { ...base, reason: 'other' },
  Interrupt: base,
}
