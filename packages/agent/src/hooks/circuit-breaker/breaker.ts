import type { State } from 'hookline'
import { notice } from 'hookline/lifecycle'
import type { HooksHost } from '../../define-hooks.ts'
import { type CircuitRules, noteEnd } from '../shared/circuits/circuit.ts'
import {
  changedAt,
  circuitAt,
  circuitsCell,
  holdersIn,
  releasedIn,
  stayAwayFor,
} from '../shared/circuits/circuits.ts'
import type { CircuitBreakerOptions } from './options.ts'

/** A call of something that is watched, and who makes it. */
export interface WatchedCall {
  readonly kind: 'model' | 'tool'
  readonly name: string
  readonly key: string
  readonly holder: string
}

/** What the hooks of one breaker go by. */
export interface Breaker {
  readonly name: string
  /** Why a call is refused, if it is. */
  readonly refusalOf: (
    state: State,
    call: WatchedCall,
  ) => Promise<string | undefined>
  /** What people are told, if the circuit opens with this end of a call. */
  readonly noteCall: (
    state: State,
    call: WatchedCall & { readonly isFailure: boolean },
  ) => Promise<readonly ReturnType<typeof notice>[]>
  /** Calls that were to try were not made, or nobody heard how they ended. */
  readonly letOthersTry: (
    state: State,
    isOver: (holder: string) => boolean,
  ) => Promise<void>
}

export function createBreaker(
  options: CircuitBreakerOptions,
  { name, clock }: HooksHost,
): Breaker {
  const rules: CircuitRules = {
    windowMs: options.windowMs ?? 60_000,
    minCalls: options.minCalls ?? 5,
    share: options.share ?? 0.5,
    openMs: options.openMs ?? 30_000,
  }
  const cell = circuitsCell(name)
  const wall = () => clock.wallAt(clock.now())
  return {
    name,
    async refusalOf(state, { key, holder, ...what }) {
      const call = { holder, now: wall() }
      const leftMs = await stayAwayFor({ state, cell, key }, call)
      return leftMs === undefined ? undefined : refusalText(what, leftMs)
    },
    async noteCall(state, { key, holder, isFailure, ...what }) {
      const end = { holder, now: wall(), isFailure }
      const all = await state.update(cell, (before) =>
        changedAt(before, key, (one) => noteEnd(one, end, rules)),
      )
      const hasOpened =
        circuitAt(all, key)?.openUntil === end.now + rules.openMs
      return hasOpened ? [openedNotice(what, rules)] : []
    },
    async letOthersTry(state, isOver) {
      if (!holdersIn(await state.get(cell)).some(isOver)) return
      await state.update(cell, (before) => releasedIn(before, isOver))
    },
  }
}

type Named = Pick<WatchedCall, 'kind' | 'name'>

function refusalText({ kind, name }: Named, leftMs: number): string {
  const when =
    leftMs > 0
      ? `in ${Math.ceil(leftMs / 1_000)} s`
      : 'by another call right now'
  return `The ${kind} "${name}" has failed too often; it is tried again ${when}.`
}

function openedNotice({ kind, name }: Named, { openMs }: CircuitRules) {
  const message = `The ${kind} "${name}" has failed too often and rests for ${Math.ceil(openMs / 1_000)} s.`
  return notice({ level: 'warning', message })
}

/** They only count: first of all, and nothing depends on them. */
export const counting = {
  handler: { version: '1' },
  priority: 900,
  beforeWrites: true,
  onFailure: 'open',
  capabilities: ['notice'],
} as const
