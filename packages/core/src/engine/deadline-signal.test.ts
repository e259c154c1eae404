import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { createEngine } from '../create-engine.ts'
import { reject } from '../define/answers.ts'
import { deadline, defineHook } from '../define/define-hook.ts'
import { definePoint, type } from '../define/define-point.ts'
import { compileTable } from '../table/compile-table.ts'
import { createFakeClock, type FakeClock } from '../testing/index.ts'
import type {
  EngineEvent,
  Hook,
  HookContext,
  HookRecord,
  LateNote,
  PointShape,
} from './index.ts'
import { proceed } from './index.ts'

const gate = definePoint('test.gate', {
  input: type<string>(),
  answers: ['reject'],
})

type Context = HookContext<PointShape>

let clock: FakeClock
let context: Context | undefined

beforeEach(() => {
  clock = createFakeClock()
  context = undefined
})

afterEach(() => void vi.unstubAllGlobals())

/** An engine with one hook that keeps its context and answers as told. */
function start(answer: () => unknown, onFailure: Hook['onFailure'] = 'closed') {
  const run = (_: string, given: Context) => {
    context = given
    return answer()
  }
  const hook: Hook = {
    name: 'judge',
    on: gate,
    execution: deadline(100),
    onFailure,
    run: run as never,
  }
  const records: HookRecord[] = []
  const late: LateNote[] = []
  const events: EngineEvent[] = []
  const engine = createEngine(compileTable([hook]), {
    clock,
    records: {
      end: ({ record }) => void records.push(record),
      late: (note) => void late.push(note),
    },
  })
  engine.observe((event) => void events.push(event))
  const alarms = () => events.filter(({ type }) => type === 'alarm')
  const counts = () => engine.counts().get('judge')
  return { engine, records, late, alarms, counts }
}

const after = (ms: number, answer: () => unknown) =>
  new Promise((resolve) => clock.after(ms, () => resolve(null))).then(answer)

describe('the signal of a run', () => {
  test('F004 F009 is aborted when the time is up', async () => {
    let signal: AbortSignal | undefined
    const { engine } = start(() => {
      signal = context?.signal
      return new Promise(() => {})
    })
    const outcome = engine.run(gate, '')
    await clock.advance(99)
    expect(signal?.aborted).toBe(false)
    await clock.advance(1)
    expect(signal?.aborted).toBe(true)
    expect(await outcome).toMatchObject({ reason: 'hook_error:timed-out' })
  })

  test('is aborted before what it has asked for is', async () => {
    const inner = definePoint('test.inner', { input: type<string>() })
    const seen: boolean[] = []
    const waits = defineHook({
      name: 'waits',
      on: inner,
      run: (_, { signal }) => {
        signal.addEventListener('abort', () => {
          seen.push(context?.signal.aborted ?? false)
        })
        return new Promise<never>(() => {})
      },
    })
    const asks = defineHook({
      name: 'asks',
      on: gate,
      execution: deadline(100),
      async run(_, given) {
        context = given
        await given.dispatch(inner, '')
        return proceed
      },
    })
    const engine = createEngine(compileTable([waits, asks]), { clock })
    void engine.run(gate, '')
    await clock.advance(100)
    expect(seen).toEqual([true])
  })

  test('tells a hook that listens, once', async () => {
    let told = 0
    const { engine } = start(() => {
      context?.signal.addEventListener('abort', () => told++)
      return new Promise(() => {})
    })
    void engine.run(gate, '')
    await clock.advance(1_000)
    expect(told).toBe(1)
  })

  test('is the same at every look', async () => {
    const { engine } = start(() => {
      expect(context?.signal).toBe(context?.signal)
      return proceed
    })
    expect(await engine.run(gate, '')).toMatchObject({ type: 'proceed' })
  })

  test('is aborted if it is first looked at after the end', async () => {
    const { engine } = start(() => new Promise(() => {}))
    void engine.run(gate, '')
    await clock.advance(100)
    expect(context?.signal.aborted).toBe(true)
  })

  test.each([
    ['an answer', () => proceed],
    ['a promise of one', async () => proceed],
    ['a reject', () => reject('No.')],
  ])('is not aborted after %s in time', async (_, answer) => {
    let signal: AbortSignal | undefined
    const { engine } = start(() => {
      signal = context?.signal
      return answer()
    })
    await engine.run(gate, '')
    await clock.advance(1_000)
    expect(signal?.aborted).toBe(false)
  })

  test('is not made for a hook that never looks at it', async () => {
    let made = 0
    class Counted extends AbortController {
      constructor() {
        super()
        made++
      }
    }
    vi.stubGlobal('AbortController', Counted)
    const { engine } = start(() => new Promise(() => {}))
    void engine.run(gate, '')
    await clock.advance(100)
    expect(made).toBe(0)
    expect(context?.signal.aborted).toBe(true)
    expect(made).toBe(1)
  })
})

