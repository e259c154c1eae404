import {
  defineHook,
  endTurn,
  proceed,
  reject,
  type State,
  transform,
} from 'hookline'
import {
  type AgentScope,
  llmPreCall,
  type ModelRequest,
} from 'hookline/lifecycle'
import type { ModelPrice } from '../../index.ts'
import { nothing, priceFor, reserve, reservedIn } from './book.ts'
import { explainRefusal, roomFor, withoutPast } from './claims.ts'
import type { Desk } from './desk.ts'
import { isOfRequest, noteReserved } from './reserved-for.ts'
import { settleLeft } from './settle-all.ts'

/** Has a call give no more than there is room for. */
export function lowerOutput({ name, options, ...desk }: Desk) {
  const { minOutputTokens = 256 } = options
  return defineHook({
    name: `${name}:output`,
    on: llmPreCall,
    handler: { version: '1' },
    priority: 90,
    writes: true,
    async run({ request }, { state, scope, diagnose }) {
      const { input, output } = desk.sizeOf(request)
      const price = await desk.priceOf(request.model)
      const call = { input, price, now: desk.now() }
      const room = await roomFor(state, desk.shelvesFor(scope), call)
      const fitting = Math.min(output, Math.floor(room))
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
}

/** Refuses a call that there is no room for, and reserves it for the others. */
export function reserveWorst(desk: Desk) {
  const { name, options } = desk
  const refuse = options.onLimit === 'end-turn' ? endTurn : reject
  return defineHook({
    name: reservingName(name),
    on: llmPreCall,
    handler: { version: '1' },
    // After all that change the request.
    priority: 1000,
    async run({ request }, { state, scope, run }) {
      const price = await desk.priceOf(request.model)
      if (desk.countsMoney && price === undefined) {
        return refuse(
          `Model "${request.model}" has no price, so that a limit on cost cannot be kept; add it to the prices of "${name}".`,
        )
      }
      const call = { request, price, scope, run }
      const refusal = await reserveIn(desk, state, call)
      return refusal === undefined ? proceed : refuse(refusal)
    },
  })
}

interface Reserving {
  readonly request: ModelRequest
  readonly price: ModelPrice | undefined
  readonly scope: AgentScope
  readonly run: string
}

/** Why a call cannot be made, if it cannot; else there is room for it. */
async function reserveIn(
  { options, ...desk }: Desk,
  state: State,
  { request, price, scope, run }: Reserving,
): Promise<string | undefined> {
  const { reserveMs = 3_600_000 } = options
  const { input, output } = desk.sizeOf(request)
  const now = desk.now()
  const cost = priceFor(input, output, price)
  const { turnId: turn = '' } = scope
  const made = { run, turn, input, output, cost, until: now + reserveMs }
  const isMade = (one: { readonly run: string }) => one.run === run
  const shelves = desk.shelvesFor(scope)
  for (const [at, { cell, claims }] of shelves.entries()) {
    const book = await state.update(cell, (before) =>
      reserve(withoutPast(before, desk.today()), claims, {
        ...{ ...made, price, now },
      }),
    )
    if (reservedIn(book, isMade).length > 0) continue
    await settleLeft(state, shelves.slice(0, at), isMade, () => nothing)
    return explainRefusal(book, claims, { input, output, price, now })
  }
  noteReserved(request, run)
  return undefined
}

/** Gives back what was reserved for a call that a later hook has refused. */
export function releaseRefused({ name, shelvesFor }: Desk) {
  return defineHook({
    name: `${name}:release`,
    on: llmPreCall,
    handler: { version: '1' },
    execution: 'record',
    async run({ request }, { state, scope, decision }) {
      const isCalled = ['proceed', 'replace', 'respond'].includes(decision.type)
      // Where the gate itself refused, it has nothing reserved.
      if (isCalled || decision.by === reservingName(name)) return
      const isRefused = isOfRequest(request)
      await settleLeft(state, shelvesFor(scope), isRefused, () => nothing)
    },
  })
}

function reservingName(name: string): string {
  return `${name}:reserve`
}
