import type { Contributions, Engine, InputOf, Outcome, Point } from 'hookline'
import {
  compactionPost,
  compactionPre,
  llmPostCall,
  llmPreCall,
  notice,
  permissionRequest,
  promptContext,
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
import { sealCall } from '../../seal/seal-call.ts'
import { textOf } from '../alias-call.ts'
import type { Verdict } from '../verdict.ts'
import * as inputs from './input-of.ts'
import type { Told } from './told.ts'
import type { ToldCall } from './told-call.ts'

/** What our hooks say about a moment, with our own names for arguments. */
export interface Said extends Verdict {
  /** A result in place of the call, as the model would have read it. */
  readonly result?: string
  /** Something that no product can be told. */
  readonly unsayable?: string
}

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
      return call === undefined ? {} : askCall(engine, told, call)
    case 'permission':
      return call === undefined ? {} : askPermission(engine, told, call)
    case 'tool-post':
    case 'tool-failure': {
      if (call === undefined) return {}
      const ended = inputs.postCallIn(told, call)
      const outcome = await at(toolPostCall, ended)
      const { result } = outcome.value
      const isChanged = outcome.writers.length > 0
      const changed = isChanged ? { updatedOutput: textOf(result.content) } : {}
      return { ...changed, ...judged(outcome) }
    }
    case 'tool-batch':
      return judged(await at(toolPostBatch, inputs.batchIn(told)))
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

async function askPrompt(engine: Engine, told: Told): Promise<Said> {
  const { scope } = told
  const content = inputs.contentIn(told)
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

/** First who may change the call, then who judges what has become of it. */
async function askCall(
  engine: Engine,
  { scope }: Told,
  { call }: ToldCall,
): Promise<Said> {
  const outcome = await engine.run(toolPreCall, call, { scope })
  const first = judged(outcome)
  if (outcome.type === 'respond') {
    return { ...first, result: textOf(outcome.output.content) }
  }
  const isOver = first.decision === 'deny' || first.stop !== undefined
  if (isOver) return first
  const sealed = sealCall(outcome.value, call.owner, scope)
  const then = judged(await engine.run(toolGuard, sealed, { scope }))
  const isChanged = outcome.writers.length > 0
  return {
    ...both(first, then),
    ...(isChanged && { updatedInput: outcome.value.args }),
  }
}

async function askPermission(
  engine: Engine,
  { scope }: Told,
  { call }: ToldCall,
): Promise<Said> {
  const sealed = sealCall(call, call.owner, scope)
  const question = `May "${call.tool}" run?`
  const asked = {
    id: `question-${call.id}`,
    call: sealed,
    questions: [{ by: 'policy', question }],
  }
  const outcome = await engine.run(permissionRequest, asked, { scope })
  const said = judged(outcome)
  if (outcome.type !== 'respond') return said
  const { output } = outcome
  if (output.type === 'allow') return { ...said, decision: 'allow' }
  if (output.type === 'deny') {
    return { ...said, decision: 'deny', reason: output.reason }
  }
  return { ...said, decision: 'allow', updatedInput: output.args }
}

async function askModel(engine: Engine, told: Told): Promise<Said> {
  const { scope, kind } = told
  if (kind === 'model-post') {
    const input = inputs.replyOfModelIn(told)
    if (input === undefined) return {}
    const outcome = await engine.run(llmPostCall, input, { scope })
    const { response } = outcome.value
    const isChanged = outcome.writers.length > 0 && response !== undefined
    const changed = isChanged ? { updatedResponse: response } : {}
    return { ...changed, ...judged(outcome) }
  }
  const input = inputs.requestIn(told)
  if (input === undefined) return {}
  const outcome = await engine.run(llmPreCall, input, { scope })
  const said = judged(outcome)
  if (outcome.type === 'respond') {
    return { ...said, updatedResponse: outcome.output }
  }
  const isChanged = outcome.writers.length > 0
  return isChanged ? { ...said, updatedRequest: outcome.value.request } : said
}

/** What a verdict of ours is in the words that products share. */
function judged(outcome: Outcome): Said {
  const shared = spokenIn(outcome.contributions)
  switch (outcome.type) {
    case 'reject':
      return { ...shared, decision: 'deny', reason: outcome.reason }
    case 'ask': {
      const asked = outcome.questions.map(({ question }) => question)
      return { ...shared, decision: 'ask', reason: asked.join('\n') }
    }
    case 'endTurn':
      return { ...shared, stop: outcome.reason }
    case 'keepGoing':
      return { ...shared, keepGoing: outcome.feedback }
    case 'proceed':
    case 'respond':
      return shared
  }
}

function spokenIn(contributions: Contributions): Said {
  const added = contributions.of(promptContext)
  const told = contributions.of(notice)
  return {
    context: added.map(({ value }) => value.content),
    notices: told.map(({ value }) => value.message),
  }
}

/** The stronger of two; a denial is stronger than a question. */
function both(first: Said, then: Said): Said {
  const isFirst = then.decision === undefined
  const reasons = [first, then].flatMap(({ decision, reason }) =>
    decision === 'ask' && reason ? [reason] : [],
  )
  const strongest = isFirst ? first : then
  const isAsk = strongest.decision === 'ask'
  return {
    ...strongest,
    ...(isAsk && { reason: reasons.join('\n') }),
    context: [...(first.context ?? []), ...(then.context ?? [])],
    notices: [...(first.notices ?? []), ...(then.notices ?? [])],
  }
}
