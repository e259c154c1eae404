// What tables, matchers and ports got wrong once.
import { setImmediate as nextTurn } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { timeRatio } from '../../fixtures/time-ratio.ts'
import { createEngine } from '../create-engine.ts'
import { reject, respond } from '../define/answers.ts'
import { defineCell } from '../define/define-cell.ts'
import { definePoint, type } from '../define/define-point.ts'
import { type Hook, HookError, type Point, proceed } from '../engine/index.ts'
import { createMemoryRecords } from '../ports/memory-records.ts'
import { createMemoryState } from '../ports/memory-state.ts'
import { compileTable } from './compile-table.ts'
import { compileGlob } from './glob.ts'

const input = type<{ tool?: unknown }>()
const gate = definePoint('gate', {
  input,
  answers: ['reject', 'ask'],
  fields: { tool: ({ tool }) => tool },
})

/** What is declared here, types would refuse in part. */
function hook(name: string, declared: object = {}): Hook {
  return { name, on: gate, run: () => proceed, ...declared }
}

/** The code of the error of a table; what is no HookError is shown whole. */
function codeOf(...hooks: readonly Hook[]): string {
  try {
    compileTable(hooks)
    return 'none'
  } catch (error) {
    return error instanceof HookError ? error.code : String(error)
  }
}

describe('what a hook declares', () => {
  test.each([undefined, null, 7])('a name that is %s is refused', (name) => {
    expect(codeOf({ ...hook(''), name } as unknown as Hook)).toBe(
      'invalid-hook',
    )
  })

  test('an unknown mode is refused, for its hook would never be enforced', () => {
    expect(codeOf(hook('h', { mode: 'Enforce' }))).toBe('invalid-hook')
  })

  test('an unknown execution is refused', () => {
    expect(codeOf(hook('h', { execution: 'backgruond' }))).toBe('invalid-hook')
  })

  test('a deadline without its milliseconds is refused, for it would pass at once', () => {
    expect(codeOf(hook('h', { execution: {} }))).toBe('invalid-hook')
  })

  test.each([
    { disabled: 'false' },
    { writes: 1 },
    { beforeWrites: 'no' },
    { after: null },
    { needs: {} },
    { capabilities: [1] },
  ])('%j is refused, for a gate must not be lost to a slip', (declared) => {
    expect(codeOf(hook('h', declared))).toBe('invalid-hook')
  })

  test('a point that is not there is refused as such', () => {
    expect(codeOf(hook('h', { on: undefined }))).toBe('invalid-hook')
    expect(codeOf(undefined as unknown as Hook)).toBe('invalid-hook')
  })

  test('what a hook becomes after the table was made changes nothing', async () => {
    const open = { ...hook('h', { run: () => reject('No.') }) }
    const table = compileTable([open])
    Object.assign(open, { run: () => proceed, mode: 'evaluate' })
    const outcome = await createEngine(table).run(gate, {})
    expect(outcome.type).toBe('reject')
  })

  test('an unknown visibility is refused', () => {
    expect(codeOf(hook('h', { visibility: 'public' }))).toBe('invalid-hook')
  })

  test.each([null, {}, { fallback: null }])(
    'a failure policy of %j is refused as such',
    (onFailure) => {
      expect(codeOf(hook('h', { onFailure }))).toBe('invalid-hook')
    },
  )

  test('T15 a matcher that is null is refused as such', () => {
    expect(codeOf(hook('h', { match: null }))).toBe('invalid-match')
  })

  test.each([[['^a', '^b']], [/^a/], [null]])(
    'T15 a regex operator over what is no text is refused: %s',
    ($regex) => {
      const match = { tool: { $regex } }
      const regex = () => () => true
      const compile = () =>
        compileTable([hook('h', { match })], { match: { regex } })
      expect(compile).toThrow(HookError)
    },
  )
})

describe('two points of one name', () => {
  const spec = { input, output: type<string>(), answers: ['respond'] } as const

  test('that differ in the rights of an answer are an error, for one would lift the other', async () => {
    const strict = definePoint('p', { ...spec, rights: { respond: 'approve' } })
    const lax = definePoint('p', spec)
    const approve = hook('auto', { on: lax, run: () => respond('allow') })
    const hooks = [approve, hook('other', { on: strict })]
    const decide = async () =>
      (await createEngine(compileTable(hooks)).run(strict, {})).type
    await expect(decide()).rejects.toThrow('Two different points are named p')
  })

  test.each<[string, Point]>([
    ['limits', definePoint('p', { ...spec, limits: { chars: 1e9 } })],
    ['failure rule', definePoint('p', { ...spec, failure: 'required' })],
    ['fields', definePoint('p', { ...spec, fields: { tool: () => 1 } })],
  ])('that differ in %s are an error', (_, other) => {
    const hooks = [
      hook('a', { on: definePoint('p', spec) }),
      hook('b', { on: other }),
    ]
    expect(codeOf(...hooks)).toBe('invalid-point')
  })

  test('that give the same answers in another order are one point', () => {
    const copy = definePoint('gate', {
      input,
      answers: ['ask', 'reject'],
      fields: { tool: ({ tool }) => tool },
    })
    expect(codeOf(hook('a'), hook('b', { on: copy }))).toBe('none')
  })
})

