import type { Engine, Outcome, Table } from 'hookline'
import {
  type AgentScope,
  type GrantedCall,
  permissionRequest,
  toolGuard,
  toolPreCall,
} from 'hookline/lifecycle'
import { isSameData } from '../../data/same-data.ts'
import { allGates, eachAlone, overtakenBy } from '../../seal/overtaken-gates.ts'
import { sealCall } from '../../seal/seal-call.ts'
import { textOf } from '../alias-call.ts'
import { canRunWith } from './deliverable.ts'
import { both, judged, type Said } from './said.ts'
import type { Told } from './told.ts'

/** First who may change the call, then who judges what has become of it. */
export async function askCall(
  engine: Engine,
  told: Told,
  call: GrantedCall,
): Promise<Said> {
  const { scope } = told
  // A call sees one table, whatever is loaded meanwhile.
  const { table } = engine
  const outcome = await engine.run(toolPreCall, call, { scope, table })
  const first = judged(outcome)
  if (outcome.type === 'respond') {
    return { ...first, result: textOf(outcome.output.content) }
  }
  const isOver = first.decision === 'deny' || first.stop !== undefined
  if (isOver) return first
  const { value, writers } = outcome
  const isChanged = writers.length > 0
  const overtaken = isChanged ? overtakenBy(table, outcome, false) : []
  // What the product cannot be given is not what runs.
  const isLost = isChanged && !canRunWith(told, value.args)
  const then = isLost
    ? await guard(engine, call, { scope, table, overtaken: allGates(table) })
    : await guard(engine, value, { scope, table, overtaken })
  return {
    ...both(first, then),
    ...(isChanged && { updatedInput: value.args }),
  }
}

/** Whoever agrees to other arguments has them judged as a new call. */
export async function askPermission(
  engine: Engine,
  { scope }: Told,
  call: GrantedCall,
): Promise<Said> {
  const { table } = engine
  // Which of its own rules the product asks by, if by any, it does not say.
  const grant = { ...call.grant, decision: 'ask', askedBy: 'mode' } as const
  const sealed = sealCall({ ...call, grant }, call.owner, scope)
  const question = `May "${call.tool}" run?`
  const asked = {
    id: `question-${call.id}`,
    call: sealed,
    questions: [{ by: 'policy', question }],
  }
  const outcome = await engine.run(permissionRequest, asked, { scope, table })
  const said = judged(outcome)
  if (outcome.type !== 'respond') return said
  const { output } = outcome
  if (output.type === 'deny') {
    return { ...said, decision: 'deny', reason: output.reason }
  }
  const allowed: Said = { ...said, decision: 'allow' }
  if (output.type === 'allow' || isSameData(output.args, call.args)) {
    return allowed
  }
  const edited = { ...call, args: output.args, originalArgs: call.args }
  const overtaken = allGates(table)
  const then = await guard(engine, edited, { scope, table, overtaken })
  return then.decision === undefined
    ? { ...both(allowed, then), updatedInput: output.args }
    : both(said, then)
}

interface Guarding {
  readonly scope: AgentScope
  readonly table: Table
  readonly overtaken: readonly string[]
}

/**
 * Judges a call as it will run: first the gates that it has overtaken, once
 * more, then the guards, who hear also what those left to be said then.
 */
async function guard(
  engine: Engine,
  call: GrantedCall,
  { scope, table, overtaken }: Guarding,
): Promise<Said> {
  const sealed = sealCall(call, call.owner, scope)
  let said: Said = {}
  for (const alone of eachAlone(table, overtaken)) {
    const again = await engine.run(toolPreCall, call, { scope, table: alone })
    said = both(said, narrowed(again))
    if (said.decision === 'deny') return said
  }
  const guarded = await engine.run(toolGuard, sealed, { scope, table })
  return both(said, judged(guarded))
}

/** At this stage a hook can only reject or ask; all else it says is nothing. */
function narrowed(outcome: Outcome<typeof toolPreCall>): Said {
  if (outcome.type !== 'reject' && outcome.type !== 'ask') return {}
  const { decision, reason } = judged(outcome)
  return { ...(decision && { decision }), ...(reason && { reason }) }
}
