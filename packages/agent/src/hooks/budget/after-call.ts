import { defineHook, proceed } from 'hookline'
import { llmPostCall, turnPostTurn } from 'hookline/lifecycle'
import type { Desk } from './desk.ts'
import { isOfRequest, wasReserved } from './reserved-for.ts'
import { settleCall, settleLeft, spendAll } from './settle-all.ts'
import { toldUseOf, unknownUseOf, useOf } from './use-of.ts'

/** Puts what a call has used in the place of what was reserved for it. */
export function settleUse({ name, options, ...desk }: Desk) {
  const { unknownUse = 'worst' } = options
  return defineHook({
    name: `${name}:settle`,
    on: llmPostCall,
    handler: { version: '1' },
    // The first one here: whoever withholds the reply does not skip it.
    priority: 1_000_000,
    beforeWrites: true,
    holdBack: 'none',
    // What is not settled counts as the worst.
    onFailure: 'open',
    async run(ended, { state, scope }) {
      const { request } = ended
      const price = await desk.priceOf(request.model)
      const shelves = desk.shelvesFor(scope)
      if (!wasReserved(request)) {
        // A hook has skipped the gate, or answered, where nothing was used.
        const used = toldUseOf(ended, price)
        if (used) await spendAll(state, shelves, { used, now: desk.now() })
        return proceed
      }
      await settleCall(state, shelves, isOfRequest(request), (reserved) =>
        useOf(ended, reserved, { price, unknownUse }),
      )
      return proceed
    },
  })
}

/** Settles what a turn that has ended left reserved, such as when cancelled. */
export function closeTurn({ name, options, shelvesFor }: Desk) {
  const { unknownUse = 'worst' } = options
  return defineHook({
    name: `${name}:turn`,
    on: turnPostTurn,
    handler: { version: '1' },
    // After what was released, which nobody waits for either.
    execution: 'record',
    async run(_, { state, scope }) {
      const { turnId = '' } = scope
      await settleLeft(
        state,
        shelvesFor(scope),
        ({ turn }) => turn === turnId,
        (reserved) => unknownUseOf(reserved, unknownUse),
      )
    },
  })
}
