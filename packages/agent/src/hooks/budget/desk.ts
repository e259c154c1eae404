import type { AgentScope, ModelRequest } from 'hookline/lifecycle'
import type { HooksHost } from '../../define-hooks.ts'
import type { ModelPrice } from '../../index.ts'
import { createDays } from '../shared/spending/day-of.ts'
import { createPriceTable } from '../shared/spending/price-table.ts'
import { createShelves, type Shelf } from './claims.ts'
import { createEstimate } from './estimate.ts'
import type { BudgetOptions } from './options.ts'

/** The most that a call can use. */
interface CallSize {
  readonly input: number
  readonly output: number
}

/** What the hooks of one budget go by. */
export interface Desk {
  readonly name: string
  readonly options: BudgetOptions
  readonly countsMoney: boolean
  /** Milliseconds since 1970. */
  readonly now: () => number
  readonly today: () => string
  readonly sizeOf: (request: ModelRequest) => CallSize
  /** Undefined also where no limit is about money. */
  readonly priceOf: (model: string) => Promise<ModelPrice | undefined>
  readonly shelvesFor: (scope: AgentScope) => readonly Shelf[]
}

export function createDesk(options: BudgetOptions, host: HooksHost): Desk {
  const { name, clock } = host
  const { turn, session, day, actorDay, maxOutputTokens = 4096 } = options
  const levels = [turn, session, day, actorDay]
  const countsMoney = levels.some((level) => level?.cost !== undefined)
  const today = createDays(clock, options.timeZone)
  const estimate = createEstimate(options.charsPerToken ?? 3)
  const priceOf = createPriceTable(options.prices ?? {}, host)
  return {
    ...{ name, options, countsMoney, today },
    now: () => clock.wallAt(clock.now()),
    sizeOf: (request) => ({
      input: estimate(request),
      output: outputOf(request) ?? maxOutputTokens,
    }),
    priceOf: async (model) => (countsMoney ? await priceOf(model) : undefined),
    shelvesFor: createShelves(name, options, today),
  }
}

/** What a request says can be anything, and no call gives less than nothing. */
function outputOf({ settings }: ModelRequest): number | undefined {
  const said = Math.floor(settings.maxOutputTokens ?? 0)
  return said >= 1 ? Math.min(said, Number.MAX_SAFE_INTEGER) : undefined
}
