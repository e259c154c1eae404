import fc from 'fast-check'
import { agree, law } from '../fixtures/check-property.ts'
import { createEngine } from '../src/create-engine.ts'
import { definePoint, type } from '../src/define/define-point.ts'
import type { AnswerType, Hook, Point } from '../src/engine/index.ts'
import { compileTable } from '../src/table/compile-table.ts'
import { anyAnswer, type Given, giveIn } from './any-answer.ts'
import { type BlockableClock, createBlockableClock } from './blockable-clock.ts'
import { limits, readAnswer } from './read-answer.ts'

/** How one dispatch gets its answer, and when. */
interface Delivery {
  readonly given: Given
  readonly by:
    | 'return'
    | 'promise'
    | 'thenable'
    | 'eager'
    | 'throw'
    | 'rejection'
  /** How long the hook holds up the loop before it gives anything. */
  readonly blockMs: number
  readonly afterMs: number
  /** How long the loop is held up between its answer and our hearing it. */
  readonly lagMs: number
  /** It contributed what it may not, and kept quiet about it. */
  readonly breach: boolean
}

interface Case {
  readonly answers: AnswerType[]
  readonly flow: 'serial' | 'parallel'
  readonly writes: boolean
  readonly capabilities: string[]
  readonly subject: 'part' | undefined
  readonly deliveries: Delivery[]
}

// No sum of whole delays: whether an answer that comes at the very moment of
// its deadline counts is left open.
const timeoutMs = 20.5
const breakerFailures = 3
const input = { part: 'as it was', rest: 'untouched' }

const delivery: fc.Arbitrary<Delivery> = fc.record({
  given: anyAnswer,
  by: fc.constantFrom<Delivery['by']>(
    'return',
    'return',
    'promise',
    'promise',
    'thenable',
    'eager',
    'throw',
    'rejection',
  ),
  blockMs: mostly(0),
  afterMs: fc.integer({ min: 0, max: 25 }),
  lagMs: mostly(0),
  breach: fc.constantFrom(false, false, false, false, true),
})

function mostly(usual: number): fc.Arbitrary<number> {
  return fc.oneof(
    { weight: 4, arbitrary: fc.constant(usual) },
    fc.integer({ min: 0, max: 25 }),
  )
}

const serialAnswers: AnswerType[] = [
  'transform',
  'replace',
  'respond',
  'ask',
  'endTurn',
  'keepGoing',
]

const cases: fc.Arbitrary<Case> = fc
  .record({
    flow: fc.constantFrom('serial' as const, 'serial' as const, 'parallel'),
    some: fc.subarray(serialAnswers),
    isWriter: fc.boolean(),
    capabilities: fc.subarray(['approve']),
    subject: fc.constantFrom(undefined, 'part' as const),
    deliveries: fc.array(delivery, { minLength: 1, maxLength: 4 }),
  })
  .map(({ some, isWriter, ...rest }) => {
    const allowed = rest.flow === 'serial' ? some : some.filter(isParallel)
    const answers: AnswerType[] = ['reject', ...allowed]
    const canWrite = allowed.some((one) => writing.has(one))
    return { ...rest, answers, writes: isWriter && canWrite }
  })

const writing = new Set<AnswerType>(['transform', 'replace'])
const isParallel = (answer: AnswerType) => answer === 'ask'

