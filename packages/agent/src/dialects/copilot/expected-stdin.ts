import type { JsonObject } from 'hookline/lifecycle'
import type { ExpectedStdin } from '../expectation.ts'

// The names that all products share come along under either form.
const shared = { session_id: 'session-1', transcript_path: '*', cwd: '*' }
const camel = {
  ...shared,
  sessionId: 'session-1',
  timestamp: '*',
  transcriptPath: '*',
}
const pascal = { ...shared, timestamp: '*' }
const args = { command: 'ls -la', description: 'Lists.' }
const call = { tool_name: 'Bash', tool_input: args, tool_use_id: 'call-1' }
const ownCall = { ...call, toolName: 'bash', toolArgs: args }
const result = { resultType: 'success', textResultForLlm: 'a.ts' }
const claudeResult = { result_type: 'success', text_result_for_llm: 'a.ts' }
const post = { tool_response: '*', tool_result: claudeResult }
const stop = {
  stop_reason: 'end_turn',
  stop_hook_active: false,
  last_assistant_message: 'It is done.',
}
const child = { agent_id: '*', agent_type: 'explorer' }
const compact = { trigger: 'manual', custom_instructions: '' }
const error = {
  error: { message: 'It is down.', name: 'Error' },
  error_context: 'model_call',
  recoverable: false,
}
const notice = {
  message: '*',
  title: 'Permission needed',
  notification_type: 'permission_prompt',
}

/** What hooks of Copilot read, from section 7 of the notes. */
export const expectedStdin: ExpectedStdin = {
  sessionStart: { ...camel, source: 'new' },
  sessionEnd: { ...camel, reason: 'complete' },
  userPromptSubmitted: { ...camel, prompt: 'Fix the bug.' },
  userPromptTransformed: {
    ...camel,
    prompt: 'Fix the bug.',
    transformedPrompt: 'Fix the bug.',
  },
  preToolUse: { ...camel, ...ownCall },
  permissionRequest: { ...camel, ...ownCall },
  postToolUse: { ...camel, ...ownCall, ...post, toolResult: result },
  postToolUseFailure: { ...camel, ...ownCall, error: 'Exit code 1' },
  agentStop: { ...camel, ...stop, stopReason: 'end_turn' },
  subagentStart: {
    ...camel,
    ...child,
    agentName: 'explorer',
    agentDisplayName: 'explorer',
  },
  subagentStop: {
    ...camel,
    ...child,
    ...stop,
    agent_name: 'explorer',
    agentId: '*',
    agentType: 'explorer',
    agentName: 'explorer',
    response: 'It is done.',
    stopReason: 'end_turn',
  },
  errorOccurred: { ...camel, ...error, errorContext: 'model_call' },
  preCompact: { ...camel, ...compact, customInstructions: '' },
  notification: { ...camel, ...notice },
  ...pascalCase({
    SessionStart: { source: 'new' },
    SessionEnd: { reason: 'complete' },
    UserPromptSubmit: { prompt: 'Fix the bug.' },
    PreToolUse: call,
    PermissionRequest: call,
    PostToolUse: { ...call, ...post },
    PostToolUseFailure: { ...call, error: 'Exit code 1' },
    Stop: stop,
    SubagentStart: child,
    SubagentStop: { ...child, ...stop, agent_name: 'explorer' },
    ErrorOccurred: error,
    PreCompact: compact,
    Notification: notice,
  }),
}

function pascalCase(own: Readonly<Record<string, JsonObject>>): ExpectedStdin {
  const entries = Object.entries(own).map(([event, fields]) => [
    event,
    { ...pascal, ...fields },
  ])
  return Object.fromEntries(entries)
}
