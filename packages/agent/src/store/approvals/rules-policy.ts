import type { AgentScope, Grant, ToolCall } from 'hookline/lifecycle'
import { makeGrant, readGrant } from '../../policy/grants.ts'
import { intersectLimits, readLimits } from '../../policy/limits.ts'
import type { PolicyPort } from '../../ports/policy.ts'
import { argsHash } from './args-hash.ts'
import type { Desk } from './desk.ts'
import { approversOf, requestersOf } from './rights.ts'
import { type FoundRule, findRules, readRules } from './rule-row.ts'
import { makersJoint } from './write-answer.ts'

/**
 * A policy that does not ask again where somebody has said that it need not. A
 * rule lifts a question and nothing else: never a denial, and never for more
 * than the call that it was made for could do.
 */
export function rulesPolicy(desk: Desk, policy: PolicyPort): PolicyPort {
  const lift = async (grant: Grant, call: ToolCall, scope: AgentScope) => {
    try {
      const rule = await findRule(desk, call, scope)
      if (rule === undefined) return grant
      return lifted(desk, grant, { rule, call, scope })
    } catch (error) {
      // Where no rule can be read there is none: people are asked.
      desk.settings.alarm({ type: 'failed', doing: 'rules', error })
      return grant
    }
  }
  return {
    grant(call, scope) {
      const given = policy.grant(call, scope)
      const judge = (grant: Grant) => {
        const known = readGrant(grant)
        return known.decision === 'ask' ? lift(known, call, scope) : known
      }
      return given instanceof Promise ? given.then(judge) : judge(given)
    },
    needsGate: (call, scope) => policy.needsGate(call, scope),
  }
}

async function findRule(
  desk: Desk,
  call: ToolCall,
  scope: AgentScope,
): Promise<FoundRule | undefined> {
  const { parts, macs } = desk
  const { agent, sessionId, cwd = '' } = scope
  const { redactor } = parts
  const { safety } = call
  const tool = redactor.text(call.tool)
  const owner = redactor.text(call.owner)
  const hash = argsHash(macs, agent, call)
  const names = { agent, cwd, tool, owner, safety }
  const fitting = { ...names, sessionId, argsHash: hash }
  const rows = await parts.database.read(findRules(fitting))
  const needed = approversOf(desk.settings, call, scope)
  const rules = readRules(desk, rows)
  return rules.find((rule) => mayLift(desk, rule, { needed, scope }))
}

/**
 * A yes is none to what whoever gave it asks for, now or later, and one of
 * fewer people than have to agree by now is none at all.
 */
function mayLift(
  { settings }: Desk,
  { row }: FoundRule,
  { needed, scope }: { readonly needed: 1 | 2; readonly scope: AgentScope },
): boolean {
  const makers = row.made_by.split(makersJoint)
  if (makers.length < needed) return false
  const isOfOne = needed === 1 && makers.length === 1
  if (settings.mayAnswerOwn && isOfOne) return true
  const requesters = requestersOf(scope)
  return !makers.some((name) => requesters.includes(name))
}

interface Lifted {
  readonly rule: FoundRule
  readonly call: ToolCall
  readonly scope: AgentScope
}

/** The reason becomes part of the seal, and so of the record of the call. */
function lifted(
  { settings }: Desk,
  grant: Grant,
  { rule, call, scope }: Lifted,
): Grant {
  const { agent, sessionId } = scope
  const { row } = rule
  const { limits } = readLimits(rule.grant)
  settings.onLift?.({
    ruleId: row.id,
    createdBy: row.made_by,
    agent,
    tool: call.tool,
    callId: call.id,
    ...(sessionId !== undefined && { sessionId }),
  })
  const reason = `The rule ${row.id} of ${row.made_by} allows this without a question.`
  return makeGrant(
    { decision: 'allow', reason },
    intersectLimits(grant, limits),
  )
}
