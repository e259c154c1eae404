import type { JsonObject, PointName } from 'hookline/lifecycle'
import { agentConfig, turnStatus } from './agent-schemas.ts'
import {
  endedCall,
  grantedCall,
  permissionQuestion,
  permissionResolved,
  sealedCall,
  toolPostCallInput,
  toolSummary,
} from './call-schemas.ts'
import { media, message, reply } from './content-schemas.ts'
import {
  compactionHint,
  modelAbilities,
  modelError,
  modelRequest,
  modelResponse,
  stopReason,
  usage,
} from './model-schemas.ts'
import {
  anyOf,
  anything,
  count,
  flag,
  is,
  list,
  number,
  object,
  oneOf,
  record,
  recordOf,
  text,
} from './typed-schema.ts'

const registered = object({ name: text, config: agentConfig })
const content = object({ content: media })
const attempt = { request: modelRequest, attempt: count }
const trigger = oneOf('threshold', 'overflow', 'manual')
const task = { parent: text, child: text, task: text }

const prompt = {
  content: media,
  model: text,
  policies: list(
    object({
      domain: text,
      key: text,
      value: anything,
      weight: number,
      hook: text,
    }),
  ),
}
const history = { history: list(message) }
const context = list(
  object({
    id: text,
    domain: text,
    content: text,
    sources: list(text),
    isDurable: flag,
    hook: text,
    codePoints: count,
    isCut: flag,
  }),
)
const plan = object(
  {
    source: oneOf('model', 'local', 'none'),
    recall: list(object({ domain: text, query: text }, { maxResults: count })),
  },
  { findings: recordOf(record) },
)
const manifest = object(
  {
    fragments: list(
      object(
        {
          kind: oneOf('base', 'context', 'section'),
          id: text,
          hash: text,
          codePoints: count,
          isCut: flag,
        },
        { hook: text, plugin: text },
      ),
    ),
  },
  { budgets: object({ section: count, context: count }) },
)
const summary = object(
  {
    turnId: text,
    model: text,
    userPreview: text,
    replyPreview: text,
    tools: list(toolSummary),
    toolCount: count,
    steps: count,
    usage,
    startedAt: count,
    elapsedMs: count,
  },
  { errorPreview: text, cost: count, stopReason },
)

/** What each point is asked with. */
export const inputSchemas = {
  'agent.build': object({ config: agentConfig }),
  'agent.register': registered,
  'agent.unregister': registered,
  'session.start': object({ source: oneOf('new', 'resume'), cwd: text }),
  'session.end': object({ reason: oneOf('closed', 'expired', 'deleted') }),
  'turn.input': content,
  'turn.pre_turn': content,
  'turn.pre_policy': object({ content: media, model: text }),
  'turn.pre_prompt_context': object({ ...prompt, ...history }),
  'turn.pre_tool_materialization': object({
    ...prompt,
    toolNames: list(text),
    abilities: modelAbilities,
  }),
  'turn.post_preflight_prompt_context': object({
    ...prompt,
    ...history,
    plan,
    context,
  }),
  'turn.pre_prompt_compile': object({
    ...prompt,
    plan,
    context,
    toolNames: list(text),
  }),
  'turn.post_prompt_compile': object({
    model: text,
    messages: list(message),
    manifest,
  }),
  'llm.pre_call': object(attempt),
  'llm.post_call': anyOf(
    object({
      ...attempt,
      elapsedMs: count,
      type: is('response'),
      response: modelResponse,
    }),
    object({
      ...attempt,
      elapsedMs: count,
      type: is('error'),
      error: modelError,
    }),
  ),
  'llm.error': object({ ...attempt, error: modelError, isReleased: flag }),
  'tool.pre_call': grantedCall,
  'tool.guard': sealedCall,
  'permission.request': permissionQuestion,
  'permission.resolved': permissionResolved,
  'tool.post_call': toolPostCallInput,
  'tool.post_batch': object({ results: list(endedCall) }),
  'compaction.pre': object({
    messages: list(message),
    budget: object({
      usedTokens: count,
      maxTokens: count,
      targetTokens: count,
    }),
    trigger,
    hint: compactionHint,
  }),
  'compaction.post': object({ removedCount: count, summary: text, trigger }),
  'turn.stop': object({
    stopReason,
    reply,
    continuesSoFar: count,
    isVoluntary: flag,
  }),
  'turn.output': object({ content: media, reply }),
  'turn.error': object({
    content: media,
    error: object({ code: text, message: text }, { hook: text }),
  }),
  'turn.post_turn': object({ status: turnStatus, summary }),
  'subagent.start': object(task),
  'subagent.stop': object({
    ...task,
    status: turnStatus,
    reply,
    continuesSoFar: count,
  }),
  'runtime.turn_pre_context': content,
  // There are many events, and more to come; each says what it is.
  event: object({ type: text }),
} as const satisfies Record<PointName, JsonObject>
