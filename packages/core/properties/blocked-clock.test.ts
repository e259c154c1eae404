import { expect, test } from 'vitest'
import { createEngine } from '../src/create-engine.ts'
import { definePoint, type } from '../src/define/define-point.ts'
import { type Hook, type Outcome, proceed } from '../src/engine/index.ts'
import { compileTable } from '../src/table/compile-table.ts'
import { createBlockableClock } from './blockable-clock.ts'

const gate = (name: string) =>
  definePoint(name, { input: type<null>(), answers: ['reject'] })

// Found by "one record a run", seed 230736405: a background hook was recorded
// as timed out although it had been queued, and then ran as a job.
test('the time of a hook starts when it is called, also after a block elsewhere', async () => {
  const clock = createBlockableClock()
  const [one, other] = [gate('blocked.one'), gate('blocked.other')]
  const hangs = (on: Hook['on']): Hook => ({
    name: `${on.name}.1`,
    on,
    timeoutMs: 10,
    onFailure: 'open',
    run: () => new Promise<never>(() => {}),
  })
  const blocks = () => {
    clock.block(20)
    return proceed
  }
  const engine = createEngine(
    compileTable([
      hangs(one),
      hangs(other),
      { name: 'blocked.one.2', on: one, run: blocks },
      { name: 'blocked.other.2', on: other, timeoutMs: 5, run: () => proceed },
    ]),
    { clock },
  )
  const outcomes: Outcome[] = []
  for (const point of [one, other]) {
    void Promise.resolve(engine.run(point, null)).then((outcome) => {
      outcomes.push(outcome)
    })
  }
  // Both hooks that hang are woken from at once; what follows the first one
  // holds up the loop, and what follows the second answers within no time.
  await clock.pass(10)
  expect(outcomes.map((outcome) => outcome.type)).toEqual([
    'proceed',
    'proceed',
  ])
})