describe('a table', () => {
  test('is frozen with its lists and descriptors', () => {
    const table = compileTable([hook('a', { after: ['b'] }), hook('b')])
    const plan = table.plans.get('gate')
    const parts = {
      hooks: table.hooks,
      descriptor: table.hooks[0],
      handler: table.hooks[0]?.handler,
      after: table.hooks[0]?.after,
      waited: plan?.waited,
      planned: plan?.waited[0],
      observers: plan?.observers,
    }
    const open = Object.entries(parts).filter(
      ([, one]) => !Object.isFrozen(one),
    )
    expect(open.map(([name]) => name)).toEqual([])
  })
})

test('F125 a hook that needs 9 999 others compiles about as fast as one that comes after them', async () => {
  const others = Array.from({ length: 9_999 }, (_, at) => hook(`h${at}`))
  const names = others.map(({ name }) => name)
  const [needs, after] = ['needs', 'after'].map((way) => {
    return [hook('hub', { [way]: names }), ...others]
  }) as [Hook[], Hook[]]
  // About 1.3; it is 4 where each need is looked for in the list of all.
  const enough = 2.5
  const ratio = await timeRatio(
    () => compileTable(needs),
    () => compileTable(after),
    enough,
  )
  expect(ratio).toBeLessThanOrEqual(enough)
})

test('F111 an observer whose need failed is not run because another observer was', async () => {
  const records = createMemoryRecords()
  const fail = () => {
    throw new Error('no')
  }
  const hooks = [
    hook('gate', { run: fail, onFailure: 'open' }),
    hook('first', { execution: 'record', priority: 1 }),
    hook('second', { execution: 'record', needs: ['gate'], priority: 2 }),
  ]
  const engine = createEngine(compileTable(hooks), { records })
  await engine.run(gate, {})
  await engine.drain()
  const second = records.all().find((record) => record.hook === 'second')
  expect(second?.failure?.code).toBe('needs-failed')
})

describe('shared state', () => {
  test('gives out an initial value that nobody can change', () => {
    const shared: string[] = []
    const cell = defineCell('list', { initial: () => shared })
    const state = createMemoryState().at({})
    const push = () => (state.get(cell) as string[]).push('leaked')
    expect(push).toThrow(TypeError)
    expect(state.get(cell)).toEqual([])
  })

  test('handles the rejection of an update that returned a promise', async () => {
    const cell = defineCell('n', { initial: () => 0 })
    const state = createMemoryState().at({})
    const update = async () => {
      throw new Error('nobody hears this')
    }
    const listeners = process.listeners('unhandledRejection')
    const unhandled: unknown[] = []
    process.removeAllListeners('unhandledRejection')
    process.on('unhandledRejection', (reason) => unhandled.push(reason))
    try {
      expect(() => state.update(cell, update as never)).toThrow(HookError)
      await nextTurn()
      await nextTurn()
    } finally {
      process.removeAllListeners('unhandledRejection')
      for (const one of listeners) process.on('unhandledRejection', one)
    }
    expect(unhandled).toEqual([])
  })

  test('keeps apart scopes whose names and ids hold a colon', () => {
    const memory = createMemoryState()
    const initial = () => 0
    const inner = defineCell('n', { initial, scope: 'agent:turn' })
    const outer = defineCell('n', { initial, scope: 'agent' })
    void memory.at({ 'agent:turn': '1' }).update(inner, () => 5)
    expect(memory.at({ agent: 'turn:1' }).get(outer)).toBe(0)
  })

  test('takes no scope from a prototype', () => {
    const cell = defineCell('n', { initial: () => 0, scope: 'constructor' })
    const state = createMemoryState().at({})
    expect(() => state.get(cell)).toThrow(HookError)
  })
})

test('only a compiled table can be swapped in, and the old one stays', async () => {
  const engine = createEngine(
    compileTable([hook('h', { run: () => reject('No.') })]),
  )
  for (const none of [null, {}, []]) {
    expect(() => engine.swap(none as never)).toThrow(HookError)
  }
  expect((await engine.run(gate, {})).type).toBe('reject')
})

describe('a matcher in code', () => {
  test.each<[string, () => unknown]>([
    ['forgets to answer', () => undefined],
    ['answers with a promise', async () => true],
    [
      'gives a promise that is rejected',
      async () => Promise.reject(new Error('no')),
    ],
  ])('that %s fails its hook, which then decides', async (_, match) => {
    const engine = createEngine(compileTable([hook('h', { match })]))
    expect(await engine.run(gate, {})).toMatchObject({
      reason: 'hook_error:matcher-threw',
    })
    await nextTurn()
  })
})

describe('matching', () => {
  test('a text with braces is matched as it is by $is', () => {
    const match = { tool: { $is: '{"force":true}' } }
    const table = compileTable([hook('h', { match })])
    const [planned] = table.plans.get('gate')?.waited ?? []
    expect(planned?.matches?.({ tool: '{"force":true}' }, {})).toBe(true)
    expect(planned?.matches?.({ tool: '"force":true' }, {})).toBe(false)
  })

  test('a question mark in a pattern stands for one code point', () => {
    expect(compileGlob('?')('😀')).toBe(true)
    expect(compileGlob('??')('😀')).toBe(false)
  })

  test('zero matches a negative zero, which is taken as zero', () => {
    const table = compileTable([hook('h', { match: { tool: 0 } })])
    const [planned] = table.plans.get('gate')?.waited ?? []
    expect(planned?.matches?.({ tool: -0 }, {})).toBe(true)
  })
})

test('a sink for no records keeps none', () => {
  const records = createMemoryRecords(0)
  for (let count = 0; count < 3; count++) records.end(Object.create(null))
  expect(records.all()).toHaveLength(0)
})
