import type { Outcome, Question } from 'hookline'
import { type GrantedCall, toolGuard, toolPreCall } from 'hookline/lifecycle'
import { eachAlone } from '../seal/overtaken-gates.ts'
import { sealCall } from '../seal/seal-call.ts'
import { ask } from './ask.ts'
import {
  byHook,
  byPolicy,
  type CallFlow,
  deny,
  type Gated,
  isVerdict,
  type PassedCall,
} from './call-flow.ts'
import { chain } from './chain.ts'
import type { OwnedTool } from './parts.ts'
import { unite } from './questions.ts'

/**
 * Seals a call and has it judged as it will run. Hooks that were overtaken, by
 * a change after they had let it pass, are asked once more.
 */
export function guardCall(
  flow: CallFlow,
  owned: OwnedTool,
  call: GrantedCall,
  questions: readonly Question[],
  overtaken: readonly string[] = [],
): Gated | Promise<Gated> {
  const { definitionHash } = owned
  const sealed = sealCall(call, definitionHash, flow.scope)
  const passed: PassedCall = { type: 'passed', owned, sealed, questions }
  if (overtaken.length > 0) return judgeAgain(flow, passed, call, overtaken)
  return judge(flow, passed)
}

/** The guards come last: they hear also what the others said then. */
async function judgeAgain(
  flow: CallFlow,
  passed: PassedCall,
  call: GrantedCall,
  overtaken: readonly string[],
): Promise<Gated> {
  const { turn, table, scope } = flow
  let current = passed
  for (const alone of eachAlone(table, overtaken)) {
    const only = { table: alone, scope }
    const verdict = await ask(turn, toolPreCall, call, only)
    const gated = applyVerdict(flow, current, verdict)
    if (gated.type === 'stopped') return conclude(flow, gated)
    current = gated
  }
  return judge(flow, current)
}

function judge(flow: CallFlow, passed: PassedCall): Gated | Promise<Gated> {
  const { turn, table, scope } = flow
  const judged = ask(turn, toolGuard, passed.sealed, { table, scope })
  return chain(judged, (verdict) =>
    conclude(flow, applyVerdict(flow, passed, verdict)),
  )
}

/** At this stage a hook can only reject or ask; all else it says is nothing. */
function applyVerdict(
  flow: CallFlow,
  passed: PassedCall,
  verdict: Outcome<typeof toolGuard> | Outcome<typeof toolPreCall>,
): Gated {
  const { sealed, questions } = passed
  flow.runs.push(...verdict.runs)
  if (verdict.type === 'reject') {
    return deny(sealed, verdict.reason, byHook(verdict.by))
  }
  if (verdict.type !== 'ask') return passed
  return { ...passed, questions: unite(questions, verdict.questions) }
}

/** A call that nobody has judged runs only where policy does not mind. */
function conclude({ turn, runs, scope }: CallFlow, gated: Gated): Gated {
  if (gated.type === 'stopped' || runs.some(isVerdict)) return gated
  const { sealed } = gated
  if (!turn.agent.policy.needsGate(sealed, scope)) return gated
  turn.parts.alarm('ungated', sealed.tool)
  const why = `No hook has judged this call, and "${sealed.tool}" may not run without.`
  return deny(sealed, why, byPolicy)
}
