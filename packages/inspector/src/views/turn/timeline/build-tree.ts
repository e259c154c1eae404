import {
  answererWords,
  outcomeOfRun,
  type Run,
} from '../../../data/protocol.ts'
import { outcomeOfStatus } from '../../outcomes.ts'
import { type Draft, draft, embrace, type Node, type Trace } from './nodes.ts'
import { addModelCalls } from './place-models.ts'
import { type ToldQuestion, type ToldTurn, withinTurn } from './told-turn.ts'

/** A turn as it was recorded, and as its events told it, in one tree. */
export function buildTree(
  { turn, calls, runs }: Pick<Trace, 'turn' | 'calls' | 'runs'>,
  given: ToldTurn,
): Node {
  const { endedAt } = turn
  const told = endedAt === null ? given : withinTurn(given, endedAt)
  const end = endedAt ?? told.end?.at
  const status = end === undefined ? 'running' : turn.status
  const root = draft({
    key: 'turn',
    kind: 'turn',
    name: `Turn ${turn.number}`,
    start: turn.startedAt,
    end,
    outcome: outcomeOfStatus(status === 'running' ? told.end?.status : status),
    about: {
      words: turn.error ?? told.end?.reason,
      // Hooks that nobody waits for are drawn in it, and are not its time.
      tookMs: end === undefined ? undefined : end - turn.startedAt,
    },
  })
  const steps = told.steps.map(({ key, step, start, end: stepEnd }) =>
    draft({
      key,
      kind: 'step',
      name: `Step ${step}`,
      start,
      end: stepEnd ?? end,
      outcome: stepEnd === undefined && end === undefined ? 'running' : 'done',
    }),
  )
  root.children.push(...steps)
  const stepAt = (at: number) => stepOf(steps, at) ?? root
  const byKey = new Map(steps.map((step) => [step.key, step]))
  const tools = addCalls({ root, told, calls, stepAt, byKey })
  const ends = addRuns({ runs, tools, steps, root, told, byKey })
  addModelCalls({ told, steps, ends, end })
  addOthers({ told, tools, stepAt, end })
  embrace(root)
  return root
}

/** The step that something happened in: after its start, and before its end. */
function stepOf(steps: readonly Draft[], at: number): Draft | undefined {
  let [from, to] = [0, steps.length]
  while (from < to) {
    const middle = (from + to) >> 1
    if ((steps[middle]?.start ?? 0) <= at) from = middle + 1
    else to = middle
  }
  const found = steps[from - 1]
  const isOver = found?.end !== undefined && found.end < at
  return isOver ? undefined : found
}

interface CallParts {
  readonly root: Draft
  readonly told: ToldTurn
  readonly calls: Trace['calls']
  readonly stepAt: (at: number) => Draft
  readonly byKey: ReadonlyMap<string, Draft>
}

/** Calls by their ids: from the events, and from the records where those end. */
function addCalls(parts: CallParts): ReadonlyMap<string, Draft> {
  const { root, told, calls, stepAt, byKey } = parts
  const recorded = new Map(calls.map((call) => [call.callId, call]))
  const tools = new Map<string, Draft>()
  for (const one of told.calls) {
    const { callId, tool: name, start, end, status, step } = one
    const call = recorded.get(callId)
    // The same as from its record, so that it stays selected; ids may recur.
    const key = tools.has(callId) ? one.key : `call-${callId}`
    const node = draft({
      key,
      kind: 'tool',
      name,
      start,
      end: end ?? call?.endedAt ?? root.end,
      outcome: outcomeOfStatus(status ?? call?.status),
      about: { callId, call, words: call?.error },
    })
    tools.set(callId, node)
    const parent = byKey.get(`step-${step}`) ?? stepAt(start)
    parent.children.push(node)
  }
  for (const call of calls) {
    const { callId, tool: name, startedAt: start, endedAt, status } = call
    if (tools.has(callId)) continue
    const end = endedAt ?? root.end
    const outcome = outcomeOfStatus(status)
    const about = { callId, call, words: call.error }
    const key = `call-${callId}`
    const node = draft({ key, kind: 'tool', name, start, end, outcome, about })
    tools.set(callId, node)
    stepAt(start).children.push(node)
  }
  return tools
}

interface RunParts {
  readonly runs: readonly Run[]
  readonly tools: ReadonlyMap<string, Draft>
  readonly steps: readonly Draft[]
  readonly root: Draft
  readonly told: ToldTurn
  readonly byKey: ReadonlyMap<string, Draft>
}

