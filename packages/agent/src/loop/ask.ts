import {
  emptyTable,
  type InputOf,
  type MaybePromise,
  type Outcome,
  type Plan,
  type Point,
  type RunOptions,
  type Table,
} from 'hookline'
import { type AgentScope, audit, job, notice } from 'hookline/lifecycle'
import { chain } from './chain.ts'
import type { LoopParts } from './parts.ts'
import { isSuspended } from './suspension.ts'
import type { Turn } from './turn.ts'

interface AskOptions {
  readonly scope?: AgentScope
  /** Another table than the newest: one held for several points. */
  readonly table?: Table
  /** About what has happened: it is asked also when the turn is cancelled. */
  readonly isAfterwards?: boolean
  /** Told when hooks that nobody waits for have ended, or are queued. */
  readonly observed?: () => void
  /** Of what is kept: asked again, by whomever, it has the same. */
  readonly id?: string
  /** All that the input is made of is frozen: nobody has to look. */
  readonly isOfFrozen?: boolean
}

// Whoever has cancelled waits no longer than this for hooks to be told.
const lateMs = 5_000

const noOptions: AskOptions = {}
// Where there is no hook, nobody is told the moment.
const toNobody = Object.freeze({ table: emptyTable })

/** Asks a point about this moment of the turn. */
export function ask<P extends Point>(
  turn: Turn,
  point: P,
  input: InputOf<P>,
  options: AskOptions = noOptions,
): MaybePromise<Outcome<P>> {
  const { parts, agent, state, signal, parent, progress } = turn
  const { table = agent.table, isAfterwards = false } = options
  const plan = table.plans.get(point.name)
  // What is suspended has not happened, unless it is kept: whoever goes on
  // with it tells how it ends.
  const isOver = isAfterwards && options.id === undefined
  const isUntold = isOver && isSuspended(signal)
  if (isUntold || (plan === undefined && parent === undefined)) {
    return parts.engine.run(point, input, toNobody)
  }
  const { scope = progress.scope, isOfFrozen } = options
  if (isOfFrozen) Object.freeze(input)
  const asked: RunOptions = isAfterwards
    ? late(signal, options, { scope, state, table })
    : { scope, state, table, signal }
  // The scope is right: all points that a turn asks are an agent's.
  const run = (parent ? { ...asked, parent } : asked) as RunOptions<P>
  const outcome = parts.engine.run(point, input, run)
  if (plan === undefined || !isHeard(plan)) return outcome
  return passOnWhenEnded(turn, point, outcome)
}

// Apart from who asks: what closes over a name makes room for it every time.
function passOnWhenEnded<P extends Point>(
  turn: Turn,
  point: P,
  outcome: MaybePromise<Outcome<P>>,
): MaybePromise<Outcome<P>> {
  return chain(outcome, (ended) => passOnAll(turn, point, ended))
}

function late(
  { aborted }: Turn['signal'],
  { id, observed }: AskOptions,
  {
    scope,
    state,
    table,
  }: Required<Pick<RunOptions, 'scope' | 'state' | 'table'>>,
): RunOptions {
  const deadlineMs = aborted ? lateMs : Infinity
  // A hook may also be known by the async scope: what has happened is told when
  // it has ended, too. Written out: it is on the way of many calls.
  return id && observed
    ? { scope, state, table, deadlineMs, outlives: true, id, observed }
    : { scope, state, table, deadlineMs, outlives: true }
}

const elsewhere: readonly string[] = [notice.kind, audit.kind, job.kind]
const heard = new WeakMap<Plan, boolean>()

/** Whether a hook of the point has said that it contributes such things. */
function isHeard(plan: Plan): boolean {
  const known = heard.get(plan)
  if (known !== undefined) return known
  const speaks = plan.waited.some(({ capabilities }) =>
    capabilities.some((kind) => elsewhere.includes(kind)),
  )
  heard.set(plan, speaks)
  return speaks
}

/** Passes on what hooks contributed for others than this point. */
function passOnAll<P extends Point>(
  { events, parts, progress }: Turn,
  point: P,
  outcome: Outcome<P>,
): Outcome<P> {
  passOn(parts, outcome, progress.scope)
  if (!events.isWatched) return outcome
  for (const { by: hook, value } of outcome.contributions.of(notice)) {
    const told = { hook, point: point.name, notice: value }
    void events.emit({ type: 'hook-delta', ...told })
  }
  return outcome
}

/** Audit entries and jobs go to whoever collects them. */
export function passOn(
  { collect, alarm }: Pick<LoopParts, 'collect' | 'alarm'>,
  { contributions }: Pick<Outcome, 'contributions'>,
  scope: AgentScope,
): void {
  for (const one of contributions.all) {
    if (one.kind !== audit.kind && one.kind !== job.kind) continue
    try {
      collect(one, scope)
    } catch {
      // Whoever collects must not change what is decided.
      alarm('port-threw', 'collect')
    }
  }
}
