import { defineHook, endTurn, type Hook, proceed, reject } from 'hookline'
import {
  llmPreCall,
  restriction,
  toolPostBatch,
  toolPreCall,
  turnPostTurn,
  turnPreTurn,
} from 'hookline/lifecycle'
import { beginTurn, endTurnClock, endWaitsOf } from './clocks.ts'
import { overText, type Times } from './time-left.ts'

// What a timer can wait for.
const maxTimerMs = 2 ** 31

const handler = { version: '1' }

/** Begin and end the clock of a turn. */
export function turnHooks(name: string, times: Times): Hook[] {
  const { sessionMs } = times
  return [
    defineHook({
      ...{ name: `${name}:begin`, on: turnPreTurn, handler },
      async run(_, { state, scope }) {
        const { turnId = '', parents } = scope
        const now = times.now()
        const { pastMs } = await times.change(state, (before) => {
          // What a sub-agent does is part of the turn that it works for.
          const isOwn = parents === undefined || before.clock === null
          return isOwn ? beginTurn(before, turnId, now) : before
        })
        if (pastMs < sessionMs) return proceed
        return reject(overText({ of: 'session', limit: sessionMs }))
      },
    }),
    defineHook({
      ...{ name: `${name}:end`, on: turnPostTurn, handler },
      async run(_, { state, scope: { turnId = '' } }) {
        const now = times.now()
        await times.change(state, (before) =>
          endTurnClock(endWaitsOf(before, turnId, now), turnId, now),
        )
        return proceed
      },
    }),
  ]
}

/** End the turn when its time is over, and tools with it. */
export function stepHooks(
  name: string,
  times: Times,
  isOfPeople: (tool: string) => boolean,
): Hook[] {
  const beforeModel = defineHook({
    ...{ name: `${name}:model`, on: llmPreCall, handler, priority: 900 },
    // What is said to the model makes no difference here.
    beforeWrites: true,
    async run(_, { state, scope }) {
      await times.endStaleWaits(state, scope)
      await times.beginStep(state, scope)
      const least = await times.leftNow(state, scope)
      return least.left > 0 ? proceed : endTurn(overText(least))
    },
  })
  const narrow = defineHook({
    ...{ name: `${name}:tool`, on: toolPreCall, handler },
    capabilities: [restriction.kind],
    beforeWrites: true,
    async run({ tool, grant }, { state, scope, contribute }) {
      const least = await times.leftNow(state, scope)
      if (least.left <= 0) return reject(overText(least))
      // A tool ends when the time does; one that waits for people need not.
      const timeoutMs = Math.ceil(least.left)
      const isLess = timeoutMs < (grant.timeoutMs ?? Infinity)
      if (isLess && timeoutMs < maxTimerMs && !isOfPeople(tool)) {
        contribute(restriction({ timeoutMs }))
      }
      return proceed
    },
  })
  const afterStep = defineHook({
    ...{ name: `${name}:batch`, on: toolPostBatch, handler },
    async run(_, { state, scope }) {
      const least = await times.leftNow(state, scope)
      return least.left > 0 ? proceed : endTurn(overText(least))
    },
  })
  return [beforeModel, narrow, afterStep]
}
