import type { JsonObject } from 'hookline/lifecycle'
import { byKind } from '../by-kind.ts'
import type { ForeignHook } from '../dialect.ts'
import type { AliasedCall, Moment } from '../moment.ts'
import { triggerOf } from '../moment-words.ts'
import { responseText } from '../response-text.ts'
import { inWordsOf } from '../vocabulary.ts'
import { vocabulary } from './vocabulary.ts'

/** What a hook of VS Code reads. */
export function stdinOf({ event }: ForeignHook, moment: Moment): JsonObject {
  const { sessionId, transcriptPath, cwd } = moment
  return {
    timestamp: new Date().toISOString(),
    cwd,
    session_id: sessionId,
    hook_event_name: event,
    transcript_path: transcriptPath,
    ...factsOf(moment),
  }
}

function factsOf(moment: Moment): JsonObject {
  const fields = byKind<JsonObject>(moment, {
    'session-start': () => ({ source: 'new' }),
    prompt: (moment) => ({ prompt: moment.prompt }),
    'tool-pre': (moment) => toolOf(moment.call),
    'tool-post': (moment) => ({
      ...toolOf(moment.call),
      tool_response: responseText(moment.response),
    }),
    'compact-pre': (moment) => ({ trigger: triggerOf(moment) }),
    'subagent-start': (moment) => ({
      agent_id: moment.agentId,
      agent_type: moment.agentType,
    }),
    'subagent-stop': (moment) => ({
      agent_id: moment.agentId,
      agent_type: moment.agentType,
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

function toolOf(call: AliasedCall): JsonObject {
  const { name, input } = inWordsOf(vocabulary, call)
  return { tool_name: name, tool_input: input, tool_use_id: call.id }
}
