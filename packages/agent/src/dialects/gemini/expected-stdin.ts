import type { ExpectedStdin } from '../expectation.ts'

const base = {
  session_id: 'session-1',
  transcript_path: '*',
  cwd: '*',
  timestamp: '*',
}
const tool = {
  tool_name: 'run_shell_command',
  tool_input: { command: 'ls -la', description: 'Lists.' },
}
const request = {
  model: 'script',
  messages: [{ role: 'user', content: 'Fix the bug.' }],
  config: {},
}

/** What hooks of Gemini CLI read, from section 4 of the notes. */
export const expectedStdin: ExpectedStdin = {
  SessionStart: { ...base, source: 'startup' },
  SessionEnd: { ...base, reason: 'exit' },
  BeforeAgent: { ...base, prompt: 'Fix the bug.' },
  AfterAgent: {
    ...base,
    prompt: '*',
    prompt_response: 'It is done.',
    stop_hook_active: false,
  },
  BeforeModel: { ...base, llm_request: request },
  AfterModel: { ...base, llm_request: request, llm_response: '*' },
  BeforeToolSelection: { ...base, llm_request: request },
  BeforeTool: { ...base, ...tool },
  AfterTool: {
    ...base,
    ...tool,
    tool_response: { llmContent: 'a.ts', returnDisplay: 'a.ts' },
  },
  PreCompress: { ...base, trigger: 'manual' },
  Notification: {
    ...base,
    notification_type: 'ToolPermission',
    message: '*',
    details: '*',
  },
}
