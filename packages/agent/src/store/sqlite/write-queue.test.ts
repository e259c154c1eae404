import fc from 'fast-check'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Outcome, SentUnit } from './messages.ts'
import { packOutcome, packUnit, unpackOutcomes, unpackUnits } from './pack.ts'
import { WriteQueue } from './write-queue.ts'

// How long a group has taken is for the test to say, not for the machine.
beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }))
afterEach(() => void vi.useRealTimers())

function unitOf(id: number, isPatient: boolean): SentUnit {
  return { id, name: 'one', isPatient, isClosing: false, statements: [] }
}

function takeGroup(queue: WriteQueue, onTake = () => {}): number[] {
  const ids: number[] = []
  queue.beginGroup()
  for (let unit = queue.next(); unit !== undefined; unit = queue.next()) {
    ids.push(unit.id)
    onTake()
  }
  return ids
}

test('what is urgent comes before what is patient, each in its order', () => {
  const queue = new WriteQueue()
  queue.add([unitOf(1, true), unitOf(2, false), unitOf(3, true)])
  queue.add([unitOf(4, false)])
  expect(takeGroup(queue)).toEqual([2, 4, 1, 3])
  expect(queue.isEmpty).toBe(true)
  expect(takeGroup(queue)).toEqual([])
})

test('patient units hold up a group for a moment only, and never wait for ever', () => {
  const queue = new WriteQueue()
  queue.add(Array.from({ length: 50 }, (_, index) => unitOf(index, true)))
  const seen: number[] = []
  for (let group = 0; !queue.isEmpty; group += 1) {
    queue.add([unitOf(1_000 + group, false)])
    const ids = takeGroup(queue, () => vi.advanceTimersByTime(3))
    expect(ids[0]).toBe(1_000 + group)
    const patient = ids.slice(1)
    expect(patient.length).toBeGreaterThan(0)
    expect(patient.length).toBeLessThan(50)
    seen.push(...patient)
  }
  expect(seen).toEqual(Array.from({ length: 50 }, (_, index) => index))
})

test('a group that ends early leaves the rest for the next', () => {
  const queue = new WriteQueue()
  queue.add([unitOf(1, false), unitOf(2, false), unitOf(3, true)])
  queue.beginGroup()
  expect(queue.next()?.id).toBe(1)
  expect(takeGroup(queue)).toEqual([2, 3])
})

const anyValue = fc.oneof(
  fc.string(),
  fc.double({ noNaN: true }),
  fc.constant(null),
)
const anyStatement = fc.record({
  statement: fc.oneof(fc.nat(), fc.string()),
  values: fc.array(anyValue),
  expects: fc.option(fc.nat(), { nil: undefined }),
})
const anyUnit = fc.record({
  id: fc.nat(),
  name: fc.string(),
  isPatient: fc.boolean(),
  isClosing: fc.boolean(),
  statements: fc.array(anyStatement),
})

test('units come over as they were', () => {
  fc.assert(
    fc.property(fc.array(anyUnit), (units) => {
      const packed: (string | number | null)[] = []
      for (const unit of units) packUnit(unit, packed)
      expect(unpackUnits(structuredClone(packed))).toEqual(units)
    }),
  )
})

const anyResult = fc.array(fc.string(), { maxLength: 4 }).chain((columns) =>
  fc.record({
    columns: fc.constant(columns),
    changes: fc.nat(),
    rows:
      columns.length === 0
        ? fc.constant([])
        : fc.array(
            fc.array(anyValue, {
              minLength: columns.length,
              maxLength: columns.length,
            }),
          ),
  }),
)
const anyOutcome: fc.Arbitrary<Outcome> = fc.oneof(
  fc.record({ id: fc.nat(), results: fc.array(anyResult) }),
  fc.record({
    id: fc.nat(),
    failure: fc.record({
      code: fc.constant('full' as const),
      message: fc.string(),
    }),
  }),
)

test('results come back as they were', () => {
  fc.assert(
    fc.property(fc.array(anyOutcome), (outcomes) => {
      const packed: (string | number | null)[] = []
      for (const outcome of outcomes) packOutcome(outcome, packed)
      expect(unpackOutcomes(structuredClone(packed))).toEqual(outcomes)
    }),
  )
})
