import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { definePoint, type } from '../define/define-point.ts'
import { type Hook, type Plan, type Point, proceed } from '../engine/index.ts'
import { compileTable } from './compile-table.ts'

const serial = definePoint('order.serial', { input: type<object>() })
const wayOut = definePoint('order.way_out', {
  input: type<object>(),
  order: 'descending',
})
const parallel = definePoint('order.parallel', {
  input: type<object>(),
  flow: 'parallel',
})
const observe = definePoint('order.observe', {
  input: type<object>(),
  flow: 'observe',
})

function hookOn(on: Point) {
  return (name: string, declared: Partial<Hook> = {}): Hook => ({
    name,
    on,
    run: () => proceed,
    ...declared,
  })
}

const hook = hookOn(serial)
const later = (name: string, declared: Partial<Hook> = {}) =>
  hook(name, { execution: 'record', ...declared })

function planOf(hooks: readonly Hook[]): Plan {
  const [plan] = compileTable(hooks).plans.values()
  return plan as Plan // each test here has a hook
}

function orderOf(...hooks: readonly Hook[]): string {
  return planOf(hooks)
    .waited.map(({ name }) => name)
    .join(' ')
}

function observersOf(...hooks: readonly Hook[]): string {
  return planOf(hooks)
    .observers.map(({ name }) => name)
    .join(' ')
}

describe('priority', () => {
  test('the lower priority runs first', () => {
    const two = [hook('a', { priority: 2 }), hook('b', { priority: 1 })]
    expect(orderOf(...two)).toBe('b a')
  })

  test('a hook that says nothing has priority 100', () => {
    const early = hook('z-early', { priority: 99 })
    const late = hook('a-late', { priority: 101 })
    const alike = hook('a-alike', { priority: 100 })
    const order = orderOf(late, hook('b-plain'), early, alike)
    expect(order).toBe('z-early a-alike b-plain a-late')
  })

  test('a priority may be negative, zero, a fraction or huge', () => {
    const priorities = [1e308, 0.5, 0, -1, -1e308]
    const hooks = priorities.map((priority, at) => hook(`${at}`, { priority }))
    expect(orderOf(...hooks)).toBe('4 3 2 1 0')
  })

  test('hooks of one priority run by name', () => {
    expect(orderOf(hook('c'), hook('a'), hook('b'))).toBe('a b c')
  })

  test('names are compared by code unit, in no language', () => {
    const names = ['a10', 'a2', 'Z', 'a', '_', '1', 'B']
    expect(orderOf(...names.map((name) => hook(name)))).toBe('1 B Z _ a a10 a2')
  })
})

describe('after, before and needs', () => {
  test('after is stronger than priority', () => {
    const first = hook('a', { priority: 1, after: ['b'] })
    expect(orderOf(first, hook('b', { priority: 500 }))).toBe('b a')
  })

  test('before is stronger than priority', () => {
    const last = hook('b', { priority: 500, before: ['a'] })
    expect(orderOf(hook('a', { priority: 1 }), last)).toBe('b a')
  })

  test('needs orders like after', () => {
    const first = hook('a', { priority: 1, needs: ['b'] })
    expect(orderOf(first, hook('b', { priority: 500 }))).toBe('b a')
  })

  test('the same dependency said three times is one', () => {
    const a = hook('a', { before: ['b'] })
    const b = hook('b', { priority: 1, after: ['a', 'a'], needs: ['a'] })
    expect(orderOf(b, a)).toBe('a b')
  })

  test('among hooks that may run now, priority and then name decide', () => {
    const hooks = [
      hook('root', { priority: 300 }),
      hook('slow', { priority: 50, after: ['root'] }),
      hook('quick', { priority: 10, after: ['root'] }),
      hook('alike', { priority: 50, after: ['root'] }),
      hook('free', { priority: 200 }),
    ]
    expect(orderOf(...hooks)).toBe('free root quick alike slow')
  })

  test('a dependency holds through hooks in between', () => {
    const c = hook('c', { priority: 1, after: ['b'] })
    const b = hook('b', { after: ['a'] })
    const a = hook('a', { priority: 900 })
    expect(orderOf(c, b, a)).toBe('a b c')
  })

  test('a hook that needs others knows them by their place in the plan', () => {
    const last = hook('last', { needs: ['b', 'a'], after: ['c'] })
    const { waited, hasNeeds } = planOf([last, hook('c'), hook('b'), hook('a')])
    expect(waited.map(({ needed }) => needed)).toEqual([[], [], [], [1, 0]])
    expect(hasNeeds).toBe(true)
  })

  test('after and before need nothing', () => {
    const { waited, hasNeeds } = planOf([
      hook('b', { after: ['a'], before: ['c'] }),
      hook('a'),
      hook('c'),
    ])
    expect(waited.map(({ needed }) => needed)).toEqual([[], [], []])
    expect(hasNeeds).toBe(false)
  })
})

