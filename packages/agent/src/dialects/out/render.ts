import type { JsonObject, JsonValue } from 'hookline/lifecycle'
import type { DialectName } from '../dialect.ts'
import { responseOf } from '../gemini/model-words.ts'
import { isObject } from '../printed.ts'
import type { Verdict } from '../verdict.ts'
import type { Told } from './told.ts'
import { requestForGemini } from './told-model.ts'

/** A verdict as the product reads it; empty where there is nothing to say. */
export function render(verdict: Verdict, told: Told): JsonObject {
  return renders[told.dialect](verdict, told)
}

type Render = (verdict: Verdict, told: Told) => JsonObject

const renders: Readonly<Record<DialectName, Render>> = {
  'claude-code': renderClaude,
  codex: renderClaude,
  'vs-code': renderClaude,
  gemini: renderGemini,
  cursor: renderCursor,
  copilot: renderCopilot,
}

const join = (texts: readonly string[] = []) =>
  texts.length === 0 ? undefined : texts.join('\n\n')

/** Without what is undefined. */
function only(fields: { readonly [key: string]: unknown }): JsonObject {
  const entries = Object.entries(fields).filter(
    ([, value]) => value !== undefined,
  )
  // Whoever calls it has JSON in its fields.
  return Object.fromEntries(entries) as JsonObject
}

function textFor(value: JsonValue): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}

function universal({ stop, notices }: Verdict): JsonObject {
  return only({
    continue: stop === undefined ? undefined : false,
    stopReason: stop,
    systemMessage: join(notices),
  })
}

/** Claude Code, Codex and VS Code. */
function renderClaude(verdict: Verdict, told: Told): JsonObject {
  const { event, kind } = told
  const specific = only({
    ...(kind === 'tool-pre' && permissionOf(verdict, told)),
    ...(kind === 'permission' && { decision: behaviorOf(verdict) }),
    additionalContext: join(verdict.context),
    updatedToolOutput:
      verdict.updatedOutput === undefined
        ? undefined
        : inShapeOf(
            told.stdin['tool_response'],
            textFor(verdict.updatedOutput),
          ),
  })
  const isEmpty = Object.keys(specific).length === 0
  const isOwn = kind === 'tool-pre' || kind === 'permission'
  return only({
    ...(isOwn ? {} : blockOf(verdict)),
    ...universal(verdict),
    hookSpecificOutput: isEmpty
      ? undefined
      : { hookEventName: event, ...specific },
  })
}

/** A text in the shape that the tool gives, or Claude Code ignores it. */
export function inShapeOf(
  response: JsonValue | undefined,
  text: string,
): JsonValue | undefined {
  if (response === undefined || typeof response === 'string') return text
  if (Array.isArray(response)) return [{ type: 'text', text }]
  if (!isObject(response)) return undefined
  const { stdout, content, file } = response
  if (typeof stdout === 'string') {
    return {
      ...response,
      stdout: text,
      ...('stderr' in response && { stderr: '' }),
    }
  }
  if (typeof content === 'string') return { ...response, content: text }
  if (!isObject(file) || typeof file['content'] !== 'string') return undefined
  return { ...response, file: { ...file, content: text } }
}

function blockOf({ decision, reason, keepGoing }: Verdict): JsonObject {
  if (keepGoing !== undefined) return { decision: 'block', reason: keepGoing }
  if (decision !== 'deny') return {}
  return { decision: 'block', reason: reason ?? 'A hook does not allow it.' }
}

function permissionOf(verdict: Verdict, { dialect }: Told): JsonObject {
  const { decision, reason, updatedInput } = verdict
  // Codex takes changed arguments only along with a yes.
  const isYes = dialect === 'codex' && updatedInput !== undefined
  const isRefused = decision === 'deny'
  return only({
    permissionDecision: decision ?? (isYes ? 'allow' : undefined),
    permissionDecisionReason: decision === undefined ? undefined : reason,
    updatedInput: isRefused ? undefined : updatedInput,
  })
}

function behaviorOf({ decision, reason, updatedInput }: Verdict) {
  if (decision === 'allow') return only({ behavior: 'allow', updatedInput })
  if (decision !== 'deny') return undefined
  return only({ behavior: 'deny', message: reason })
}

function renderGemini(verdict: Verdict, told: Told): JsonObject {
  const { decision, reason, keepGoing, updatedInput } = verdict
  const { updatedRequest, updatedResponse } = verdict
  const isRefused = decision === 'deny'
  const specific = only({
    additionalContext: join(verdict.context),
    tool_input: isRefused ? undefined : updatedInput,
    llm_request: updatedRequest && requestForGemini(updatedRequest, told),
    llm_response: updatedResponse && responseOf(updatedResponse),
  })
  const isEmpty = Object.keys(specific).length === 0
  return only({
    decision: keepGoing === undefined ? decision : 'deny',
    reason: keepGoing ?? reason,
    ...universal(verdict),
    hookSpecificOutput: isEmpty
      ? undefined
      : { hookEventName: told.event, ...specific },
  })
}

function renderCursor(verdict: Verdict, { kind }: Told): JsonObject {
  const { decision, reason, keepGoing, updatedInput, updatedOutput } = verdict
  const told = join(verdict.notices)
  if (kind === 'prompt') {
    return only({
      continue: decision === 'deny' ? false : undefined,
      user_message: decision === 'deny' ? (told ?? reason) : told,
      additional_context: join(verdict.context),
    })
  }
  const isRefused = decision === 'deny'
  return only({
    permission: decision,
    agent_message: decision === undefined ? undefined : reason,
    user_message: told,
    updated_input: isRefused ? undefined : updatedInput,
    updated_mcp_tool_output: updatedOutput,
    additional_context: join(verdict.context),
    followup_message: keepGoing,
  })
}

function renderCopilot(verdict: Verdict, { kind }: Told): JsonObject {
  const { decision, reason, keepGoing, updatedInput } = verdict
  const { updatedOutput, updatedPrompt } = verdict
  const shared = only({
    additionalContext: join(verdict.context),
    modifiedTransformedPrompt: updatedPrompt,
    modifiedResult:
      updatedOutput === undefined
        ? undefined
        : { resultType: 'success', textResultForLlm: updatedOutput },
  })
  if (keepGoing !== undefined) {
    return { decision: 'block', reason: keepGoing, ...shared }
  }
  if (kind === 'permission') {
    return only({ behavior: decision, message: reason })
  }
  return only({
    permissionDecision: decision,
    permissionDecisionReason: decision === undefined ? undefined : reason,
    modifiedArgs: decision === 'deny' ? undefined : updatedInput,
    ...shared,
  })
}