test('a run knows how much time it has left, and never less than none', async () => {
  const { engine } = start(() => new Promise(() => {}))
  void engine.run(gate, '')
  expect(context?.remainingMs).toBe(100)
  await clock.advance(60)
  expect(context?.remainingMs).toBe(40)
  await clock.advance(60)
  expect(context?.remainingMs).toBe(0)
})

describe('an answer that comes late', () => {
  const settlements: readonly [string, () => unknown, string][] = [
    ['F005 a proceed', () => proceed, 'answered'],
    ['F005 a reject', () => reject('Too late.'), 'answered'],
    ['F005 what is no answer', () => 42, 'answered'],
    ['F006 a rejection', () => Promise.reject(new Error('late')), 'threw'],
  ]
  const policies = [
    ['closed', { type: 'reject', reason: 'hook_error:timed-out' }],
    ['open', { type: 'proceed' }],
  ] as const

  for (const [onFailure, outcome] of policies) {
    test.each(settlements)(
      `%s changes nothing for a hook that fails ${onFailure}`,
      async (_, settle, settled) => {
        const unhandled: unknown[] = []
        const onUnhandled = (reason: unknown) => unhandled.push(reason)
        process.on('unhandledRejection', onUnhandled)
        const { engine, records, late, alarms, counts } = start(
          () => after(250, settle),
          onFailure,
        )
        const dispatched = engine.run(gate, 'input')
        await clock.advance(100)
        const decided = await dispatched
        const before = structuredClone(records)
        expect(decided).toMatchObject(outcome)
        expect(late).toEqual([])
        await clock.advance(1_000)
        expect(late).toEqual([
          {
            dispatch: before[0]?.dispatch,
            hook: 'judge',
            point: 'test.gate',
            settled,
            latencyMs: 250,
          },
        ])
        expect(alarms()).toEqual([
          { type: 'alarm', code: 'late', about: 'judge' },
        ])
        expect(records).toEqual(before)
        expect(decided.records).toEqual(before)
        expect(counts()).toMatchObject({ failures: 1, late: 1, leaked: 0 })
        await new Promise((resolve) => setImmediate(resolve))
        process.off('unhandledRejection', onUnhandled)
        expect(unhandled).toEqual([])
      },
    )
  }

  test('F009 is counted as still working until it comes', async () => {
    const { engine, counts } = start(() => after(250, () => proceed))
    void engine.run(gate, '')
    void engine.run(gate, '')
    expect(counts()).toBeUndefined()
    await clock.advance(100)
    expect(counts()).toMatchObject({ late: 0, leaked: 2 })
    await clock.advance(150)
    expect(counts()).toMatchObject({ late: 2, leaked: 0 })
  })

  test('F009 of a hook that never ends stays counted', async () => {
    const { engine, counts } = start(() => new Promise(() => {}))
    void engine.run(gate, '')
    await clock.advance(1e6)
    expect(counts()).toMatchObject({ failures: 1, late: 0, leaked: 1 })
  })

  test('is not late if the hook had returned, too late, on its own', async () => {
    const { engine, counts, late } = start(() => {
      clock.now = () => 500
      return proceed
    })
    expect(engine.run(gate, '')).toMatchObject({
      reason: 'hook_error:timed-out',
    })
    await clock.settle()
    expect(counts()).toMatchObject({ late: 0, leaked: 0 })
    expect(late).toEqual([])
  })

  test('brings no contribution, line or event into the record', async () => {
    const { engine, records } = start(() =>
      after(250, () => {
        context?.diagnose('late', 'line')
        context?.contribute({ kind: 'late', value: 1 })
        return proceed
      }),
    )
    void engine.run(gate, '')
    await clock.advance(1_000)
    expect(records).toMatchObject([{ diagnostics: [], contributions: [] }])
  })

  test('cannot ask a point any more', async () => {
    const asked: unknown[] = []
    const { engine } = start(() =>
      after(250, () => {
        try {
          void context?.dispatch(gate, '')
        } catch (error) {
          asked.push(error)
        }
      }),
    )
    void engine.run(gate, '')
    await clock.advance(1_000)
    expect(asked).toMatchObject([{ code: 'cancelled', hook: 'judge' }])
  })
})
