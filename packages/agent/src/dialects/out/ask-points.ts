import type { Engine, InputOf, Point } from 'hookline'
import {
  compactionPost,
  compactionPre,
  llmPostCall,
  llmPreCall,
  permissionRequest,
  sessionEnd,
  sessionStart,
  subagentStart,
  subagentStop,
  toolGuard,
  toolPostBatch,
  toolPostCall,
  toolPreCall,
  turnInput,
  turnPreTurn,
  turnStop,
} from 'hookline/lifecycle'
import { textOf } from '../alias-call.ts'
import { askCall, askPermission } from './ask-call.ts'
import * as inputs from './input-of.ts'
import { both, judged, type Said, unread } from './said.ts'
import type { Told } from './told.ts'
import { replyOfModelIn, requestIn } from './told-model.ts'

/** Asks the points that a moment of a product is. */
export async function askPoints(engine: Engine, told: Told): Promise<Said> {
  const { scope, cwd, kind, call } = told
  const at = <P extends Point>(point: P, input: InputOf<P>) =>
    engine.run(point, input, { scope })
  switch (kind) {
    case 'session-start': {
      const source = told.stdin['source'] === 'resume' ? 'resume' : 'new'
      return judged(await at(sessionStart, { source, cwd }))
    }
    case 'session-end':
      return judged(await at(sessionEnd, { reason: 'closed' }))
    case 'prompt':
    case 'prompt-rewrite':
      return askPrompt(engine, told)
    case 'tool-pre':
      return call
        ? askCall(engine, told, call.call)
        : unread(engine, whichCall, [toolPreCall, toolGuard])
    case 'permission':
      return call
        ? askPermission(engine, told, call.call)
        : unread(engine, whichCall, [permissionRequest])
    case 'tool-post':
    case 'tool-failure': {
      if (call === undefined) return unread(engine, whichCall, [toolPostCall])
      const ended = inputs.postCallIn(told, call)
      const outcome = await at(toolPostCall, ended)
      const { result } = outcome.value
      const isChanged = outcome.writers.length > 0
      const changed = isChanged ? { updatedOutput: textOf(result.content) } : {}
      return { ...changed, ...judged(outcome) }
    }
    case 'tool-batch': {
      const batch = inputs.batchIn(told)
      return batch === undefined
        ? unread(engine, 'which calls these are', [toolPostBatch])
        : judged(await at(toolPostBatch, batch))
    }
    case 'stop':
      return judged(await at(turnStop, inputs.stopIn(told)))
    case 'subagent-start':
      return judged(await at(subagentStart, inputs.childIn(told)))
    case 'subagent-stop':
      return judged(await at(subagentStop, inputs.childEndIn(told)))
    case 'compact-pre': {
      const outcome = await at(compactionPre, inputs.compactionIn(told))
      const isChanged = outcome.writers.length > 0
      const unsayable = 'how the conversation is to be made shorter'
      return { ...judged(outcome), ...(isChanged && { unsayable }) }
    }
    case 'compact-post':
      return judged(await at(compactionPost, inputs.compactedIn(told)))
    case 'model-pre':
    case 'model-post':
      return askModel(engine, told)
    case 'notification':
    case 'permission-denied':
    case 'turn-error':
    case 'turn-cancelled':
      return {}
  }
}

const whichCall = 'which call this is'

async function askPrompt(engine: Engine, told: Told): Promise<Said> {
  const { scope } = told
  const content = inputs.contentIn(told)
  if (content === undefined) {
    return unread(engine, 'what the user has said', [turnInput, turnPreTurn])
  }
  const rewritten = await engine.run(turnInput, { content }, { scope })
  const first = judged(rewritten)
  if (first.decision === 'deny') return first
  const { value } = rewritten
  const then = judged(await engine.run(turnPreTurn, value, { scope }))
  const isChanged = rewritten.writers.length > 0
  return {
    ...(isChanged && { updatedPrompt: textOf(value.content) }),
    ...both(first, then),
  }
}

async function askModel(engine: Engine, told: Told): Promise<Said> {
  const { scope, kind } = told
  if (kind === 'model-post') {
    const input = replyOfModelIn(told)
    if (input === undefined) {
      return unread(engine, 'what the model has said', [llmPostCall])
    }
    const outcome = await engine.run(llmPostCall, input, { scope })
    const { response } = outcome.value
    const isChanged = outcome.writers.length > 0 && response !== undefined
    const changed = isChanged ? { updatedResponse: response } : {}
    return { ...changed, ...judged(outcome) }
  }
  const input = requestIn(told)
  if (input === undefined) {
    return unread(engine, 'what the model is asked with', [llmPreCall])
  }
  const outcome = await engine.run(llmPreCall, input, { scope })
  const said = judged(outcome)
  if (outcome.type === 'respond') {
    return { ...said, updatedResponse: outcome.output }
  }
  const isChanged = outcome.writers.length > 0
  return isChanged ? { ...said, updatedRequest: outcome.value.request } : said
}
