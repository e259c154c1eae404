import type { JsonObject } from 'hookline/lifecycle'
import { byKind } from '../by-kind.ts'
import type { ForeignHook } from '../dialect.ts'
import { lastPrompt } from '../last-prompt.ts'
import type { AliasedCall, Moment } from '../moment.ts'
import { triggerOf } from '../moment-words.ts'
import { responseText } from '../response-text.ts'
import { inWordsOf, readMcpName } from '../vocabulary.ts'
import { requestOf, responseOf } from './model-words.ts'
import { vocabulary } from './vocabulary.ts'

/** What a hook of Gemini CLI reads. */
export function stdinOf({ event }: ForeignHook, moment: Moment): JsonObject {
  const { sessionId, transcriptPath, cwd } = moment
  return {
    session_id: sessionId,
    transcript_path: transcriptPath,
    cwd,
    hook_event_name: event,
    timestamp: new Date().toISOString(),
    ...factsOf(moment),
  }
}

function factsOf(moment: Moment): JsonObject {
  const fields = byKind<JsonObject>(moment, {
    'session-start': (moment) => ({ source: moment.source }),
    'session-end': (moment) => ({ reason: endReason(moment.reason) }),
    prompt: (moment) => ({ prompt: moment.prompt }),
    stop: (moment) => ({
      prompt: lastPrompt(moment.transcriptPath),
      prompt_response: moment.reply,
      stop_hook_active: moment.continuesSoFar > 0,
    }),
    'model-pre': (moment) => ({ llm_request: requestOf(moment.request) }),
    'model-post': (moment) => ({
      llm_request: requestOf(moment.request),
      llm_response: responseOf(moment.response),
    }),
    'tool-pre': (moment) => toolOf(moment.call),
    'tool-post': (moment) => {
      const text = responseText(moment.response)
      const result = { llmContent: text, returnDisplay: text }
      return { ...toolOf(moment.call), tool_response: result }
    },
    'tool-failure': (moment) => {
      const { error } = moment
      const result = { llmContent: error, returnDisplay: error, error }
      return { ...toolOf(moment.call), tool_response: result }
    },
    'compact-pre': (moment) => ({ trigger: triggerOf(moment) }),
    notification: (moment) => ({
      notification_type: 'ToolPermission',
      message: moment.message,
      details: toolOf(moment.call),
    }),
  })
  return fields ?? {}
}

function endReason(reason: string): string {
  return reason === 'closed' ? 'exit' : 'other'
}

function toolOf(call: AliasedCall): JsonObject {
  const { name, input } = inWordsOf(vocabulary, call)
  const mcp = readMcpName(call.name)
  const context = mcp && { server_name: mcp.server, tool_name: mcp.tool }
  return {
    tool_name: name,
    tool_input: input,
    ...(context !== undefined && { mcp_context: context }),
  }
}
