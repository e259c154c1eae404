import { describe, expect, test } from 'vitest'
import { createEngine } from '../create-engine.ts'
import { reject, transform } from '../define/answers.ts'
import { definePoint, type } from '../define/define-point.ts'
import { compileTable } from '../table/compile-table.ts'
import { createFakeClock } from '../testing/index.ts'
import { type Hook, proceed } from './index.ts'

const gate = definePoint('test.gate', {
  input: type<string>(),
  answers: ['transform', 'reject'],
})

type Settle = (value: unknown) => void

function thenable(then: (yes: Settle, no: Settle) => void): object {
  return { then }
}

async function outcomeOf(run: () => unknown) {
  const hook = { name: 'odd', on: gate, writes: true, run } as Hook
  const clock = createFakeClock()
  const unhandled: unknown[] = []
  const onUnhandled = (reason: unknown) => unhandled.push(reason)
  process.on('unhandledRejection', onUnhandled)
  const engine = createEngine(compileTable([hook]), { clock })
  const dispatched = Promise.resolve(engine.run(gate, 'input'))
  await clock.advance(60_000)
  const outcome = await dispatched
  await new Promise((resolve) => setImmediate(resolve))
  process.off('unhandledRejection', onUnhandled)
  expect(unhandled).toEqual([])
  expect(outcome.records).toHaveLength(1)
  return outcome
}

describe('F007 T24 the first settlement is the answer', () => {
  const no = reject('First.')
  const yes = transform('second')
  const rejecting: readonly [string, () => unknown][] = [
    [
      'of a promise that is resolved twice',
      () =>
        new Promise((resolve) => {
          resolve(no)
          resolve(yes)
        }),
    ],
    [
      'of a promise that is resolved and then rejected',
      () =>
        new Promise((resolve, fail) => {
          resolve(no)
          fail(new Error('Second.'))
        }),
    ],
    [
      'of a thenable that calls back twice',
      () =>
        thenable((resolve) => {
          resolve(no)
          resolve(yes)
        }),
    ],
    [
      'of a thenable that calls both callbacks',
      () =>
        thenable((resolve, fail) => {
          resolve(no)
          fail(new Error('Second.'))
        }),
    ],
    [
      'of a thenable that throws after it has called back',
      () =>
        thenable((resolve) => {
          resolve(no)
          throw new Error('Second.')
        }),
    ],
    [
      'of a thenable that calls back once more, later',
      () =>
        thenable((resolve) => {
          resolve(no)
          queueMicrotask(() => resolve(yes))
        }),
    ],
    [
      'of a thenable that gives another, and then its own answer',
      () =>
        thenable((resolve) => {
          resolve(thenable((inner) => queueMicrotask(() => inner(no))))
          resolve(yes)
        }),
    ],
  ]

  test.each(rejecting)('%s', async (_, run) => {
    const outcome = await outcomeOf(run)
    expect(outcome).toMatchObject({ type: 'reject', reason: 'First.' })
    expect(outcome).not.toHaveProperty('failure')
    expect(outcome.records[0]).toMatchObject({
      state: 'completed',
      answer: 'reject',
      decided: true,
    })
  })

  test('also when it is a rejection: a second one, an answer, is ignored', async () => {
    const outcome = await outcomeOf(() =>
      thenable((resolve, fail) => {
        fail(new Error('First.'))
        resolve(proceed)
      }),
    )
    expect(outcome).toMatchObject({ reason: 'hook_error:threw' })
  })
})

describe('F007 what pretends to be a promise', () => {
  class Hostile extends Promise<unknown> {
    // biome-ignore lint/suspicious/noThenProperty: that is the fault
    override then<A, B>(
      onYes?: ((value: unknown) => A | PromiseLike<A>) | null,
      onNo?: ((reason: unknown) => B | PromiseLike<B>) | null,
    ): Promise<A | B> {
      void onYes?.(proceed)
      void onYes?.(proceed)
      return super.then(onYes, onNo)
    }
  }

  test('a promise of a subclass is heard once, through the real then', async () => {
    const outcome = await outcomeOf(() => Hostile.resolve(reject('Once.')))
    expect(outcome).toMatchObject({ type: 'reject', reason: 'Once.' })
  })

  test('a promise with a then of its own is heard through the real one', async () => {
    const forged = thenable((yes) => yes(proceed))
    const promise = Object.assign(Promise.resolve(reject('Real.')), forged)
    const outcome = await outcomeOf(() => promise)
    expect(outcome).toMatchObject({ type: 'reject', reason: 'Real.' })
  })

  test('a promise whose species cannot be made is a failure', async () => {
    const own = { constructor: { value: 42 } }
    const promise = Object.defineProperties(Promise.resolve(proceed), own)
    const outcome = await outcomeOf(() => promise)
    expect(outcome).toMatchObject({ reason: 'hook_error:threw' })
  })

  test('a thenable that calls back at once still answers after its hook has returned', async () => {
    const order: string[] = []
    await outcomeOf(() => {
      const answer = thenable((resolve) => {
        order.push('asked')
        resolve(proceed)
      })
      order.push('returned')
      return answer
    })
    expect(order).toEqual(['returned', 'asked'])
  })

  test('an object with a then that is no function is read as an answer', async () => {
    const answer = { ...reject('Plain.'), ...thenable('no' as never) }
    const outcome = await outcomeOf(() => answer)
    expect(outcome).toMatchObject({ type: 'reject', reason: 'Plain.' })
  })

  test('a thenable that resolves to another one to an answer is followed to its end', async () => {
    const last = thenable((resolve) => resolve(reject('Deep.')))
    const middle = thenable((resolve) => resolve(Promise.resolve(last)))
    const outcome = await outcomeOf(() =>
      thenable((resolve) => resolve(middle)),
    )
    expect(outcome).toMatchObject({ type: 'reject', reason: 'Deep.' })
  })
})

test('F046 an answer counts for the run that returned it, and for no other', async () => {
  let release: Settle = () => {}
  const shared = new Promise((resolve) => {
    release = resolve
  })
  const run = (input: string) => (input === 'first' ? shared : proceed)
  const hook = { name: 'odd', on: gate, run } as Hook
  const engine = createEngine(compileTable([hook]))
  const first = engine.run(gate, 'first')
  expect(engine.run(gate, 'second')).toMatchObject({ type: 'proceed' })
  release(reject('For the first.'))
  expect(await first).toMatchObject({ type: 'reject', value: 'first' })
  expect(engine.run(gate, 'third')).toMatchObject({ type: 'proceed' })
})
