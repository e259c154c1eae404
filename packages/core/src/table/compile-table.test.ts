import { describe, expect, test } from 'vitest'
import { growthOf, linear } from '../../fixtures/time-ratio.ts'
import { deadline, defineHook } from '../define/define-hook.ts'
import { defineKind } from '../define/define-kind.ts'
import { definePoint, type } from '../define/define-point.ts'
import { type Hook, HookError, proceed } from '../engine/index.ts'
import { compileTable } from './compile-table.ts'

const input = type<{ tool: string; args: object }>()
const note = defineKind<string>()('note')
const plain = definePoint('plain', { input })
const gate = definePoint('gate', {
  input,
  subject: 'args',
  answers: ['reject', 'transform'],
  contributes: [note],
  isStreamed: true,
  fields: { tool: ({ tool }) => tool, args: ({ args }) => args },
})
const watched = definePoint('watched', { input, flow: 'observe' })

function hook(name: string, declared: Partial<Hook> = {}): Hook {
  return { name, on: plain, run: () => proceed, ...declared }
}

function codeOf(compile: () => unknown): string {
  try {
    compile()
    return 'none'
  } catch (error) {
    if (error instanceof HookError) return error.code
    throw error
  }
}

describe('a descriptor', () => {
  const bare = hook('bare', { on: gate })
  const full = defineHook({
    name: 'full',
    on: gate,
    handler: { id: 'redactor', kind: 'command', version: '1.2' },
    match: {
      tool: ['bash', 'mcp__*', /^Web/i],
      args: { 'options.force': true, path: { $not: null } },
    },
    priority: 7,
    after: ['bare'],
    before: ['last'],
    needs: ['middle'],
    execution: deadline(250),
    onFailure: { fallback: { value: { safe: true } } },
    capabilities: ['note'],
    writes: true,
    beforeWrites: true,
    holdBack: { window: 40 },
    visibility: 'user_audit',
    mode: 'evaluate',
    disabled: false,
    run: () => proceed,
  })
  const others = [hook('middle', { on: gate }), hook('last', { on: gate })]

  test('of a hook that declares only what it must has every default', () => {
    expect(compileTable([bare]).hooks).toStrictEqual([
      {
        name: 'bare',
        point: 'gate',
        handler: { id: 'bare', kind: 'code', version: '0' },
        match: 'every input',
        priority: 100,
        after: [],
        before: [],
        needs: [],
        execution: 'blocking',
        timeoutMs: 30_000,
        onFailure: 'closed',
        capabilities: [],
        writes: false,
        beforeWrites: false,
        holdBack: 'all',
        visibility: 'internal',
        mode: 'enforce',
        disabled: false,
      },
    ])
  })

  test('of a hook that declares everything says all of it', () => {
    const [first] = compileTable([full, bare, ...others]).hooks
    expect(first).toStrictEqual({
      name: 'full',
      point: 'gate',
      handler: { id: 'redactor', kind: 'command', version: '1.2' },
      match: {
        tool: ['bash', 'mcp__*', '/^Web/i'],
        args: { 'options.force': true, path: { $not: null } },
      },
      priority: 7,
      after: ['bare'],
      before: ['last'],
      needs: ['middle'],
      execution: { deadlineMs: 250 },
      timeoutMs: 250,
      onFailure: 'fallback',
      capabilities: ['note'],
      writes: true,
      beforeWrites: true,
      holdBack: { window: 40 },
      visibility: 'user_audit',
      mode: 'evaluate',
      disabled: false,
    })
  })

  test.each([
    ['closed, where the point can refuse', hook('h', { on: gate }), 'closed'],
    ['open, where it cannot', hook('h'), 'open'],
    ['open, where nobody waits', hook('h', { on: watched }), 'open'],
    [
      'open, where nobody waits, also where the point can refuse',
      hook('h', { on: gate, execution: 'record' }),
      'open',
    ],
    ['its own', hook('h', { on: gate, onFailure: 'required' }), 'required'],
  ])('has a failure policy: %s', (_, one, policy) => {
    expect(compileTable([one]).hooks[0]?.onFailure).toBe(policy)
  })

  test('has the failure policy of its point, where that has one', () => {
    const strict = definePoint('strict', { input, failure: 'required' })
    const hooks = [
      hook('waited', { on: strict }),
      hook('unwaited', { on: strict, execution: 'record' }),
    ]
    const policies = compileTable(hooks).hooks.map((one) => one.onFailure)
    expect(policies).toEqual(['required', 'open'])
  })

  test('has the execution of an observer where there are only observers', () => {
    const [first] = compileTable([hook('h', { on: watched })]).hooks
    expect(first).toMatchObject({ execution: 'record', timeoutMs: 30_000 })
  })

  test('has the time limit that was set', () => {
    const hooks = [
      hook('a', { timeoutMs: 5 }),
      hook('b', { execution: deadline() }),
    ]
    const limits = compileTable(hooks).hooks.map((one) => one.timeoutMs)
    expect(limits).toEqual([5, 1_000])
  })

  test.each(['all', 'sentence', 'none', { window: 1 }] as const)(
    'says how much is held back: %j',
    (holdBack) => {
      const [first] = compileTable([hook('h', { on: gate, holdBack })]).hooks
      expect(first?.holdBack).toEqual(holdBack)
    },
  )

  test('calls a matcher in code a predicate', () => {
    const [first] = compileTable([hook('h', { match: () => true })]).hooks
    expect(first?.match).toBe('a predicate')
  })

  test('fills in what a handler leaves out', () => {
    const handler = { version: '3' }
    const [first] = compileTable([hook('h', { handler })]).hooks
    expect(first?.handler).toEqual({ id: 'h', kind: 'code', version: '3' })
  })

  test('is plain data: it survives JSON', () => {
    const off = hook('off', { disabled: true, match: () => true })
    const { hooks } = compileTable([full, off, bare, ...others])
    expect(JSON.parse(JSON.stringify(hooks))).toStrictEqual(hooks)
  })

  test('says the same in the list and in the plan', () => {
    const table = compileTable([full, bare, ...others])
    for (const one of table.plans.get('gate')?.waited ?? []) {
      const listed = table.hooks.find(({ name }) => name === one.name)
      expect(one).toMatchObject({ ...listed })
    }
  })
})

