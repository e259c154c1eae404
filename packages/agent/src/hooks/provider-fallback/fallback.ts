import type { Cell } from 'hookline'
import type { ModelRequest } from 'hookline/lifecycle'
import type { HooksHost } from '../../define-hooks.ts'
import {
  type Circuits,
  circuitsCell,
  holderOf,
  modelKey,
  stayAwayFor,
} from '../shared/circuits/circuits.ts'
import { type Calls, callsCell, type Place } from './calls.ts'
import { fits, needsOf } from './fit.ts'
import type { ProviderFallbackOptions } from './options.ts'
import { type Rests, restsCell } from './rests.ts'

/** What the hooks of one fallback go by. */
export interface Fallback {
  readonly name: string
  readonly options: ProviderFallbackOptions
  /** Milliseconds since 1970. */
  readonly now: () => number
  readonly rests: Cell<Rests>
  readonly calls: Cell<Calls>
  readonly circuits: Cell<Circuits>
  /** Those of the names that can take the call, each once. */
  readonly fitting: (
    names: readonly string[],
    request: ModelRequest,
  ) => readonly string[]
  /** Whether a breaker lets the call pass; it may be the one that tries. */
  readonly claim: (place: Place, model: string) => Promise<boolean>
}

export function createFallback(
  options: ProviderFallbackOptions,
  { name, clock }: HooksHost,
): Fallback {
  const { models, per = 'session', breaker = 'circuit-breaker' } = options
  const known = new Map(models.map((one) => [one.model, one]))
  const circuits = circuitsCell(breaker)
  const now = () => clock.wallAt(clock.now())
  return {
    ...{ name, options, now, circuits },
    rests: restsCell(name, per),
    calls: callsCell(name),
    fitting(names, request) {
      const needs = needsOf(request)
      return [...new Set(names)].filter((one) => fits(known.get(one), needs))
    },
    async claim({ scope, state }, model) {
      const circuit = { state, cell: circuits, key: modelKey(model) }
      const call = { holder: holderOf(scope), now: now() }
      return (await stayAwayFor(circuit, call)) === undefined
    },
  }
}

/** The models of the options, the first choice first. */
export function listedModels({ options }: Fallback): readonly string[] {
  return options.models.map(({ model }) => model)
}
