import type { Outcome, PlannedHook, Question, Table } from 'hookline'
import { type GrantedCall, toolGuard, toolPreCall } from 'hookline/lifecycle'
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
  for (const hook of gatesNamed(table, overtaken)) {
    const only = { table: tableOf(table, hook), scope }
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

/**
 * The gates that a value was changed after: also those that it did not concern
 * then, by their matchers, and not those that a `replace` has left out.
 */
export function overtakenBy(
  table: Table,
  { writers, runs }: Pick<Outcome, 'writers' | 'runs'>,
  isFilled: boolean,
): readonly string[] {
  const gates = table.plans.get(toolPreCall.name)?.waited ?? []
  const last = gates.findIndex(({ name }) => name === writers.at(-1))
  const isLeftOut = (name: string) =>
    runs.some(
      ({ planned, ending }) =>
        planned.name === name && ending.note === 'chain-ended',
    )
  return gates
    .slice(0, isFilled ? gates.length : last)
    .filter(({ name, mode }) => mode === 'enforce' && !writers.includes(name))
    .map(({ name }) => name)
    .filter((name) => !isLeftOut(name))
}

/** All that have a say before a call, for one that none of them has seen. */
export function gatesOf({ plans }: Table): readonly string[] {
  const gates = plans.get(toolPreCall.name)?.waited ?? []
  return gates.filter(({ mode }) => mode === 'enforce').map(({ name }) => name)
}

function gatesNamed(
  table: Table,
  names: readonly string[],
): readonly PlannedHook[] {
  if (names.length === 0) return []
  const gates = table.plans.get(toolPreCall.name)?.waited ?? []
  return gates.filter(({ name }) => names.includes(name))
}

const tables = new WeakMap<PlannedHook, Table>()

/** A table with nothing but one hook, to ask it alone. */
function tableOf(table: Table, planned: PlannedHook): Table {
  const known = tables.get(planned)
  if (known !== undefined) return known
  const alone = { ...planned, index: 0, batchEnd: 1, needed: [] }
  const plan = {
    point: toolPreCall,
    waited: [alone],
    observers: [],
    hasNeeds: false,
  }
  const hooks = table.hooks.filter(({ name }) => name === planned.name)
  const made = { hooks, plans: new Map([[toolPreCall.name, plan]]) }
  tables.set(planned, made)
  return made
}