describe('a descending point', () => {
  const out = hookOn(wayOut)

  test('runs the higher priority first', () => {
    const two = [out('a', { priority: 1 }), out('b', { priority: 2 })]
    expect(orderOf(...two)).toBe('b a')
  })

  test('keeps what after, before and needs say', () => {
    const b = out('b', { priority: 900, after: ['a'] })
    expect(orderOf(out('a'), b)).toBe('a b')
    const before = out('a', { priority: 1, before: ['b'] })
    expect(orderOf(before, out('b'))).toBe('a b')
    const needs = out('b', { priority: 900, needs: ['a'] })
    expect(orderOf(out('a'), needs)).toBe('a b')
  })

  test('keeps the order of names', () => {
    expect(orderOf(out('b'), out('c'), out('a'))).toBe('a b c')
  })
})

describe('observers', () => {
  test('are kept apart from the hooks that are waited for', () => {
    const hooks = [later('a'), hook('b'), later('c', { priority: 1 })]
    expect(orderOf(...hooks)).toBe('b')
    expect(observersOf(...hooks)).toBe('c a')
  })

  test('are ordered by after and before, then priority, then name', () => {
    const hooks = [
      later('d', { priority: 1, after: ['c'] }),
      later('c', { priority: 200 }),
      later('b', { execution: 'background' }),
      later('a'),
      later('e', { priority: 900, before: ['a'] }),
    ]
    expect(observersOf(...hooks)).toBe('b c d e a')
  })

  test('know by index what they need of the waited hooks', () => {
    const hooks = [later('watch', { needs: ['b'] }), hook('a'), hook('b')]
    const [watch] = planOf(hooks).observers
    expect(watch).toMatchObject({ name: 'watch', index: 0, needed: [1] })
  })

  test('are all there is at an observe point', () => {
    const watch = hookOn(observe)
    const hooks = [watch('b'), watch('a'), watch('c', { priority: 1 })]
    expect(orderOf(...hooks)).toBe('')
    expect(observersOf(...hooks)).toBe('c a b')
  })

  test('may all run at the same time', () => {
    const { observers } = planOf([later('a'), later('b'), later('c')])
    expect(observers.map(({ batchEnd }) => batchEnd)).toEqual([3, 3, 3])
    expect(observers.map(({ index }) => index)).toEqual([0, 1, 2])
  })
})