describe('a table', () => {
  test('lists its hooks as they were given, the disabled ones too', () => {
    const off = hook('b', { disabled: true })
    const { hooks } = compileTable([hook('c'), off, hook('a', { on: gate })])
    expect(hooks.map(({ name }) => name)).toEqual(['c', 'b', 'a'])
    expect(hooks.map(({ disabled }) => disabled)).toEqual([false, true, false])
  })

  test('plans no disabled hook, and no point that has only such', () => {
    const off = hook('b', { on: gate, disabled: true })
    const { plans } = compileTable([hook('a'), off])
    expect([...plans.keys()]).toEqual(['plain'])
  })

  test('has a plan for every point that has hooks', () => {
    const { plans } = compileTable([
      hook('a', { on: watched }),
      hook('b'),
      hook('c'),
    ])
    expect(plans.get('watched')?.observers).toHaveLength(1)
    expect(plans.get('plain')?.waited).toHaveLength(2)
    expect(plans.size).toBe(2)
  })

  test('without hooks has no plans', () => {
    const { hooks, plans } = compileTable([])
    expect(hooks).toEqual([])
    expect(plans.size).toBe(0)
  })

  test('is frozen, and so is every plan', () => {
    const table = compileTable([hook('a')])
    expect(Object.isFrozen(table)).toBe(true)
    expect(Object.isFrozen(table.plans.get('plain'))).toBe(true)
  })

  test('does not change with the lists that its hooks were declared with', () => {
    const after = ['b']
    const table = compileTable([hook('a', { after }), hook('b'), hook('c')])
    after.push('c')
    expect(table.hooks[0]?.after).toEqual(['b'])
  })

  test('that evaluates makes every hook evaluate', () => {
    const hooks = [hook('a', { mode: 'enforce' }), hook('b')]
    const { hooks: listed, plans } = compileTable(hooks, { mode: 'evaluate' })
    expect(listed.map(({ mode }) => mode)).toEqual(['evaluate', 'evaluate'])
    const planned = plans.get('plain')?.waited.map(({ mode }) => mode)
    expect(planned).toEqual(['evaluate', 'evaluate'])
  })

  test('that enforces leaves a hook its own mode', () => {
    const hooks = [hook('a', { mode: 'evaluate' }), hook('b')]
    const { hooks: listed } = compileTable(hooks, { mode: 'enforce' })
    expect(listed.map(({ mode }) => mode)).toEqual(['evaluate', 'enforce'])
  })

  test('is made without touching the hooks it is made of', () => {
    const hooks = [hook('b', { after: ['a'] }), hook('a')]
    const before = hooks.map((one) => ({ ...one }))
    compileTable(Object.freeze(hooks))
    expect(hooks).toEqual(before)
  })
})

