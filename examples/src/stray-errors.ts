import assert from 'node:assert/strict'
import { scriptedModel } from '@hookline/agent/testing'
import { defineHook, proceed } from 'hookline'
import { turnPreTurn } from 'hookline/lifecycle'

// It answers, and a timer that it has forgotten throws afterwards.
const forgets = defineHook({
  name: 'forgets',
  on: turnPreTurn,
  run() {
    setTimeout(() => {
      throw new Error('Nobody waits for this.')
    }, 1)
    return proceed
  },
})
const model = scriptedModel([{ text: 'Hi.' }])
const hooks = [forgets]
const models = { resolve: () => model }
const left = Promise.withResolvers<string>()

// #region stray-errors
import {
  containStrayErrors,
  createAsyncScope,
  createRuntime,
} from '@hookline/agent'

const runtime = createRuntime({
  models,
  hooks,
  engine: { asyncScope: createAsyncScope() }, // it knows whose code runs
})
const undo = containStrayErrors(runtime, {
  onStray: ({ hook, run, error }) => left.resolve(`${hook}, ${run}: ${error}`),
})
// #endregion

await runtime.register({ name: 'main', model: 'demo', instructions: '' })
const session = await runtime.openSession({ agent: 'main' })
assert.equal((await session.send('Hello.').result).status, 'succeeded')
const told = await left.promise
assert.match(told, /^forgets, \S+\/forgets: Error: Nobody waits for this\.$/)
console.log(told)
undo()
await runtime.close()
