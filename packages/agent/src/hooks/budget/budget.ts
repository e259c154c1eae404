import { defineHook, endTurn, proceed, reject, transform } from 'hookline'
import {
  type AgentScope,
  llmPostCall,
  llmPreCall,
  type ModelErrorCode,
  type ModelRequest,
  turnPostTurn,
} from 'hookline/lifecycle'
import { defineHooks } from '../../define-hooks.ts'
import { costOf } from '../../index.ts'
import { createDays } from '../shared/spending/day-of.ts'
import { createPriceTable } from '../shared/spending/price-table.ts'
import {
  type Amount,
  type EndedCall,
  hasReserved,
  priceFor,
  type Reservation,
  reserve,
} from './book.ts'
import {
  createShelves,
  explainRefusal,
  roomFor,
  withoutPast,
} from './claims.ts'
import { createEstimate } from './estimate.ts'
import { budgetOptions } from './options.ts'
import { closeTurn, settleAll } from './settle-all.ts'

export type { BudgetLimits, BudgetOptions } from './options.ts'

/** Providers do not bill a call that they did not take. */
const unbilled: ReadonlySet<ModelErrorCode> = new Set([
  'rate_limited',
  'overloaded',
  'context_too_long',
  'invalid_request',
  'unauthorized',
])

/** Limits that hold also for calls at the same time. */
export const budget = defineHooks({
  name: 'budget',
  description:
    'Hard limits in tokens, money, calls and time: what a call could use at the worst is reserved before it is made.',
  options: budgetOptions,
  create(options, host) {
    const { name, clock } = host
    const { maxOutputTokens = 4096, minOutputTokens = 256 } = options
    const { lowersOutput = true, unknownUse = 'worst' } = options
    const { reserveMs = 3_600_000, onLimit = 'reject' } = options
    const estimate = createEstimate(options.charsPerToken ?? 3)
    const priceOf = createPriceTable(options.prices ?? {}, host)
    const today = createDays(clock, options.timeZone)
    const shelvesFor = createShelves(name, options, today)
    const levels = [
      options.turn,
      options.session,
      options.day,
      options.actorDay,
    ]
    const countsMoney = levels.some((level) => level?.cost !== undefined)
    const refuse = onLimit === 'reject' ? reject : endTurn

    const sizeOf = (request: ModelRequest) => ({
      input: estimate(request),
      output: request.settings.maxOutputTokens ?? maxOutputTokens,
    })
    const wallNow = () => clock.wallAt(clock.now())
    const callOf = (
      scope: AgentScope,
      { request, attempt }: { request: ModelRequest; attempt: number },
    ): EndedCall => ({ moment: momentOf(scope, attempt), ...sizeOf(request) })

    /** What counts where nobody told what was used. */
    const unknown = ({ input, output, cost }: Reservation): Amount => {
      const none = { tokens: 0, cost: 0, calls: 1, modelMs: 0 }
      if (unknownUse === 'nothing') return none
      if (unknownUse === 'worst') {
        return { ...none, tokens: input + output, cost }
      }
      const share = input / Math.max(1, input + output)
      return { ...none, tokens: input, cost: cost * share }
    }

    const lower = defineHook({
      name: `${name}:output`,
      on: llmPreCall,
      handler: { version: '1' },
      priority: 90,
      writes: true,
      async run({ request }, { state, scope, diagnose }) {
        const { input, output } = sizeOf(request)
        const price = countsMoney ? await priceOf(request.model) : undefined
        const call = { input, price, now: wallNow() }
        const room = await roomFor(state, shelvesFor(scope), call)
        const fitting = Math.min(output, room)
        // The gate says why it is refused.
        if (fitting < Math.min(output, minOutputTokens)) return proceed
        const { settings } = request
        if (settings.maxOutputTokens === fitting) return proceed
        if (fitting < output) {
          const about = `maxOutputTokens is ${fitting} and not ${output}: no more is left.`
          diagnose('budget.lowered', about)
        }
        return transform({
          ...request,
          settings: { ...settings, maxOutputTokens: fitting },
        })
      },
    })

    const gate = defineHook({
      name: `${name}:reserve`,
      on: llmPreCall,
      handler: { version: '1' },
      // After all that change the request.
      priority: 1000,
      async run({ request, attempt }, { state, scope, run }) {
        const { input, output } = sizeOf(request)
        const price = countsMoney ? await priceOf(request.model) : undefined
        if (countsMoney && price === undefined) {
          return refuse(
            `Model "${request.model}" has no price, so that a limit on cost cannot be kept; add it to the prices of "${name}".`,
          )
        }
        const now = wallNow()
        const cost = priceFor(input, output, price)
        const moment = momentOf(scope, attempt)
        const until = now + reserveMs
        const made = { run, moment, input, output, cost, until }
        const shelves = shelvesFor(scope)
        for (const [at, { cell, claims }] of shelves.entries()) {
          const book = await state.update(cell, (before) =>
            reserve(withoutPast(before, today()), claims, {
              ...{ ...made, price, now },
            }),
          )
          if (hasReserved(book, run)) continue
          const others = shelves.slice(0, at)
          await settleAll(state, others, { moment, input, output }, () => none)
          const call = { input, output, price, now }
          return refuse(explainRefusal(book, claims, call))
        }
        return proceed
      },
    })

    const release = defineHook({
      name: `${name}:release`,
      on: llmPreCall,
      handler: { version: '1' },
      execution: 'record',
      async run(input, { state, scope, decision }) {
        const isCalled = ['proceed', 'replace', 'respond'].includes(
          decision.type,
        )
        // Where the gate itself refused, it has nothing reserved.
        if (isCalled || decision.by === gate.name) return
        const call = callOf(scope, input)
        await settleAll(state, shelvesFor(scope), call, () => none)
      },
    })

    const count = defineHook({
      name: `${name}:settle`,
      on: llmPostCall,
      handler: { version: '1' },
      // The first one here: whoever withholds the reply does not skip it.
      priority: 1_000_000,
      beforeWrites: true,
      holdBack: 'none',
      // What is not settled counts as the worst.
      onFailure: 'open',
      async run(input, { state, scope }) {
        const { request, elapsedMs } = input
        const price = countsMoney ? await priceOf(request.model) : undefined
        const use = (reserved: Reservation): Amount => {
          if (input.type === 'response') {
            const { usage } = input.response
            const cost = price ? costOf(usage, price) : 0
            const tokens = usage.inputTokens + usage.outputTokens
            return { tokens, cost, calls: 1, modelMs: elapsedMs }
          }
          const isFree = unbilled.has(input.error.code)
          const base = isFree ? { ...none, calls: 1 } : unknown(reserved)
          return { ...base, modelMs: elapsedMs }
        }
        const call = callOf(scope, input)
        await settleAll(state, shelvesFor(scope), call, use)
        return proceed
      },
    })

    const close = defineHook({
      name: `${name}:turn`,
      on: turnPostTurn,
      handler: { version: '1' },
      // After what was released, which nobody waits for either.
      execution: 'record',
      async run(_, { state, scope }) {
        const { turnId = '' } = scope
        await closeTurn(state, shelvesFor(scope), turnPrefix(turnId), unknown)
      },
    })

    return [...(lowersOutput ? [lower] : []), gate, release, count, close]
  },
})

const none: Amount = Object.freeze({
  tokens: 0,
  cost: 0,
  calls: 0,
  modelMs: 0,
})

/** What a call and its end have in common. */
function momentOf({ turnId = '', step, origin }: AgentScope, attempt: number) {
  return `${turnPrefix(turnId)}${step ?? 0} ${origin} ${attempt}`
}

function turnPrefix(turnId: string): string {
  return `${turnId} `
}
