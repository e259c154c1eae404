import type { ExpectedStdin } from '../expectation.ts'

const base = {
  conversation_id: 'session-1',
  generation_id: 'turn-1',
  session_id: 'session-1',
  model: '*',
  cursor_version: '*',
  workspace_roots: '*',
  user_email: '*',
  transcript_path: '*',
  cwd: '*',
}
const tool = {
  tool_name: 'Shell',
  tool_input: { command: 'ls -la', description: 'Lists.' },
  tool_use_id: 'call-1',
}
const mcp = { tool_name: 'create_issue', tool_input: '{"title":"Bug"}' }

/** What hooks of Cursor read, from section 6 of the notes. */
export const expectedStdin: ExpectedStdin = {
  sessionStart: { ...base, is_background_agent: false, composer_mode: 'agent' },
  sessionEnd: { ...base, reason: 'completed' },
  beforeSubmitPrompt: { ...base, prompt: 'Fix the bug.', attachments: [] },
  preToolUse: { ...base, ...tool },
  postToolUse: { ...base, ...tool, tool_output: '*', duration: 5 },
  postToolUseFailure: {
    ...base,
    ...tool,
    error_message: 'Exit code 1',
    failure_type: 'error',
    is_interrupt: false,
    duration: 5,
  },
  beforeShellExecution: { ...base, command: 'ls -la', sandbox: false },
  afterShellExecution: {
    ...base,
    command: 'ls -la',
    output: 'a.ts',
    duration: 5,
  },
  beforeMCPExecution: { ...base, ...mcp },
  afterMCPExecution: { ...base, ...mcp, result_json: '*', duration: 5 },
  beforeReadFile: {
    ...base,
    file_path: '*',
    content: 'A secret note.',
    attachments: [],
  },
  afterFileEdit: {
    ...base,
    file_path: '*',
    edits: [{ old_string: 'one', new_string: 'two' }],
  },
  subagentStart: { ...base, subagent_type: 'explorer', prompt: 'Look.' },
  subagentStop: {
    ...base,
    subagent_type: 'explorer',
    status: 'completed',
    result: 'It is done.',
    agent_transcript_path: '*',
  },
  preCompact: { ...base, trigger: 'manual' },
  stop: { ...base, status: 'completed', loop_count: 0 },
  afterAgentResponse: { ...base, text: 'It is done.' },
  afterAgentThought: { ...base, text: 'Hm.' },
}
