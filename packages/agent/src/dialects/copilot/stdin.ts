import type { JsonObject, JsonValue } from 'hookline/lifecycle'
import { byKind } from '../by-kind.ts'
import type { ForeignHook } from '../dialect.ts'
import type { AliasedCall, Moment } from '../moment.ts'
import { triggerOf } from '../moment-words.ts'
import { responseText } from '../response-text.ts'
import { inWordsOf } from '../vocabulary.ts'
import { isClaudeName, ownNameOf, ownNames } from './moments.ts'
import { vocabulary } from './vocabulary.ts'

/**
 * What a hook of Copilot reads. Under a camelCase name the fields of Claude
 * Code come along, which does no harm and helps scripts that know both.
 */
export function stdinOf(hook: ForeignHook, moment: Moment): JsonObject {
  const { event } = hook
  const { sessionId, transcriptPath, cwd } = moment
  const now = new Date()
  const shared = {
    hook_event_name: claudeNameOf(event),
    session_id: sessionId,
    transcript_path: transcriptPath,
    cwd,
    ...claudeFields(event, moment),
  }
  if (isClaudeName(event)) return { ...shared, timestamp: now.toISOString() }
  return {
    ...shared,
    sessionId,
    timestamp: now.getTime(),
    transcriptPath,
    ...ownFields(event, moment),
  }
}

function claudeNameOf(event: string): string {
  const own = ownNameOf(event)
  const found = Object.entries(ownNames).find(([, name]) => name === own)
  return found?.[0] ?? event
}

function ownFields(event: string, moment: Moment): JsonObject {
  const fields = byKind<JsonObject>(moment, {
    'prompt-rewrite': (moment) => ({ transformedPrompt: moment.prompt }),
    'tool-pre': (moment) => callFields(moment.call),
    permission: (moment) => callFields(moment.call),
    'tool-post': (moment) => {
      const text = responseText(moment.response)
      const result = { resultType: 'success', textResultForLlm: text }
      return { ...callFields(moment.call), toolResult: result }
    },
    'tool-failure': (moment) =>
      event === 'errorOccurred'
        ? { errorContext: 'tool_execution' }
        : callFields(moment.call),
    'turn-error': (moment) => ({ errorContext: contextOf(moment.code) }),
    stop: () => ({ stopReason: 'end_turn' }),
    'subagent-start': (moment) => ({
      agentName: moment.agentType,
      agentDisplayName: moment.agentType,
    }),
    'subagent-stop': (moment) => ({
      agentId: moment.agentId,
      agentType: moment.agentType,
      agentName: moment.agentType,
      response: moment.reply,
      stopReason: 'end_turn',
    }),
    'compact-pre': (moment) => ({ customInstructions: moment.instructions }),
  })
  return fields ?? {}
}

function claudeFields(event: string, moment: Moment): JsonObject {
  const fields = byKind<JsonObject>(moment, {
    'session-start': (moment) => ({
      source: moment.source === 'resume' ? 'resume' : 'new',
    }),
    'session-end': (moment) => ({
      reason: moment.reason === 'closed' ? 'complete' : 'user_exit',
    }),
    prompt: (moment) => ({ prompt: moment.prompt }),
    'prompt-rewrite': (moment) => ({ prompt: moment.prompt }),
    'tool-pre': (moment) => toolFields(moment.call),
    permission: (moment) => toolFields(moment.call),
    'tool-post': (moment) => {
      const text = responseText(moment.response)
      return {
        ...toolFields(moment.call),
        tool_response: moment.response,
        tool_result: { result_type: 'success', text_result_for_llm: text },
      }
    },
    'tool-failure': (moment) =>
      ownNameOf(event) === 'errorOccurred'
        ? errorFields(moment.error, 'tool_execution')
        : { ...toolFields(moment.call), error: moment.error },
    'turn-error': (moment) =>
      errorFields(moment.message, contextOf(moment.code)),
    stop: (moment) => ({
      stop_reason: 'end_turn',
      stop_hook_active: moment.continuesSoFar > 0,
      last_assistant_message: moment.reply,
    }),
    'subagent-start': (moment) => ({
      agent_id: moment.agentId,
      agent_type: moment.agentType,
    }),
    'subagent-stop': (moment) => ({
      agent_id: moment.agentId,
      agent_type: moment.agentType,
      agent_name: moment.agentType,
      last_assistant_message: moment.reply,
      stop_reason: 'end_turn',
      stop_hook_active: moment.continuesSoFar > 0,
    }),
    'compact-pre': (moment) => ({
      trigger: triggerOf(moment),
      custom_instructions: moment.instructions,
    }),
    notification: (moment) => ({
      message: moment.message,
      title: 'Permission needed',
      notification_type: moment.type,
    }),
  })
  return fields ?? {}
}

function callFields(call: AliasedCall): JsonObject {
  const { name, input } = inWordsOf(vocabulary, call)
  return { toolName: name, toolArgs: input }
}

function toolFields({ name, input, id }: AliasedCall): JsonObject {
  return { tool_name: name, tool_input: input, tool_use_id: id }
}

function errorFields(message: string, context: JsonValue): JsonObject {
  return {
    error: { message, name: 'Error' },
    error_context: context,
    recoverable: context === 'tool_execution',
  }
}

/** Codes of ours that a model's call has failed with. */
function contextOf(code: string): string {
  return code.startsWith('model') || code === 'max_output_tokens'
    ? 'model_call'
    : 'system'
}