/**
 * Every point that was asked, with its hooks; those inside a hook are in it.
 * Says when each was done.
 */
function addRuns(parts: RunParts): readonly number[] {
  const { runs, tools, root } = parts
  const points = new Map<string, { readonly point: Draft; readonly run: Run }>()
  const hooks = new Map<string, Draft>()
  for (const run of runs) {
    const { id, dispatch, point: name, hook, startedAt: start } = run
    const end = endOf(run) ?? root.end
    const outcome = outcomeOfRun(run)
    const words = run.failure?.message ?? run.reason
    const about = { run, words }
    const node = draft({
      key: id,
      kind: 'hook',
      name: hook,
      start,
      end,
      outcome,
      about,
    })
    hooks.set(id, node)
    const found = points.get(dispatch)
    const point =
      found?.point ??
      draft({
        key: `point-${dispatch}`,
        kind: 'point',
        name,
        start,
        end: start,
        outcome: 'done',
      })
    if (found === undefined) points.set(dispatch, { point, run })
    point.children.push(node)
    // Nobody waits for what goes on behind it.
    const isWaited = outcome !== 'background'
    if (end === undefined) point.end = undefined
    else if (isWaited && point.end !== undefined) {
      point.end = Math.max(point.end, end)
    }
  }
  for (const { point, run } of points.values()) {
    const { inside, callId } = run
    const outer = inside === undefined ? undefined : hooks.get(inside)
    const tool = callId === undefined ? undefined : tools.get(callId)
    const parent = outer ?? tool ?? stepOfPoint(point, parts) ?? root
    parent.children.push(point)
  }
  return [...points.values()]
    .flatMap(({ point }) => point.end ?? [])
    .sort((one, other) => one - other)
}

function endOf({ startedAt, latencyMs }: Run): number | undefined {
  return latencyMs === undefined ? undefined : startedAt + latencyMs
}

/**
 * Events are written a moment after they happen, so that the hooks before a
 * model call may seem to come before their step: they are in the first step
 * whose model has not answered yet.
 */
function stepOfPoint(
  { name, start }: Draft,
  { steps, told, byKey }: RunParts,
): Draft | undefined {
  if (!name.startsWith('llm.') || name === 'llm.post_call') {
    return stepOf(steps, start)
  }
  const first = told.models.find(({ end }) => end === undefined || end >= start)
  return byKey.get(`step-${first?.step}`) ?? stepOf(steps, start)
}

interface OtherParts {
  readonly told: ToldTurn
  readonly tools: ReadonlyMap<string, Draft>
  readonly stepAt: (at: number) => Draft
  readonly end: number | undefined
}

const decisions: Readonly<Record<string, Draft['outcome']>> = {
  allow: 'done',
  edit: 'transformed',
  deny: 'denied',
}

function askedWords(by: ToldQuestion['by']): string {
  if (by === undefined) return 'Waits for a person'
  return by.kind === 'nobody'
    ? 'Nobody answered'
    : `Asked: ${answererWords(by)}`
}

/** Questions to people, sub-agents, and messages that were compacted. */
function addOthers({ told, tools, stepAt, end: over }: OtherParts): void {
  for (const question of told.questions) {
    const { key, callId, start, end = over, decision, by } = question
    const name = askedWords(by)
    const open = end === undefined ? 'running' : 'cancelled'
    const outcome =
      decision === undefined ? open : (decisions[decision] ?? 'done')
    const parent = tools.get(callId) ?? stepAt(start)
    const about = { question, callId }
    const given = { key, kind: 'question', name, start, end, outcome, about }
    parent.children.push(draft({ ...given, kind: 'question' }))
  }
  for (const child of told.children) {
    const { key, child: name, start, end = over, status } = child
    const outcome = outcomeOfStatus(status ?? (end ? 'cancelled' : undefined))
    const about = { child }
    const given = { key, name, start, end, outcome, about }
    stepAt(start).children.push(draft({ ...given, kind: 'subagent' }))
  }
  for (const one of told.compactions) {
    const { key, start, end = over, removedCount = 0, vetoedBy } = one
    const outcome = vetoedBy === undefined ? 'done' : 'rejected'
    const words = vetoedBy
      ? `Kept from it by ${vetoedBy}.`
      : `${removedCount} messages were taken out.`
    const given = { key, name: 'Compaction', start, end, about: { words } }
    const node = draft({ ...given, outcome, kind: 'compaction' })
    stepAt(start).children.push(node)
  }
}
