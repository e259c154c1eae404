import { loadLinearRegex } from '@hookline/agent/config'
import type { Plan, PlannedHook, Point, Table } from 'hookline'
import type { ListedPlan } from '../../protocol/schemas/hooks.ts'
import type { Workspace } from '../../reload/workspace.ts'
import { inOrder } from './agent-tables.ts'
import { hookSources } from './find-sources.ts'
import { sourceOfHook, writtenHook } from './hook-source.ts'
import { answersOf, failureWords, flowWords } from './hook-words.ts'
import { listedHook } from './listed-hook.ts'
import { type KnownCall, matchesCall } from './matches-call.ts'
import { orderReason } from './order-reason.ts'
import { refusalAt } from './refusals.ts'

interface PlanPlace {
  readonly agent: string
  readonly table: Table
  readonly point: Point
  readonly call: KnownCall
}

/** The plan of a point, as a table has it. */
export async function planAt(
  workspace: Workspace,
  { agent, table, point, call }: PlanPlace,
): Promise<ListedPlan> {
  const plan = table.plans.get(point.name)
  const sources = hookSources(workspace)
  const engines = { regex: await loadLinearRegex() }
  const whenRefused = refusalAt(point.name)
  const planned = plan === undefined ? [] : inOrder(plan)
  const lanes = plan === undefined ? undefined : lanesOf(plan)
  return {
    point: point.name,
    agent,
    answers: answersAt(point),
    contributions: [...point.kinds.keys()],
    flow: flowWords(plan?.point ?? point),
    whenRefused,
    steps: planned.map((hook, at) => ({
      ...listedHook(hook, {
        source: sourceOfHook(hook, sources),
        order: at + 1,
        isManaged: sources.isManaged(hook.name),
        written: writtenHook(hook, sources),
      }),
      because: plan === undefined ? '' : orderReason(hook, plan),
      matches: matchesCall(hook, call, engines),
      mayAnswer: answersOf(hook, point),
      whenItFails: failureWords(hook, whenRefused),
      lane: lanes?.get(hook) ?? 1,
      isObserver: plan?.observers.includes(hook) ?? false,
    })),
    ties: tiesOf(planned),
  }
}

/** What hooks may answer there, with the right that an answer needs. */
function answersAt({ answers, rights, flow }: Point): string[] {
  if (flow === 'observe') return []
  const words = [...answers].map((answer) => {
    const right = rights.get(answer)
    return right === undefined ? answer : `${answer} (with the right ${right})`
  })
  return ['proceed', ...words.filter((answer) => answer !== 'proceed')]
}

/** Those of a batch share one, observers too; all others have their own. */
function lanesOf({
  point,
  waited,
  observers,
}: Plan): ReadonlyMap<PlannedHook, number> {
  const lanes = new Map<PlannedHook, number>()
  let lane = 0
  let end = 0
  for (const [at, hook] of waited.entries()) {
    if (point.flow !== 'parallel' || at >= end) lane++
    end = Math.max(end, hook.batchEnd)
    lanes.set(hook, lane)
  }
  for (const hook of observers) lanes.set(hook, lane + 1)
  return lanes
}

/** What they say of each other, but for those that are in no plan. */
function tiesOf(hooks: readonly PlannedHook[]): ListedPlan['ties'] {
  const names = new Set(hooks.map(({ name }) => name))
  const ties = hooks.flatMap(({ name, after, before, needs }) => [
    ...needs.map((from) => ({ from, to: name, kind: 'needs' as const })),
    ...after.map((from) => ({ from, to: name, kind: 'after' as const })),
    ...before.map((to) => ({ from: name, to, kind: 'before' as const })),
  ])
  return ties.filter(({ from, to }) => names.has(from) && names.has(to))
}
