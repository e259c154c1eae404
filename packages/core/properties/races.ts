import fc from 'fast-check'
import type { Race, Racer, Said } from './race-model.ts'

const said = fc.constantFrom<Said>(
  'proceed',
  'proceed',
  'reject',
  'ask',
  'transform',
  'junk',
  'throw',
)

const racer = fc.record({
  kind: fc.constantFrom<Racer['kind']>(
    'sync',
    'promise',
    'promise',
    'thenable',
  ),
  first: said,
  policy: fc.constantFrom<Racer['policy']>(
    'open',
    'open',
    'closed',
    'fallback',
    'required',
  ),
  timeoutMs: fc.integer({ min: 1, max: 12 }),
  opensLayer: fc.boolean(),
  needs: fc.boolean(),
  act: fc.oneof(
    { weight: 30, arbitrary: fc.constant('nothing' as const) },
    { weight: 1, arbitrary: fc.constant('cancel' as const) },
    { weight: 2, arbitrary: fc.constant('swap' as const) },
  ),
})

const action = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant('say' as const),
      hook: fc.nat(4),
      said,
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constantFrom('cancel' as const, 'swap') }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('block' as const), ms: fc.nat(8) }),
  },
)

const step = fc.oneof(
  fc.record({ passMs: fc.nat(8) }),
  fc.record({ burst: fc.array(action, { minLength: 1, maxLength: 3 }) }),
)

/** Schedules over one dispatch of one to five hooks. */
export const races: fc.Arbitrary<Race> = fc
  .record({
    flow: fc.constantFrom('serial' as const, 'parallel'),
    parallelism: fc.constantFrom(1, 2, 3, 16),
    dispatchMs: fc.integer({ min: 4, max: 30 }),
    racers: fc.array(racer, { minLength: 1, maxLength: 5 }),
    steps: fc.array(step, { maxLength: 8 }),
  })
  .map(({ racers, ...race }) => {
    let layer = 0
    const placed = racers.map(({ opensLayer, ...one }, at) => {
      if (opensLayer && at > 0) layer++
      return { ...one, layer }
    })
    return { ...race, racers: placed }
  })
