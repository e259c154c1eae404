import type { JsonObject, JsonValue } from 'hookline/lifecycle'
import { textOf } from '../alias-call.ts'
import { byKind } from '../by-kind.ts'
import type { DialectParts, ForeignHook } from '../dialect.ts'
import type { AliasedCall, Moment, MomentOf } from '../moment.ts'
import { triggerOf } from '../moment-words.ts'
import { isObject } from '../printed.ts'
import { textIn } from '../read-hooks-file.ts'
import { responseText } from '../response-text.ts'
import { inWordsOf, readMcpName } from '../vocabulary.ts'
import { contentOf } from './file-content.ts'
import { vocabulary } from './vocabulary.ts'

export const version = '2.0.0'

/** What a hook of Cursor reads; the names that all products share come along. */
export function stdinOf(
  { event }: ForeignHook,
  moment: Moment,
  { model, projectDir, env }: DialectParts,
): JsonObject {
  const { scope, sessionId, transcriptPath, cwd } = moment
  return {
    conversation_id: sessionId,
    generation_id: scope.turnId ?? '',
    session_id: sessionId,
    model: moment.model ?? model ?? '',
    hook_event_name: event,
    cursor_version: version,
    workspace_roots: [projectDir],
    user_email: env['CURSOR_USER_EMAIL'] ?? '',
    transcript_path: transcriptPath,
    cwd,
    ...factsOf(event, moment),
  }
}

function factsOf(event: string, moment: Moment): JsonObject {
  const fields = byKind<JsonObject>(moment, {
    'session-start': () => ({
      is_background_agent: false,
      composer_mode: 'agent',
    }),
    'session-end': (moment) => ({
      reason: moment.reason === 'closed' ? 'completed' : moment.reason,
    }),
    prompt: (moment) => ({ prompt: moment.prompt, attachments: [] }),
    'tool-pre': (moment) => beforeCall(event, moment.call),
    'tool-post': (moment) => afterCall(event, moment),
    'tool-failure': (moment) => ({
      ...toolOf(moment.call),
      error_message: moment.error,
      failure_type: moment.isTimeout ? 'timeout' : 'error',
      is_interrupt: false,
      duration: moment.elapsedMs,
    }),
    'subagent-start': (moment) => ({
      subagent_type: moment.agentType,
      prompt: moment.task,
    }),
    'subagent-stop': (moment) => ({
      subagent_type: moment.agentType,
      status: 'completed',
      result: moment.reply,
      agent_transcript_path: moment.agentTranscriptPath,
    }),
    'compact-pre': (moment) => ({ trigger: triggerOf(moment) }),
    stop: (moment) => ({
      status: 'completed',
      loop_count: moment.continuesSoFar,
    }),
    'turn-error': () => ({ status: 'error', loop_count: 0 }),
    'model-post': (moment) => ({ text: spokenIn(event, moment) }),
  })
  return fields ?? {}
}

function toolOf(call: AliasedCall): JsonObject {
  const { name, input } = inWordsOf(vocabulary, call)
  return { tool_name: name, tool_input: input, tool_use_id: call.id }
}

function beforeCall(event: string, call: AliasedCall): JsonObject {
  const { input } = call
  if (event === 'beforeShellExecution') {
    return { command: input['command'] ?? '', sandbox: false }
  }
  if (event === 'beforeMCPExecution') {
    const tool = readMcpName(call.name)?.tool ?? call.name
    return { tool_name: tool, tool_input: JSON.stringify(input) }
  }
  if (event === 'beforeReadFile') {
    const content = contentOf(call)
    return {
      file_path: textIn(input, 'file_path') ?? '',
      content: content.type === 'text' ? content.text : '',
      attachments: [],
    }
  }
  return toolOf(call)
}

function afterCall(event: string, moment: MomentOf<'tool-post'>): JsonObject {
  const { call, response, elapsedMs: duration } = moment
  const { input } = call
  if (event === 'afterShellExecution') {
    const output = responseText(response)
    return { command: input['command'] ?? '', output, duration }
  }
  if (event === 'afterMCPExecution') {
    const tool = readMcpName(call.name)?.tool ?? call.name
    return {
      tool_name: tool,
      tool_input: JSON.stringify(input),
      result_json: JSON.stringify(response),
      duration,
    }
  }
  if (event === 'afterFileEdit') {
    return { file_path: input['file_path'] ?? '', edits: editsOf(input) }
  }
  return { ...toolOf(call), tool_output: JSON.stringify(response), duration }
}

function editsOf(input: JsonObject): readonly JsonObject[] {
  const { edits, old_string, new_string, content } = input
  const given: readonly JsonValue[] = Array.isArray(edits) ? edits : [input]
  if (!Array.isArray(edits) && old_string === undefined) {
    return [{ old_string: '', new_string: content ?? new_string ?? '' }]
  }
  return given.filter(isObject).map((edit) => ({
    old_string: edit['old_string'] ?? '',
    new_string: edit['new_string'] ?? '',
  }))
}

function spokenIn(event: string, moment: MomentOf<'model-post'>): string {
  const { content } = moment.response
  if (event !== 'afterAgentThought') return textOf(content)
  return content
    .flatMap((block) => (block.type === 'reasoning' ? [block.text] : []))
    .join('\n')
}