/** I4: a closed gate lets nothing pass without a valid answer in time. */
export function closedGate(): fc.IAsyncProperty<[Case]> {
  return law(cases, async (example) => {
    const { answers, flow, writes, capabilities, subject } = example
    const clock = createBlockableClock()
    const point: Point = definePoint('gate.closed', {
      input: type<typeof input>(),
      flow,
      answers,
      limits,
      ...(subject === undefined ? {} : { subject }),
      rights: answers.includes('respond') ? { respond: 'approve' } : {},
    })
    let now: { answer: unknown; delivery: Delivery } | undefined
    const hook: Hook = {
      name: 'closed',
      on: point,
      writes,
      capabilities: answers.includes('respond') ? capabilities : [],
      timeoutMs,
      onFailure: 'closed',
      run: ((_: unknown, context: { contribute(one: object): void }) =>
        deliver(now?.delivery as Delivery, {
          clock,
          context,
          answer: now?.answer,
        })) as never,
    }
    const engine = createEngine(compileTable([hook]), {
      clock,
      breakerFailures,
      breakerMs: 1e9,
    })
    let failures = 0
    for (const one of example.deliveries) {
      const answer = giveIn(one.given)
      now = { answer, delivery: one }
      const expected =
        failures < breakerFailures
          ? expect(example, { ...one, answer })
          : failed(input)
      failures = expected.hasFailed ? failures + 1 : 0
      let found: unknown = 'nothing in time'
      const ask = async () => {
        // oxlint-disable-next-line typescript/await-thenable -- a point may answer at once
        found = sum(await engine.run(point, input))
      }
      void ask().catch((error: unknown) => {
        found = String(error)
      })
      await clock.pass(timeoutMs * 4)
      agree('the outcome', found, expected)
    }
  })
}

function deliver(
  { by, blockMs, afterMs, lagMs, breach }: Delivery,
  scene: {
    clock: BlockableClock
    answer: unknown
    context: { contribute(one: object): void }
  },
): unknown {
  const { clock, context, answer } = scene
  clock.block(blockMs)
  if (breach) {
    try {
      context.contribute({ kind: 'smuggled', value: 1 })
    } catch {
      // As a careless hook would.
    }
  }
  if (by === 'return') return answer
  if (by === 'throw') throw answer
  const settle = (act: (value: unknown) => void) =>
    clock.after(afterMs, () => {
      act(answer)
      clock.block(lagMs)
    })
  if (by === 'thenable' || by === 'eager') {
    const then = (resolve: (value: unknown) => void, fail: () => void) => {
      const settleTwice = (value: unknown) => {
        resolve(value)
        resolve({ type: 'proceed' })
        fail()
      }
      if (by === 'thenable') return void settle(settleTwice)
      settleTwice(answer)
      throw new Error('after it has settled')
    }
    return { then }
  }
  return new Promise((resolve, reject) => {
    settle(by === 'promise' ? resolve : reject)
  })
}

/** What of an outcome can let something pass. */
interface Sum {
  readonly type: string
  readonly value: unknown
  readonly output: unknown
  readonly hasFailed: boolean
}

function sum(outcome: object): Sum {
  const { type, value, output, failure } = Object(outcome)
  return { type, value, output, hasFailed: failure !== undefined }
}

function failed(value: unknown): Sum {
  return { type: 'reject', value, output: undefined, hasFailed: true }
}

/** Written without looking at the engine: from the answer and the times. */
function expect(example: Case, one: Delivery & { answer: unknown }): Sum {
  const isAtOnce = one.by === 'return' || one.by === 'eager'
  const takesMs = one.blockMs + (isAtOnce ? 0 : one.afterMs + one.lagMs)
  const isThrown = one.by === 'throw' || one.by === 'rejection'
  if (isThrown || takesMs > timeoutMs) return failed(input)
  const read = readAnswer(one.answer)
  if (read === undefined) return failed(input)
  // Only a reject counts of a hook that did what it may not.
  if (one.breach && read.type !== 'reject') return failed(input)
  const { type: said, payload } = read
  const proceeded = { type: 'proceed', value: input, hasFailed: false }
  if (said === 'proceed') return { ...proceeded, output: undefined }
  const mayRespond = example.capabilities.includes('approve')
  if (!example.answers.includes(said)) return failed(input)
  if (writing.has(said)) {
    if (!example.writes) return failed(input)
    const value =
      example.subject === undefined ? payload : { ...input, part: payload }
    return { ...proceeded, value, output: undefined }
  }
  if (said === 'respond' && !mayRespond) return failed(input)
  return { type: said, value: input, output: payload, hasFailed: false }
}