describe('a great many hooks', () => {
  /** The same numbers in every run: a linear congruential generator. */
  const createRandom = (seed: number) => {
    let state = seed
    return (below: number) => {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
      return Math.floor((state / 2 ** 32) * below)
    }
  }

  const ways = ['after', 'before', 'needs'] as const

  /** Ties lead from lower to higher numbers, so there is no cycle. */
  const tangle = (count: number): Hook[] => {
    const random = createRandom(7)
    const lists = Array.from({ length: count }, () => ({
      after: [] as string[],
      before: [] as string[],
      needs: [] as string[],
    }))
    for (let number = 1; number < count; number++) {
      for (let ties = random(6); ties > 0; ties--) {
        const leader = random(number)
        const way = ways[random(3)] ?? 'after'
        if (way === 'before') lists[leader]?.before.push(`h${number}`)
        else lists[number]?.[way].push(`h${leader}`)
      }
    }
    return lists.map((lists, number) =>
      hook(`h${number}`, { priority: random(20), ...lists }),
    )
  }

  /** The same hooks each time, so that only to compile them takes time. */
  const growthOfCompiling = (
    hooksOf: (count: number) => Hook[],
    compile: (hooks: readonly Hook[]) => unknown,
  ) => {
    const made = new Map<number, Hook[]>()
    return growthOf(10_000, (count) => {
      const hooks = made.get(count) ?? hooksOf(count)
      made.set(count, hooks)
      compile(hooks)
    })
  }

  test('F125 10 000 hooks that depend on each other compile in linear time', async () => {
    const growth = await growthOfCompiling(tangle, (hooks) => {
      const { plans } = compileTable(hooks)
      expect(plans.get('plain')?.waited).toHaveLength(hooks.length)
    })
    expect(growth).toBeLessThan(linear)
  })

  test('F113 10 000 hooks with a circle fail in linear time', async () => {
    const circle = (count: number) => {
      const chain = tangle(count - 1).map((one, at) =>
        at === 0
          ? one
          : { ...one, after: [...(one.after ?? []), `h${at - 1}`] },
      )
      const after = [`h${count - 2}`]
      return [...chain, hook('last', { after, before: ['h0'] })]
    }
    const growth = await growthOfCompiling(circle, (hooks) =>
      expect(codeOf(() => compileTable(hooks))).toBe('dependency-cycle'),
    )
    expect(growth).toBeLessThan(linear)
  })

  test('one chain of 10 000 hooks compiles in linear time, given backwards', async () => {
    const chain = (count: number) =>
      Array.from({ length: count }, (_, at) =>
        hook(`h${at}`, at === count - 1 ? {} : { after: [`h${at + 1}`] }),
      )
    const growth = await growthOfCompiling(chain, (hooks) => {
      const { plans } = compileTable(hooks)
      const [first] = plans.get('plain')?.waited ?? []
      expect(first?.name).toBe(`h${hooks.length - 1}`)
    })
    expect(growth).toBeLessThan(linear)
  })

  test.each(['after', 'before'])(
    'one hook tied to 9 999 others by %s compiles in linear time',
    async (way) => {
      const hub = (count: number) => {
        const others = many(count - 1)
        const names = others.map(({ name }) => name)
        return [hook('hub', { [way]: names }), ...others]
      }
      const growth = await growthOfCompiling(hub, compileTable)
      expect(growth).toBeLessThan(linear)
    },
  )

  const many = (count: number) =>
    Array.from({ length: count }, (_, at) => hook(`h${at}`))

  test('F021 a table holds 10 000 hooks and not one more', () => {
    expect(codeOf(() => compileTable(many(10_000)))).toBe('none')
    expect(codeOf(() => compileTable(many(10_001)))).toBe('too-many-hooks')
    expect(() => compileTable(many(10_001))).toThrow(
      'A table holds at most 10000 hooks; this one has 10001.',
    )
  })

  test('F021 how many a table holds can be set, and disabled hooks count', () => {
    const two = [hook('a'), hook('b', { disabled: true })]
    expect(codeOf(() => compileTable(two, { maxHooks: 2 }))).toBe('none')
    expect(codeOf(() => compileTable(two, { maxHooks: 1 }))).toBe(
      'too-many-hooks',
    )
  })
})
