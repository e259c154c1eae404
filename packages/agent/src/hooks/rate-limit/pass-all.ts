import {
  type Cell,
  type Clock,
  compileCondition,
  defineCell,
  type State,
} from 'hookline'
import type { AgentScope } from 'hookline/lifecycle'
import { type Buckets, giveBack, type Rate, take } from './buckets.ts'
import type { RateRule } from './options.ts'

/** A rule, and where its buckets are. */
export interface Limit {
  readonly rule: RateRule
  readonly cell: Cell<Buckets>
  readonly rate: Rate
  readonly fits: (called: string) => boolean
}

export function createLimit(rule: RateRule, name: string): Limit {
  const { names = ['*'], calls, perMs, burst = calls, waitMs = 0 } = rule
  const cell = defineCell<Buckets>(name, {
    initial: () => ({}),
    scope: rule.per === 'session' ? 'tree' : 'global',
    maxChars: 1_000_000,
  })
  const rate = { msPerCall: perMs / calls, burst, waitMs }
  return { rule, cell, rate, fits: compileCondition(names) }
}

/** A call that wants to pass. */
export interface Passing {
  /** The tool or model. */
  readonly called: string
  readonly scope: AgentScope
  readonly state: State
  readonly signal: AbortSignal
  readonly clock: Clock
}

/** Why a call cannot pass, if it cannot; waits where it may. */
export async function passAll(
  limits: readonly Limit[],
  passing: Passing,
): Promise<string | undefined> {
  const { called, clock, signal } = passing
  const passed: Limit[] = []
  let longestMs = 0
  for (const limit of limits) {
    if (!limit.fits(called)) continue
    const { waitMs, hasPassed } = await takeFrom(limit, passing)
    if (!hasPassed) {
      // Whoever is refused must not use up what others share with them.
      for (const one of passed) await giveBackTo(one, passing)
      const { calls, perMs } = limit.rule
      return `There were more than ${calls} calls in ${perMs} ms; try again in ${Math.ceil(waitMs)} ms.`
    }
    passed.push(limit)
    longestMs = Math.max(longestMs, waitMs)
  }
  if (longestMs > 0) await sleep(clock, longestMs, signal)
  return undefined
}

async function takeFrom({ cell, rate, rule }: Limit, passing: Passing) {
  const { state, clock } = passing
  const now = clock.wallAt(clock.now())
  const key = keyOf(rule, passing)
  let taken = { waitMs: 0, hasPassed: false }
  await state.update(cell, (before) => {
    const { buckets, ...came } = take(before, key, rate, now)
    taken = came
    return buckets
  })
  return taken
}

async function giveBackTo({ cell, rule }: Limit, passing: Passing) {
  const key = keyOf(rule, passing)
  await passing.state.update(cell, (before) => giveBack(before, key))
}

function keyOf(
  { per = 'all' }: RateRule,
  { called, scope: { agent, actor } }: Passing,
): string {
  switch (per) {
    case 'all':
    case 'session':
      return 'all'
    case 'agent':
      return `agent ${agent}`
    case 'actor':
      return actor ? `actor ${actor.kind} ${actor.id}` : 'nobody'
    case 'name':
      return `name ${called}`
  }
}

/** Ends early when nobody waits any more. */
async function sleep(
  clock: Clock,
  ms: number,
  signal: AbortSignal,
): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const timer = clock.after(ms, resolve)
  const stop = () => resolve()
  signal.addEventListener('abort', stop, { once: true })
  if (signal.aborted) stop()
  try {
    await promise
  } finally {
    timer.stop()
    signal.removeEventListener('abort', stop)
  }
}
