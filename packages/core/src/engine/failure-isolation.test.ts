import { describe, expect, test } from 'vitest'
import { createEngine } from '../create-engine.ts'
import { replace, respond, transform } from '../define/answers.ts'
import { defineKind } from '../define/define-kind.ts'
import { definePoint, type } from '../define/define-point.ts'
import { compileTable } from '../table/compile-table.ts'
import { scriptedHook } from '../testing/index.ts'
import {
  type Hook,
  type HookContext,
  type PointShape,
  proceed,
} from './index.ts'

interface Call {
  readonly tool: string
  readonly args: {
    readonly paths: readonly string[]
    readonly deep: { readonly on: boolean }
  }
}

const note = defineKind<{ readonly lines: readonly string[] }>()('note')
const gate = definePoint('test.gate', {
  input: type<Call>(),
  output: type<unknown>(),
  subject: 'args',
  answers: ['transform', 'replace', 'reject', 'respond'],
  contributes: [note],
})

const newCall = (): Call => ({
  tool: 'bash',
  args: { paths: ['/a', '/b'], deep: { on: true } },
})

type Run = (input: Call, context: HookContext<PointShape>) => unknown

function writer(run: Run, rest: Partial<Hook> = {}): Hook {
  return {
    name: 'writer',
    on: gate,
    priority: 1,
    writes: true,
    capabilities: ['note'],
    ...rest,
    run: run as never,
  }
}

const follower = () =>
  scriptedHook({ name: 'follower', on: gate, answers: [proceed] })

/** Forgets what the types say, as a careless or hostile hook may. */
// biome-ignore lint/suspicious/noExplicitAny: that is what it is for
const loose = (value: unknown): any => value

const writes: readonly [string, (call: Call) => void][] = [
  [
    'a property',
    (call) => {
      loose(call).tool = 'rm'
    },
  ],
  [
    'a new property',
    (call) => {
      loose(call).extra = true
    },
  ],
  [
    'a property away',
    (call) => {
      delete loose(call).tool
    },
  ],
  [
    'a nested property',
    (call) => {
      loose(call).args.deep.on = false
    },
  ],
  [
    'an element',
    (call) => {
      loose(call).args.paths[0] = '/etc'
    },
  ],
  ['another element', (call) => void loose(call).args.paths.push('/etc')],
  [
    'an array in another order',
    (call) => void loose(call).args.paths.reverse(),
  ],
  [
    'an array empty',
    (call) => {
      loose(call).args.paths.length = 0
    },
  ],
  [
    'a getter in place of a property',
    (call) => void Object.defineProperty(call.args, 'paths', { get: () => [] }),
  ],
  [
    'another prototype',
    (call) => void Object.setPrototypeOf(call.args, { evil: true }),
  ],
]

describe('F015 a hook that writes to its input', () => {
  test.each(writes)('%s: it throws, fails, and changes nothing', (_, write) => {
    const next = follower()
    const run: Run = (call) => {
      write(call)
      return proceed
    }
    const engine = createEngine(
      compileTable([writer(run, { onFailure: 'open' }), next]),
    )
    const outcome = engine.run(gate, newCall())
    expect(outcome).toMatchObject({
      type: 'proceed',
      value: newCall(),
      writers: [],
    })
    expect(outcome).toMatchObject({
      records: [{ failure: { code: 'threw' } }, {}],
    })
    expect(next.seen).toEqual([newCall()])
  })

  test.each(writes)('%s: it rejects if it is closed', (_, write) => {
    const run: Run = (call) => {
      write(call)
      return proceed
    }
    const outcome = createEngine(compileTable([writer(run)])).run(
      gate,
      newCall(),
    )
    expect(outcome).toMatchObject({
      reason: 'hook_error:threw',
      value: newCall(),
    })
  })

  test.each(writes)(
    '%s: it changes nothing for the caller, even if it hides the throw',
    (_, write) => {
      const next = follower()
      const run: Run = (call) => {
        try {
          write(call)
        } catch {
          // It hides what it did: that is the fault.
        }
        return proceed
      }
      const call = newCall()
      const outcome = createEngine(compileTable([writer(run), next])).run(
        gate,
        call,
      )
      expect(outcome).toMatchObject({ type: 'proceed', value: newCall() })
      expect(call).toEqual(newCall())
      expect(next.seen).toEqual([newCall()])
    },
  )

  test('where the attempt does not throw, nothing changes either', () => {
    const next = follower()
    const took: boolean[] = []
    const run: Run = (call) => {
      took.push(Reflect.set(call, 'tool', 'rm'))
      took.push(Reflect.deleteProperty(call.args, 'paths'))
      took.push(Reflect.defineProperty(call.args.paths, 2, { value: '/etc' }))
      return proceed
    }
    void createEngine(compileTable([writer(run), next])).run(gate, newCall())
    expect(took).toEqual([false, false, false])
    expect(next.seen).toEqual([newCall()])
  })

  test('also from a matcher', () => {
    const match = (call: Call) => Reflect.set(call.args.deep, 'on', false)
    const next = follower()
    const hooks = [writer(() => proceed, { match: match as never }), next]
    void createEngine(compileTable(hooks)).run(gate, newCall())
    expect(next.seen).toEqual([newCall()])
  })

  test('also later, when its answer was taken', async () => {
    const kept: Call[] = []
    const run: Run = async (call) => {
      kept.push(call)
      return proceed
    }
    const engine = createEngine(compileTable([writer(run)]))
    const outcome = await engine.run(gate, newCall())
    const took = kept.map(({ args }) => Reflect.set(args.deep, 'on', false))
    expect(took).toEqual([false])
    expect(outcome.value).toEqual(newCall())
  })

  test('beside another: what one does, the other does not see', async () => {
    const side = definePoint('test.side', {
      input: type<Call>(),
      flow: 'parallel',
    })
    const seen: unknown[] = []
    const hooks: Hook[] = ['a', 'b'].map((name) => ({
      name,
      on: side,
      run: (async (call: Call) => {
        Reflect.set(call.args.deep, 'on', name)
        await Promise.resolve()
        seen.push(structuredClone(call))
        return proceed
      }) as never,
    }))
    await createEngine(compileTable(hooks)).run(side, newCall())
    expect(seen).toEqual([newCall(), newCall()])
  })
})