describe('batches', () => {
  const side = hookOn(parallel)

  /** The batches of a plan, as the dispatch walks through them. */
  const batchesOf = (...hooks: readonly Hook[]) => {
    const { waited } = planOf(hooks)
    const batches: string[] = []
    for (let at = 0; at < waited.length; ) {
      const end = waited[at]?.batchEnd ?? 0
      const batch = waited.slice(at, end)
      expect(batch.every(({ batchEnd }) => batchEnd === end)).toBe(true)
      batches.push(batch.map(({ name }) => name).join(' '))
      at = end
    }
    return batches
  }

  test('independent hooks are one batch, in order', () => {
    const hooks = [side('c'), side('a', { priority: 200 }), side('b')]
    expect(batchesOf(...hooks)).toEqual(['b c a'])
  })

  test('a chain has as many batches as links', () => {
    const hooks = [
      side('a', { after: ['b'] }),
      side('b', { needs: ['c'] }),
      side('c', { after: ['d'] }),
      side('d'),
    ]
    expect(batchesOf(...hooks)).toEqual(['d', 'c', 'b', 'a'])
  })

  test('a diamond has three', () => {
    const hooks = [
      side('bottom', { after: ['left', 'right'] }),
      side('left', { after: ['top'] }),
      side('right', { after: ['top'] }),
      side('top'),
    ]
    expect(batchesOf(...hooks)).toEqual(['top', 'left right', 'bottom'])
  })

  test('a hook stands as far down as its longest chain', () => {
    const hooks = [
      side('a'),
      side('b', { after: ['a'] }),
      side('c', { priority: 1, after: ['a', 'b'] }),
      side('d', { priority: 1, after: ['a'] }),
    ]
    expect(batchesOf(...hooks)).toEqual(['a', 'd b', 'c'])
    const free = side('free', { priority: 900, before: ['c'] })
    expect(batchesOf(...hooks, free)).toEqual(['a free', 'd b', 'c'])
  })

  test('a free hook is in the first batch, however low it ranks', () => {
    const hooks = [
      side('a'),
      side('b', { after: ['a'] }),
      side('free', { priority: 900 }),
    ]
    expect(batchesOf(...hooks)).toEqual(['a free', 'b'])
  })

  test('what a hook needs is found by its place after batching', () => {
    const hooks = [
      side('a'),
      side('b', { priority: 1, needs: ['c'] }),
      side('c', { priority: 900 }),
    ]
    const { waited } = planOf(hooks)
    expect(waited.map(({ name }) => name)).toEqual(['a', 'c', 'b'])
    expect(waited.map(({ needed }) => needed)).toEqual([[], [], [1]])
  })

  test('observers between waited hooks leave no gap', () => {
    const watch = side('watch', { execution: 'record', after: ['a'] })
    const hooks = [side('a'), watch, side('b', { after: ['a'] })]
    expect(batchesOf(...hooks)).toEqual(['a', 'b'])
  })

  test('at a serial point every hook is a batch of its own', () => {
    const { waited } = planOf([hook('a'), hook('b'), hook('c')])
    expect(waited.map(({ batchEnd }) => batchEnd)).toEqual([1, 2, 3])
    expect(waited.map(({ index }) => index)).toEqual([0, 1, 2])
  })
})

