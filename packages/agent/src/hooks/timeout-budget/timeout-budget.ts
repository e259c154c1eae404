import { compileCondition } from 'hookline'
import { defineHooks } from '../../define-hooks.ts'
import { stepHooks, turnHooks } from './limit-hooks.ts'
import { timeoutBudgetShape } from './options.ts'
import { createTimes } from './time-left.ts'
import { peopleHooks, questionHooks } from './wait-hooks.ts'

export type { TimeoutBudgetOptions } from './options.ts'

/** Time limits that people who are asked do not use up. */
export const timeoutBudget = defineHooks({
  name: 'timeout-budget',
  description:
    'How long a turn, a step and a session may work; waiting for people does not count.',
  options: timeoutBudgetShape,
  create(options, { name, clock }) {
    const { peopleTools = ['ask_user'] } = options
    const hasPeople = peopleTools.length > 0
    const isOfPeople = hasPeople ? compileCondition(peopleTools) : () => false
    const times = createTimes(options, { name, clock })
    return [
      ...turnHooks(name, times),
      ...stepHooks(name, times, isOfPeople),
      ...questionHooks(name, times),
      ...(hasPeople ? peopleHooks(name, times, isOfPeople) : []),
    ]
  },
})
