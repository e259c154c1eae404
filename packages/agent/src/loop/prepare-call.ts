import {
  type Contributions,
  freezeDeep,
  type MaybePromise,
  type Outcome,
  type Question,
} from 'hookline'
import {
  type CheckedArgs,
  type Grant,
  type GrantedCall,
  type JsonObject,
  restriction,
  type ToolCall,
  toolPreCall,
} from 'hookline/lifecycle'
import { isSameData } from '../data/same-data.ts'
import { intersectGrants, narrowGrant, readGrant } from '../policy/grants.ts'
import { isInvalidArgs } from '../ports/invalid-args.ts'
import { overtakenBy } from '../seal/overtaken-gates.ts'
import { ask } from './ask.ts'
import {
  byCheck,
  byHook,
  byPolicy,
  type CallFlow,
  cancel,
  deny,
  type Gated,
  type StoppedCall,
} from './call-flow.ts'
import { chain } from './chain.ts'
import { readContext, tellInjected, tellReplaced } from './edits.ts'
import { guardCall } from './guard-call.ts'
import type { OwnedTool } from './parts.ts'
import type { Turn } from './turn.ts'
import { heed } from './wait.ts'

/** Takes a call from the model's words to the seal: everything but people. */
export function prepareCall(
  flow: CallFlow,
  owned: OwnedTool,
  call: ToolCall,
): MaybePromise<Gated> {
  if (isInvalidArgs(call.args)) {
    const text =
      'The arguments are not valid JSON. Send them again as an object.'
    return deny(call, text, byCheck)
  }
  const { parts, signal } = flow.turn
  const checked = heed(parts.checkArgs(owned.tool, call.args), signal)
  return chain(checked, (args) => grantCall(flow, owned, call, args))
}

function grantCall(
  flow: CallFlow,
  owned: OwnedTool,
  asked: ToolCall,
  checked: CheckedArgs,
): MaybePromise<Gated> {
  if (checked.problem !== undefined) {
    const text = `The arguments do not fit the tool: ${checked.problem}`
    return deny(asked, text, byCheck)
  }
  const call = withArgs(asked, checked.args)
  const { agent, signal } = flow.turn
  const grant = heed(agent.policy.grant(call, flow.scope), signal)
  return chain(grant, (given) => askHooks(flow, owned, call, given))
}

function askHooks(
  flow: CallFlow,
  owned: OwnedTool,
  call: ToolCall,
  given: Grant,
): MaybePromise<Gated> {
  const { turn, table, scope } = flow
  const grant = readGrant(given)
  if (grant.decision === 'deny') return denyGranted(call, grant)
  const granted: GrantedCall = { ...call, grant: freezeDeep(grant) }
  const options = { table, scope, isOfFrozen: true }
  const asked = ask(turn, toolPreCall, granted, options)
  return chain(asked, (pre) => followHooks(flow, owned, granted, pre))
}

/** Does what the hooks at `tool.pre_call` have decided. */
function followHooks(
  flow: CallFlow,
  owned: OwnedTool,
  granted: GrantedCall,
  pre: Outcome<typeof toolPreCall>,
): MaybePromise<Gated> {
  const { contributions } = pre
  const { name } = toolPreCall
  flow.runs.push(...pre.runs)
  tellReplaced(flow.turn, pre.writers, {
    point: name,
    subject: 'args',
    id: granted.id,
  })
  if (contributions.all.length > 0) {
    flow.context.push(...readContext(flow.turn, name, contributions))
  }
  const call = withArgs(granted, pre.value.args)
  switch (pre.type) {
    case 'reject':
      return deny(call, pre.reason, byHook(pre.by))
    case 'endTurn': {
      const text = `The turn was ended: ${pre.reason}`
      const decidedBy = byHook(pre.by)
      return { ...cancel(call, text), decidedBy, ending: pre }
    }
    case 'respond': {
      const { by, output: result } = pre
      tellInjected(flow.turn, {
        hook: by,
        point: name,
        subject: 'result',
        id: call.id,
      })
      const decidedBy = byHook(by)
      return { type: 'stopped', call, status: 'synthesized', result, decidedBy }
    }
    case 'ask':
    case 'proceed': {
      const questions = pre.type === 'ask' ? pre.questions : []
      const narrowed = narrow(flow.turn, call, contributions)
      const { grant } = narrowed
      if (grant.decision === 'deny') return denyGranted(call, grant)
      if (pre.writers.length === 0) {
        return guardCall(flow, owned, narrowed, questions)
      }
      return guardChanged(flow, owned, narrowed, questions, pre)
    }
  }
}

function denyGranted(
  call: ToolCall,
  { reason = 'Policy denies it.' }: Grant,
): StoppedCall {
  return deny(call, reason, byPolicy)
}

function narrow(
  turn: Turn,
  call: GrantedCall,
  contributions: Contributions,
): GrantedCall {
  if (contributions.all.length === 0) return call
  const { id } = call
  const { isWatched } = turn.events
  const authors = new Set<string>()
  let { grant } = call
  for (const { by, value } of contributions.of(restriction)) {
    const narrowed = narrowGrant(grant, value)
    if (isWatched && !isSameData(narrowed, grant)) authors.add(by)
    grant = narrowed
  }
  const { name: point } = toolPreCall
  tellReplaced(turn, [...authors], { point, subject: 'grant', id })
  return { ...call, grant }
}

async function guardChanged(
  flow: CallFlow,
  owned: OwnedTool,
  call: GrantedCall,
  questions: readonly Question[],
  pre: Outcome<typeof toolPreCall>,
): Promise<Gated> {
  const settled = await settleArgs(flow, owned, call, pre.writers.at(-1))
  if (settled.type === 'stopped') return settled
  // The schema may have filled in what no hook has seen.
  const isFilled = settled.call.args !== call.args
  const overtaken = overtakenBy(flow.table, pre, isFilled)
  return guardCall(flow, owned, settled.call, questions, overtaken)
}

/** The original stays beside arguments that were changed. */
export function withArgs<C extends ToolCall>(call: C, args: JsonObject): C {
  if (isSameData(args, call.args)) return call
  return { ...call, args, originalArgs: call.originalArgs ?? call.args }
}

type SettledArgs =
  | { readonly type: 'settled'; readonly call: GrantedCall }
  | StoppedCall

/**
 * Arguments that somebody changed are checked and granted anew, and so are
 * those that people took their time over, which nobody has changed.
 */
export async function settleArgs(
  { turn, scope }: CallFlow,
  { tool }: OwnedTool,
  call: GrantedCall,
  by?: string,
): Promise<SettledArgs> {
  const { signal } = turn
  const checked = await heed(turn.parts.checkArgs(tool, call.args), signal)
  if (checked.problem !== undefined) {
    const what =
      by === undefined
        ? 'The arguments no longer fit the tool'
        : `The arguments as "${by}" changed them do not fit the tool`
    return deny(call, `${what}: ${checked.problem}`, byCheck)
  }
  const twice = await heed(turn.parts.checkArgs(tool, checked.args), signal)
  if (twice.problem !== undefined || !isSameData(twice.args, checked.args)) {
    const text = `The schema of "${call.tool}" makes something else of arguments each time it reads them, so that what was judged would not be what runs. It has to leave as they are those that it gave.`
    return deny(call, text, byCheck)
  }
  const changed = withArgs(call, checked.args)
  const again = await heed(turn.agent.policy.grant(changed, scope), signal)
  const grant = intersectGrants(call.grant, again)
  if (grant.decision === 'deny') return denyGranted(changed, grant)
  return { type: 'settled', call: { ...changed, grant } }
}
