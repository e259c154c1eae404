import { describe, expect, test } from 'vitest'
import { createEngine } from '../src/create-engine.ts'
import { reject, respond } from '../src/define/answers.ts'
import { definePoint, type } from '../src/define/define-point.ts'
import {
  type EngineEvent,
  type Hook,
  type HookContext,
  proceed,
} from '../src/engine/index.ts'
import { compileTable } from '../src/table/compile-table.ts'
import { createFakeClock } from '../src/testing/fake-clock.ts'

// What the properties of this folder have found, each as small as it gets. A
// seed is that of the run that found it.

const serial = definePoint('bugs.serial', {
  input: type<string>(),
  output: type<unknown>(),
  answers: ['reject', 'respond'],
})

const parallel = definePoint('bugs.parallel', {
  input: type<string>(),
  flow: 'parallel',
  answers: ['reject'],
})

describe('I4 a closed gate refuses', () => {
  const outcomeOf = (answer: unknown) => {
    const run = () => answer as never
    const engine = createEngine(
      compileTable([{ name: 'gate', on: serial, run }]),
    )
    return engine.run(serial, '')
  }
  const failed = (code: string) => ({
    type: 'reject',
    reason: `hook_error:${code}`,
  })

  test('a list, even one that has a type (seed 1688364242)', () => {
    const answer = Object.assign([], proceed)
    expect(outcomeOf(answer)).toMatchObject(failed('invalid-answer'))
  })

  test('an answer that inherits from lists (seed 1713732979)', () => {
    const answer = Object.assign(Object.create(Array.prototype), proceed)
    expect(outcomeOf(answer)).toMatchObject(failed('invalid-answer'))
  })

  test('a list with a hole that another field makes up for (seed 1558819773)', () => {
    const output = Object.assign(new Array(1), { more: 1 })
    expect(outcomeOf(respond(output))).toMatchObject(failed('not-data'))
  })

  test('data that inherits from lists (seed 222448319)', () => {
    const output = Object.create(Array.prototype)
    expect(outcomeOf(respond(output))).toMatchObject(failed('not-data'))
  })
})

type Run = (caller: AbortController, context: HookContext<never>) => unknown

/** Asks hooks whose caller can give up at any moment, also inside of them. */
function stage(on: typeof serial | typeof parallel, ...runs: Run[]) {
  const clock = createFakeClock()
  const caller = new AbortController()
  const events: EngineEvent[] = []
  const hooks = runs.map(
    (run, at): Hook => ({
      name: `hook-${at}`,
      on,
      timeoutMs: 10,
      run: ((_: unknown, context: never) => run(caller, context)) as never,
    }),
  )
  const engine = createEngine(compileTable(hooks), { clock })
  engine.observe((event) => events.push(event))
  const eventsOf = (wanted: EngineEvent['type']) =>
    events.filter(({ type: found }) => found === wanted).length
  let end: unknown = 'nothing yet'
  const ask = async () => {
    const { signal } = caller
    const dispatch = async () => engine.run(on, '', { signal })
    void dispatch().then(
      (outcome) => {
        end = outcome
      },
      (error: unknown) => {
        end = error
      },
    )
    await clock.settle()
    return end
  }
  return { engine, clock, caller, ask, eventsOf }
}

const hangs: Run = () => new Promise(() => {})
const cancelAnd =
  (answer: unknown): Run =>
  (caller) => {
    caller.abort()
    return answer
  }
const cancelled = { code: 'cancelled' }

describe('a caller that gives up while a hook is being called', () => {
  test('does not wait for the next hook (seed 407922975)', async () => {
    const { ask } = stage(serial, cancelAnd(proceed), hangs)
    expect(await ask()).toMatchObject(cancelled)
  })

  test('is not told that all went well (seed 1890591527)', async () => {
    const { ask, eventsOf } = stage(serial, cancelAnd(proceed), () => proceed)
    expect(await ask()).toMatchObject(cancelled)
    expect(eventsOf('hook-start')).toBe(1)
  })

  test('has given up before that hook rejects (seed 552053075)', async () => {
    const { ask } = stage(serial, cancelAnd(reject('No.')))
    expect(await ask()).toMatchObject(cancelled)
  })

  test('is told so once, whatever that hook answers', async () => {
    const { ask, eventsOf } = stage(parallel, hangs, cancelAnd(reject('No.')))
    expect(await ask()).toMatchObject(cancelled)
    expect(eventsOf('dispatch-end')).toBe(1)
  })

  test('is told so once, also when that hook takes its time', async () => {
    const late = cancelAnd(new Promise(() => {}))
    const { ask, eventsOf, clock } = stage(parallel, hangs, late)
    expect(await ask()).toMatchObject(cancelled)
    expect(eventsOf('hook-end')).toBe(2)
    await clock.advance(100)
    expect(eventsOf('hook-end')).toBe(2)
    expect(eventsOf('dispatch-end')).toBe(1)
  })
})

describe('a dispatch ends once', () => {
  test('when a listener cancels as it hears of a reject', async () => {
    const rejects: Run = async () => reject('No.')
    const { engine, caller, ask, eventsOf } = stage(parallel, rejects, hangs)
    engine.observe(({ type: heard }) => {
      if (heard === 'hook-end') caller.abort()
    })
    await ask()
    expect(eventsOf('dispatch-end')).toBe(1)
  })

  test('when a hook cancels its caller as its time is up', async () => {
    const spiteful: Run = (caller, { signal }) => {
      signal.addEventListener('abort', () => caller.abort())
      return new Promise(() => {})
    }
    const { clock, ask, eventsOf } = stage(parallel, spiteful, hangs)
    await ask()
    await clock.advance(100)
    expect(eventsOf('dispatch-end')).toBe(1)
  })
})