describe('T19 what a hook gave away is no longer its own', () => {
  const makers = { transform, replace, respond }
  for (const [name, make] of Object.entries(makers)) {
    test(`the value of a ${name} stays as it was given`, () => {
      const given = { paths: ['/safe'], deep: { on: true } }
      const hook = writer(() => make(given))
      const outcome = createEngine(compileTable([hook])).run(gate, newCall())
      Reflect.set(given.paths, 0, '/etc')
      Reflect.set(given.deep, 'on', false)
      Reflect.set(given, 'paths', [])
      const { value, output } = Object(outcome)
      const got = name === 'respond' ? output : value.args
      expect(got).toEqual({ paths: ['/safe'], deep: { on: true } })
      expect(Object.isFrozen(got.paths)).toBe(true)
    })
  }

  test('the answer itself may change: it was read', async () => {
    const answer = loose(transform({ paths: ['/safe'] }))
    const next = follower()
    const run = () => {
      queueMicrotask(() => {
        answer.type = 'respond'
        answer.value = { paths: ['/etc'] }
      })
      return answer
    }
    const engine = createEngine(compileTable([writer(run), next]))
    const outcome = await engine.run(gate, newCall())
    await Promise.resolve()
    expect(outcome.value.args).toEqual({ paths: ['/safe'] })
  })

  test('what surrounds a changed subject cannot be changed either', () => {
    const next = scriptedHook({
      name: 'follower',
      on: gate,
      answers: [proceed],
    })
    const hooks = [writer(() => transform({ paths: ['/safe'] })), next]
    void createEngine(compileTable(hooks)).run(gate, newCall())
    const took = next.seen.map((call) => Reflect.set(call, 'tool', 'rm'))
    expect(took).toEqual([false])
  })

  test('a contribution stays as it was given', () => {
    const value = { lines: ['safe'] }
    const contribution = note(value)
    const run: Run = (_, context) => {
      context.contribute(contribution)
      return proceed
    }
    const hooks = [writer(run)]
    const outcome = createEngine(compileTable(hooks)).run(gate, newCall())
    Reflect.set(value.lines, 0, 'evil')
    Reflect.set(value, 'lines', [])
    Reflect.set(contribution, 'value', { lines: ['evil'] })
    const all = [{ by: 'writer', kind: 'note', value: { lines: ['safe'] } }]
    expect(outcome).toMatchObject({ contributions: { all } })
  })

  test('a fallback stays as it was when the table was made', () => {
    const value = { paths: ['/safe'], deep: { on: true } }
    const contributions = [note({ lines: ['safe'] })]
    const onFailure = { fallback: { value, contributions } } as never
    const hook = writer(() => null, { onFailure })
    const engine = createEngine(compileTable([hook]))
    Reflect.set(value.paths, 0, '/etc')
    Reflect.set(Object(contributions[0]).value.lines, 0, 'evil')
    expect(engine.run(gate, newCall())).toMatchObject({
      value: { args: { paths: ['/safe'] } },
      contributions: { all: [{ value: { lines: ['safe'] } }] },
    })
  })

  test('the contributions of a hook that then failed do not count', () => {
    const run: Run = (_, context) => {
      context.contribute(note({ lines: ['too soon'] }))
      throw new Error('boom')
    }
    const hook = writer(run, { onFailure: 'open' })
    const outcome = createEngine(compileTable([hook])).run(gate, newCall())
    expect(outcome).toMatchObject({ contributions: { all: [] } })
  })
})
