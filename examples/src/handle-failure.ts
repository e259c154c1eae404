// Four hooks that fail, with four policies. An answer is never a failure, and a
// failure is never an answer.
import assert from 'node:assert/strict'

// #region failure
import { deadline, defineHook, type proceed } from 'hookline'
import {
  promptContext,
  toolGuard,
  turnPrePromptContext,
} from 'hookline/lifecycle'

const never = () => new Promise<typeof proceed>(() => {})

// A guard: when it cannot answer in 200 ms, the call is refused. That is the
// default where a point can refuse.
const license = defineHook({
  name: 'license',
  on: toolGuard,
  execution: deadline(200),
  run: never,
})

// A convenience: without it things go on, and the record says so.
const weather = defineHook({
  name: 'weather',
  on: turnPrePromptContext,
  capabilities: ['context'],
  execution: deadline(200),
  onFailure: 'open', // the default here: there is nothing to refuse
  run: never,
})

// Something better than nothing.
const tasks = defineHook({
  name: 'tasks',
  on: turnPrePromptContext,
  capabilities: ['context'],
  execution: deadline(200),
  onFailure: {
    fallback: {
      contributions: [
        promptContext({
          id: 'tasks',
          domain: 'work',
          content: 'Which tasks are open is not known at the moment.',
        }),
      ],
    },
  },
  run: never,
})

// Without it the turn makes no sense: the caller gets an error.
const tenant = defineHook({
  name: 'tenant',
  on: turnPrePromptContext,
  execution: deadline(200),
  onFailure: 'required',
  run: () => Promise.reject(new Error('The directory is away.')),
})

// #endregion

import { compileTable, createEngine } from 'hookline'
import { createFakeClock, toolCall } from 'hookline/testing'

const input = { content: [], history: [], policies: [], model: 'any' }

// #region test-failure
const clock = createFakeClock()
const hooks = [license, weather, tasks]
const engine = createEngine(compileTable(hooks), { clock })
const judged = engine.run(toolGuard, toolCall('deploy', {}))
const asked = engine.run(turnPrePromptContext, input)
await clock.advance(200)
const verdict = await judged
const { contributions } = await asked
// #endregion

assert.equal(verdict.type, 'reject')
assert.equal(verdict.failure?.code, 'timed-out')
const texts = contributions.of(promptContext).map(({ value }) => value.content)
assert.deepEqual(texts, ['Which tasks are open is not known at the moment.'])
const strict = createEngine(compileTable([tenant]))
const wanted = { code: 'required-failed' }
await assert.rejects(
  async () => await strict.run(turnPrePromptContext, input),
  wanted,
)
console.log('refused, left out, replaced, an error')
