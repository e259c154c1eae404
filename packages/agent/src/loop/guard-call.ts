import type {
  MaybePromise,
  Outcome,
  PlannedHook,
  Question,
  Table,
} from 'hookline'
import { type GrantedCall, toolGuard, toolPreCall } from 'hookline/lifecycle'
import { sealCall } from '../seal/seal-call.ts'
import { ask } from './ask.ts'
import {
  type CallFlow,
  noteVerdicts,
  type PassedCall,
  type StoppedCall,
  stop,
} from './call-flow.ts'
import type { OwnedTool } from './parts.ts'

/**
 * Seals a call and has it judged as it will run. Hooks that were overtaken, by
 * a change after they had let it pass, are asked once more.
 */
export async function guardCall(
  flow: CallFlow,
  owned: OwnedTool,
  call: GrantedCall,
  asked: readonly Question[],
  overtaken: readonly string[] = [],
): Promise<PassedCall | StoppedCall> {
  const { turn, table, scope } = flow
  const sealed = sealCall(call, owned.definitionHash, scope)
  const questions = [...asked]
  const judgements = [
    () => ask(turn, toolGuard, sealed, { table, scope }),
    ...gatesNamed(table, overtaken).map((hook) => {
      const only = { table: tableOf(table, hook), scope }
      return () => ask(turn, toolPreCall, call, only)
    }),
  ]
  for (const judge of judgements) {
    const verdict: Outcome = await (judge() as MaybePromise<Outcome>)
    noteVerdicts(flow, verdict.records)
    if (verdict.type === 'reject') {
      const denied = stop(sealed, 'denied', 'denied', verdict.reason)
      return { ...denied, seal: sealed.seal }
    }
    if (verdict.type === 'ask') questions.push(...verdict.questions)
  }
  const { policy } = turn.agent
  if (flow.verdicts.length === 0 && policy.needsGate(sealed, scope)) {
    turn.parts.alarm('ungated', sealed.tool)
    const text = `No hook has judged this call, and "${sealed.tool}" may not run without.`
    return { ...stop(sealed, 'denied', 'denied', text), seal: sealed.seal }
  }
  return { type: 'passed', owned, sealed, questions }
}

/** The hooks that let a value pass which was changed after them. */
export function overtakenBy({
  writers,
  records,
}: Pick<Outcome, 'writers' | 'records'>): readonly string[] {
  const last = records.findLastIndex(({ hook }) => writers.includes(hook))
  return records
    .slice(0, Math.max(0, last))
    .filter(({ answer, mode }) => {
      return mode === 'enforce' && (answer === 'proceed' || answer === 'ask')
    })
    .map(({ hook }) => hook)
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
