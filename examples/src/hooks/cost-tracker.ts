// What turns cost, added up as they end.
import assert from 'node:assert/strict'
// #region cost-tracker
import { createAgent } from '@hookline/agent'
import { type CostTotals, costTracker } from '@hookline/agent/hooks'
import { scriptedModel } from '@hookline/agent/testing'

const usage = { inputTokens: 2_000, outputTokens: 500 }
const agent = createAgent({
  model: scriptedModel([
    { text: 'One.', usage },
    { text: 'Two.', usage },
  ]),
  plugins: [
    costTracker({
      currency: 'USD',
      prices: { 'given/model': { input: 3, output: 15 } },
    }),
  ],
})

interface TotalsEvent {
  readonly type: 'cost-totals'
  readonly turn: CostTotals
  readonly session: CostTotals
}

const told: TotalsEvent[] = []
agent.runtime.engine.observe((event) => {
  if (event.type !== 'hook-event') return
  const given = event.event as TotalsEvent | { readonly type: string }
  if ('session' in given && given.type === 'cost-totals') told.push(given)
})
// #endregion

await agent.run('First?').result
await agent.run('Second?').result
await agent.close()

const last = told.at(-1)
console.log(`turn ${last?.turn.cost} USD, session ${last?.session.cost} USD`)
assert.equal(last?.turn.cost, 0.0135)
assert.equal(last?.session.cost, 0.027)
