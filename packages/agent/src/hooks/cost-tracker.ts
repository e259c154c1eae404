import { defineCell, defineHook, proceed } from 'hookline'
import {
  audit,
  type LlmPostCallInput,
  llmPostCall,
  turnPostTurn,
} from 'hookline/lifecycle'
import { defineHooks, described, flag, object, text } from '../define-hooks.ts'
import { costOf, type ModelPrice } from '../index.ts'
import { addCounts } from './shared/spending/add-counts.ts'
import {
  createDays,
  dayToCount,
  timeZoneShape,
} from './shared/spending/day-of.ts'
import {
  createPriceTable,
  type Prices,
  pricesShape,
} from './shared/spending/price-table.ts'

export interface CostTrackerOptions {
  readonly prices?: Prices
  readonly timeZone?: string
  /** What amounts are called; default: none. */
  readonly currency?: string
  /** Whether totals go to the audit log, too; default false. */
  readonly audits?: boolean
}

/** What calls of models came to. */
export interface CostTotals {
  readonly calls: number
  /** Calls that failed; what they cost is not known. */
  readonly failed: number
  readonly inputTokens: number
  readonly outputTokens: number
  readonly cost: number
  /** Calls of models without a price, which are not in the cost. */
  readonly unpriced: number
}

interface TreeTotals {
  readonly turn: string
  readonly ofTurn: CostTotals
  readonly session: CostTotals
}

interface DayTotals {
  readonly day: string
  readonly all: CostTotals
  readonly models: Readonly<Record<string, CostTotals>>
}

const options = object<CostTrackerOptions>(
  {
    prices: pricesShape,
    timeZone: timeZoneShape,
    currency: described(
      text({ maxLength: 16 }),
      'What amounts are called, such as USD; default: nothing.',
    ),
    audits: described(
      flag,
      'Whether the totals of each turn go to the audit log, too; default: false.',
    ),
  },
  [],
)

const none: CostTotals = Object.freeze({
  calls: 0,
  failed: 0,
  inputTokens: 0,
  outputTokens: 0,
  cost: 0,
  unpriced: 0,
})

// More than this many of a day are counted together.
const maxModels = 100

/** Adds up what is spent, and refuses nothing. */
export const costTracker = defineHooks({
  name: 'cost-tracker',
  description: 'Adds up what calls of models cost, by turn, session and day.',
  options,
  create({ prices = {}, timeZone, currency = '', audits = false }, host) {
    const { name, clock } = host
    const priceOf = createPriceTable(prices, host)
    const today = createDays(clock, timeZone)
    const ofTree = defineCell<TreeTotals>(name, {
      initial: () => ({ turn: '', ofTurn: none, session: none }),
      scope: 'tree',
    })
    const ofDay = defineCell<DayTotals>(name, {
      initial: () => ({ day: '', all: none, models: {} }),
    })

    const count = defineHook({
      name: `${name}:count`,
      on: llmPostCall,
      handler: { version: '1' },
      // The first one here: whoever withholds the reply does not skip it.
      priority: 1_000_001,
      beforeWrites: true,
      holdBack: 'none',
      onFailure: 'open',
      async run(input, { state, scope }) {
        const { model } = input.request
        const one = totalsOf(input, await priceOf(model))
        const { parents, turnId = '' } = scope
        await state.update(ofTree, ({ turn, ofTurn, session }) => {
          // Sub-agents work for the turn that runs.
          const current = parents === undefined || turn === '' ? turnId : turn
          return {
            turn: current,
            ofTurn: addCounts(current === turn ? ofTurn : none, one),
            session: addCounts(session, one),
          }
        })
        await state.update(ofDay, (before) => {
          const day = dayToCount(before.day, today())
          const { all, models } =
            before.day === day ? before : { all: none, models: {} }
          return {
            day,
            all: addCounts(all, one),
            models: addTo(models, model, one),
          }
        })
        return proceed
      },
    })

    const tell = defineHook({
      name: `${name}:totals`,
      on: turnPostTurn,
      handler: { version: '1' },
      capabilities: [audit.kind],
      async run(_, { state, scope, emit, diagnose, contribute }) {
        // What a sub-agent used is told at the end of the turn it works for.
        if (scope.parents !== undefined) return proceed
        const { turn, ofTurn, session } = await state.get(ofTree)
        const { day, all } = await state.get(ofDay)
        const totals = {
          turn: turn === scope.turnId ? ofTurn : none,
          session,
          day: day === dayToCount(day, today()) ? all : none,
          currency,
        }
        const { turnId, sessionId } = scope
        emit({ type: 'cost-totals', by: name, sessionId, turnId, ...totals })
        diagnose('cost.totals', totalsText(totals), { safeForUser: true })
        if (audits) {
          contribute(audit({ event: 'cost.totals', details: asData(totals) }))
        }
        return proceed
      },
    })
    return [count, tell]
  },
})

function totalsOf(
  input: LlmPostCallInput,
  price: ModelPrice | undefined,
): CostTotals {
  if (input.type === 'error') return { ...none, calls: 1, failed: 1 }
  const { usage } = input.response
  const { inputTokens, outputTokens } = usage
  const cost = price === undefined ? 0 : costOf(usage, price)
  const unpriced = price === undefined ? 1 : 0
  return { calls: 1, failed: 0, inputTokens, outputTokens, cost, unpriced }
}

function addTo(
  models: DayTotals['models'],
  model: string,
  one: CostTotals,
): DayTotals['models'] {
  const isKnown = Object.hasOwn(models, model)
  const isFull = Object.keys(models).length >= maxModels
  const key = isKnown || !isFull ? model : 'others'
  const before = Object.hasOwn(models, key) ? models[key] : undefined
  return { ...models, [key]: addCounts(before ?? none, one) }
}

interface AllTotals {
  readonly turn: CostTotals
  readonly session: CostTotals
  readonly day: CostTotals
  readonly currency: string
}

function totalsText({ turn, session, day, currency }: AllTotals): string {
  const cost = (totals: CostTotals) =>
    `${totals.cost.toFixed(6)}${currency === '' ? '' : ` ${currency}`}`
  const hint = day.unpriced > 0 ? `; ${day.unpriced} calls had no price` : ''
  return `This turn ${cost(turn)}, the session ${cost(session)}, the day ${cost(day)}${hint}.`
}

function asData({ turn, session, day, currency }: AllTotals) {
  return {
    turn: { ...turn },
    session: { ...session },
    day: { ...day },
    currency,
  }
}