describe('for any declarations', () => {
  interface Declared {
    readonly priority: number | undefined
    readonly isObserver: boolean
    /** How an earlier hook is tied to this one, by its number. */
    readonly ties: readonly { readonly to: number; readonly how: Tie }[]
  }
  type Tie = 'after' | 'before' | 'needs'

  const declared = fc.record<Declared>({
    priority: fc.option(fc.integer({ min: 98, max: 102 }), { nil: undefined }),
    isObserver: fc.boolean(),
    ties: fc.array(
      fc.record({
        to: fc.nat(11),
        how: fc.constantFrom<Tie>('after', 'before', 'needs'),
      }),
      { maxLength: 3 },
    ),
  })
  const sets = fc.record({
    on: fc.constantFrom<Point>(serial, wayOut, parallel),
    all: fc.array(declared, { minLength: 1, maxLength: 12 }),
    // Names are given out shuffled, so that they say nothing about the ties.
    names: fc.shuffledSubarray('abcdefghijkl'.split(''), { minLength: 12 }),
  })
  type Set = Parameters<Parameters<typeof sets.map>[0]>[0]

  /** Ties only lead to earlier numbers: there is no cycle. */
  function hooksOf({ on, all, names }: Set): Hook[] {
    const nameOf = (number: number) => names[number] as string
    const lists = all.map(() => ({
      after: [] as string[],
      before: [] as string[],
      needs: [] as string[],
    }))
    for (const [number, { ties, isObserver }] of all.entries()) {
      for (const { to, how } of ties) {
        const leader = all[to]
        if (to >= number || leader === undefined) continue
        const isLater = leader.isObserver
        if (isLater && (!isObserver || how === 'needs')) continue
        if (how === 'before') lists[to]?.before.push(nameOf(number))
        else lists[number]?.[how].push(nameOf(to))
      }
    }
    return all.map(({ priority, isObserver }, number) => ({
      name: nameOf(number),
      on,
      run: () => proceed,
      ...(priority === undefined ? {} : { priority }),
      ...(isObserver ? { execution: 'record' } : {}),
      ...lists[number],
    }))
  }

  /** The specification, taken literally: of those that may, the first. */
  function expected(hooks: readonly Hook[], on: Point): string[] {
    const sign = on.order === 'descending' ? -1 : 1
    const ranked = hooks.toSorted(
      (a, b) =>
        sign * ((a.priority ?? 100) - (b.priority ?? 100)) ||
        (a.name < b.name ? -1 : 1),
    )
    const isDone = new Set<string>()
    const mayRun = ({ name, after = [], needs = [] }: Hook) =>
      !isDone.has(name) &&
      [...after, ...needs].every((one) => isDone.has(one)) &&
      hooks.every((one) => !one.before?.includes(name) || isDone.has(one.name))
    const order: string[] = []
    for (let next = ranked.find(mayRun); next; next = ranked.find(mayRun)) {
      order.push(next.name)
      isDone.add(next.name)
    }
    return order
  }

  const seed = Number(process.env['HOOKLINE_SEED'] ?? Date.now() % 2 ** 31)
  const numRuns = 2_000

  test('the order follows from the declarations, not from who came first', () => {
    const property = fc.property(
      sets.chain((set) => {
        const hooks = hooksOf(set)
        const size = { minLength: hooks.length, maxLength: hooks.length }
        const shuffles = fc.array(fc.shuffledSubarray(hooks, size), {
          minLength: 2,
          maxLength: 3,
        })
        return fc.tuple(fc.constant(hooks), shuffles)
      }),
      ([hooks, shuffles]) => {
        const shapeOf = (given: readonly Hook[]) => {
          const { waited, observers } = planOf(given)
          return [waited, observers].map((list) =>
            list.map(({ name, index, batchEnd, needed }) =>
              JSON.stringify({ name, index, batchEnd, needed }),
            ),
          )
        }
        const shape = shapeOf(hooks)
        for (const shuffle of shuffles) expect(shapeOf(shuffle)).toEqual(shape)
        const on = hooks[0]?.on as Point
        if (on.flow === 'parallel') return
        const plan = planOf(hooks)
        const wanted = expected(hooks, on)
        for (const list of [plan.waited, plan.observers]) {
          const names = list.map(({ name }) => name)
          expect(names).toEqual(wanted.filter((name) => names.includes(name)))
        }
      },
    )
    process.stdout.write(`order: seed ${seed}, ${numRuns} declaration sets\n`)
    fc.assert(property, { seed, numRuns })
  })

  test('in parallel, whatever a hook follows is in an earlier batch', () => {
    const property = fc.property(sets, (set) => {
      const hooks = hooksOf({ ...set, on: parallel })
      const { waited } = planOf(hooks)
      const places = new Map(waited.map((one) => [one.name, one]))
      for (const { name, after, needs, before, index } of waited) {
        for (const leader of [...after, ...needs]) {
          expect(places.get(leader)?.batchEnd).toBeLessThanOrEqual(index)
        }
        for (const follower of before.filter((one) => places.has(one))) {
          const own = places.get(name)?.batchEnd
          expect(own).toBeLessThanOrEqual(places.get(follower)?.index ?? 0)
        }
      }
    })
    process.stdout.write(`batches: seed ${seed}, ${numRuns} declaration sets\n`)
    fc.assert(property, { seed, numRuns })
  })
})
