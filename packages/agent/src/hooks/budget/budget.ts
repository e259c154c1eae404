import { defineHooks } from '../../define-hooks.ts'
import { closeTurn, settleUse } from './after-call.ts'
import { lowerOutput, releaseRefused, reserveWorst } from './before-call.ts'
import { createDesk } from './desk.ts'
import { budgetOptions } from './options.ts'

export type { BudgetLimits, BudgetOptions } from './options.ts'

/** Limits that hold also for calls at the same time. */
export const budget = defineHooks({
  name: 'budget',
  description:
    'Hard limits in tokens, money, calls and time: what a call could use at the worst is reserved before it is made.',
  options: budgetOptions,
  create(options, host) {
    const desk = createDesk(options, host)
    const { lowersOutput = true } = options
    return [
      ...(lowersOutput ? [lowerOutput(desk)] : []),
      reserveWorst(desk),
      releaseRefused(desk),
      settleUse(desk),
      closeTurn(desk),
    ]
  },
})
