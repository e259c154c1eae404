import type { JsonObject } from 'hookline/lifecycle'
import type { DialectParts, ForeignHook } from '../dialect.ts'
import type { AliasedCall, Moment } from '../moment.ts'
import { triggerOf } from '../moment-words.ts'
import { endReason, errorName } from './subject.ts'

/** What a script of the product reads. */
export function stdinOf(
  { event }: ForeignHook,
  moment: Moment,
  { permissionMode }: DialectParts,
): JsonObject {
  const { scope, sessionId, transcriptPath, cwd, agentId } = moment
  const isChild = scope.parents !== undefined
  return {
    session_id: sessionId,
    ...(scope.turnId !== undefined && { prompt_id: scope.turnId }),
    transcript_path: transcriptPath,
    cwd,
    permission_mode: permissionMode?.(scope) ?? 'default',
    hook_event_name: event,
    ...(isChild && {
      agent_id: agentId ?? scope.agent,
      agent_type: scope.agent,
    }),
    ...fieldsOf(moment),
  }
}

function fieldsOf(moment: Moment): JsonObject {
  switch (moment.kind) {
    case 'session-start':
      return {
        source: moment.source,
        ...(moment.model !== undefined && { model: moment.model }),
      }
    case 'session-end':
      return { reason: endReason }
    case 'prompt':
      return { prompt: moment.prompt, source: sourceOf(moment) }
    case 'tool-pre':
      return { ...toolOf(moment.call), tool_use_id: moment.call.id }
    case 'permission':
      return toolOf(moment.call)
    case 'permission-denied':
      return {
        ...toolOf(moment.call),
        tool_use_id: moment.call.id,
        reason: moment.reason,
      }
    case 'tool-post':
      return {
        ...toolOf(moment.call),
        tool_use_id: moment.call.id,
        tool_response: moment.response,
        duration_ms: Math.round(moment.elapsedMs),
      }
    case 'tool-failure':
      return {
        ...toolOf(moment.call),
        tool_use_id: moment.call.id,
        error: moment.error,
        is_interrupt: false,
        duration_ms: Math.round(moment.elapsedMs),
      }
    case 'tool-batch':
      return {
        tool_calls: moment.calls.map((call) => ({
          ...toolOf(call),
          tool_use_id: call.id,
          tool_response: call.response,
        })),
      }
    case 'notification':
      return {
        message: moment.message,
        title: 'Permission needed',
        notification_type: moment.type,
      }
    case 'subagent-start':
      return { agent_id: moment.agentId, agent_type: moment.agentType }
    case 'subagent-stop':
      return {
        stop_hook_active: moment.continuesSoFar > 0,
        agent_id: moment.agentId,
        agent_type: moment.agentType,
        agent_transcript_path: moment.agentTranscriptPath,
        last_assistant_message: moment.reply,
      }
    case 'stop':
      return {
        stop_hook_active: moment.continuesSoFar > 0,
        last_assistant_message: moment.reply,
      }
    case 'turn-error':
      return { error: errorName(moment.code), error_details: moment.message }
    case 'compact-pre':
      return {
        trigger: triggerOf(moment),
        custom_instructions: moment.instructions,
      }
    case 'compact-post':
      return { trigger: triggerOf(moment), compact_summary: moment.summary }
    case 'model-pre':
    case 'model-post':
    case 'prompt-rewrite':
    case 'turn-cancelled':
      return {}
  }
}

function toolOf({ name, input }: AliasedCall): JsonObject {
  return { tool_name: name, tool_input: input }
}

function sourceOf({ scope }: Moment): string {
  return scope.origin === 'user' ? 'user' : 'system'
}
