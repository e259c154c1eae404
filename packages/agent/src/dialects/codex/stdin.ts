import type { JsonObject } from 'hookline/lifecycle'
import { byKind } from '../by-kind.ts'
import type { DialectParts, ForeignHook } from '../dialect.ts'
import type { Moment, MomentOf } from '../moment.ts'
import { triggerOf } from '../moment-words.ts'
import { inCodexWords } from './codex-call.ts'

/** What a Codex hook reads. */
export function stdinOf(
  { event }: ForeignHook,
  moment: Moment,
  { permissionMode, model }: DialectParts,
): JsonObject {
  const { scope, sessionId, transcriptPath, cwd, agentId } = moment
  return {
    session_id: sessionId,
    turn_id: scope.turnId ?? '',
    transcript_path: transcriptPath,
    cwd,
    hook_event_name: event,
    model: moment.model ?? model ?? '',
    permission_mode: permissionMode?.(scope) ?? 'default',
    ...(agentId !== undefined && {
      agent_id: agentId,
      agent_type: scope.agent,
    }),
    ...factsOf(moment),
  }
}

function factsOf(moment: Moment): JsonObject {
  const fields = byKind<JsonObject>(moment, {
    'session-start': (moment) => ({ source: moment.source }),
    'session-end': () => ({ reason: 'other' }),
    prompt: (moment) => ({ prompt: moment.prompt }),
    'tool-pre': (moment) => ({
      ...toolOf(moment),
      tool_use_id: moment.call.id,
    }),
    permission: (moment) => toolOf(moment),
    'tool-post': (moment) => ({
      ...toolOf(moment),
      tool_response: moment.response,
      tool_use_id: moment.call.id,
    }),
    'compact-pre': (moment) => ({ trigger: triggerOf(moment) }),
    'compact-post': (moment) => ({ trigger: triggerOf(moment) }),
    'subagent-start': (moment) => ({
      agent_id: moment.agentId,
      agent_type: moment.agentType,
    }),
    'subagent-stop': (moment) => ({
      agent_id: moment.agentId,
      agent_type: moment.agentType,
      agent_transcript_path: moment.agentTranscriptPath,
      stop_hook_active: moment.continuesSoFar > 0,
      last_assistant_message: moment.reply,
    }),
    stop: (moment) => ({
      stop_hook_active: moment.continuesSoFar > 0,
      last_assistant_message: moment.reply,
    }),
  })
  return fields ?? {}
}

function toolOf({
  call,
  cwd,
}: MomentOf<'tool-pre' | 'permission' | 'tool-post'>): JsonObject {
  const { name, input } = inCodexWords(call, cwd)
  return { tool_name: name, tool_input: input }
}
