import type { ExpectedStdin } from '../expectation.ts'

const base = {
  timestamp: '*',
  cwd: '*',
  session_id: 'session-1',
  transcript_path: '*',
}
const tool = {
  tool_name: 'run_in_terminal',
  tool_input: { command: 'ls -la', description: 'Lists.' },
  tool_use_id: 'call-1',
}
const child = { agent_id: '*', agent_type: 'explorer' }
const stop = { stop_hook_active: false, last_assistant_message: 'It is done.' }

/** What hooks of VS Code read, from section 8 of the notes. */
export const expectedStdin: ExpectedStdin = {
  SessionStart: { ...base, source: 'new' },
  UserPromptSubmit: { ...base, prompt: 'Fix the bug.' },
  PreToolUse: { ...base, ...tool },
  PostToolUse: { ...base, ...tool, tool_response: 'a.ts' },
  PreCompact: { ...base, trigger: 'manual' },
  SubagentStart: { ...base, ...child },
  SubagentStop: { ...base, ...child, ...stop },
  Stop: { ...base, ...stop },
}
