import {
  type GrantedCall,
  type JsonObject,
  restriction,
  type ToolCall,
  toolPreCall,
} from 'hookline/lifecycle'
import { intersectGrants, narrowGrant } from '../policy/grants.ts'
import { isInvalidArgs } from '../ports/invalid-args.ts'
import { canonicalJson } from '../seal/canonical-json.ts'
import { ask } from './ask.ts'
import {
  type CallFlow,
  noteVerdicts,
  type PassedCall,
  type StoppedCall,
  stop,
} from './call-flow.ts'
import { readContext, tellWriters } from './edits.ts'
import { guardCall, overtakenBy } from './guard-call.ts'
import type { OwnedTool } from './parts.ts'

/** Takes a call from the model's words to the seal: everything but people. */
export async function prepareCall(
  flow: CallFlow,
  owned: OwnedTool,
  asked: ToolCall,
): Promise<PassedCall | StoppedCall> {
  const { turn, scope } = flow
  if (isInvalidArgs(asked.args)) {
    const text =
      'The arguments are not valid JSON. Send them again as an object.'
    return stop(asked, 'denied', 'dispatch', text)
  }
  const checked = await turn.parts.checkArgs(owned.tool, asked.args)
  if (checked.problem !== undefined) {
    const text = `The arguments do not fit the tool: ${checked.problem}`
    return stop(asked, 'denied', 'dispatch', text)
  }
  const call = withArgs(asked, checked.args)
  const grant = await turn.agent.policy.grant(call, scope)
  if (grant.decision === 'deny') {
    return stop(call, 'denied', 'denied', grant.reason ?? 'Policy denies it.')
  }
  return askHooks(flow, owned, { ...call, grant })
}

async function askHooks(
  flow: CallFlow,
  owned: OwnedTool,
  call: GrantedCall,
): Promise<PassedCall | StoppedCall> {
  const { turn, table, scope } = flow
  const { name } = toolPreCall
  const pre = await ask(turn, toolPreCall, call, { table, scope })
  noteVerdicts(flow, pre.records)
  flow.context.push(...readContext(turn, name, pre.contributions))
  tellWriters(turn, name, pre, 'args', call.id)
  const left = withArgs(call, pre.value.args)
  switch (pre.type) {
    case 'reject':
      return stop(left, 'denied', 'denied', pre.reason)
    case 'endTurn': {
      const text = `The turn was ended: ${pre.reason}`
      const stopped = stop(left, 'cancelled', 'cancelled', text)
      return { ...stopped, ending: pre }
    }
    case 'respond':
      return {
        type: 'stopped',
        call: left,
        status: 'synthesized',
        result: pre.output,
      }
    case 'ask':
    case 'proceed': {
      const narrowed = pre.contributions
        .of(restriction)
        .reduce((grant, { value }) => narrowGrant(grant, value), left.grant)
      const rewritten = { ...left, grant: narrowed }
      const questions = pre.type === 'ask' ? pre.questions : []
      if (pre.writers.length === 0) {
        return guardCall(flow, owned, rewritten, questions)
      }
      const settled = await settleArgs(
        flow,
        owned,
        rewritten,
        pre.writers.at(-1),
      )
      if (settled.type === 'stopped') return settled
      const overtaken = overtakenBy(pre)
      return guardCall(flow, owned, settled.call, questions, overtaken)
    }
  }
}

/** The original stays beside arguments that were changed. */
export function withArgs<C extends ToolCall>(call: C, args: JsonObject): C {
  if (args === call.args) return call
  if (canonicalJson(args) === canonicalJson(call.args)) return call
  return { ...call, args, originalArgs: call.originalArgs ?? call.args }
}

type SettledArgs =
  | { readonly type: 'settled'; readonly call: GrantedCall }
  | StoppedCall

/** Arguments that somebody changed are checked and granted anew. */
export async function settleArgs(
  { turn, scope }: CallFlow,
  { tool }: OwnedTool,
  call: GrantedCall,
  by: string | undefined,
): Promise<SettledArgs> {
  const checked = await turn.parts.checkArgs(tool, call.args)
  if (checked.problem !== undefined) {
    const text = `The arguments as "${by}" changed them do not fit the tool: ${checked.problem}`
    return stop(call, 'denied', 'dispatch', text)
  }
  const changed = withArgs(call, checked.args)
  const again = await turn.agent.policy.grant(changed, scope)
  const grant = intersectGrants(call.grant, again)
  if (grant.decision === 'deny') {
    return stop(
      changed,
      'denied',
      'denied',
      grant.reason ?? 'Policy denies it.',
    )
  }
  return { type: 'settled', call: { ...changed, grant } }
}
