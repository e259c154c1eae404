import { describe, expect, test } from 'vitest'
import { definePoint, type } from '../define/define-point.ts'
import { type Hook, HookError, type Point, proceed } from '../engine/index.ts'
import { compileTable } from './compile-table.ts'

const here = definePoint('here', { input: type<object>() })
const there = definePoint('there', { input: type<object>() })

function hook(name: string, declared: Partial<Hook> = {}): Hook {
  return { name, on: here, run: () => proceed, ...declared }
}

const later = (name: string, declared: Partial<Hook> = {}) =>
  hook(name, { execution: 'record', ...declared })

/** Why hooks are no table. */
function refusalOf(...hooks: readonly Hook[]): HookError {
  try {
    compileTable(hooks)
  } catch (error) {
    if (error instanceof HookError) return error
    throw error
  }
  throw new Error('These hooks are a table.')
}

const ways = ['after', 'before', 'needs'] as const

describe.each(ways)('%s', (way) => {
  const guard = (other: string, declared: Partial<Hook> = {}) =>
    hook('guard', { [way]: [other], ...declared })

  test('F111 a hook that is not there is an error that names both', () => {
    const error = refusalOf(hook('audit'), guard('audti'))
    expect(error).toMatchObject({ code: 'dependency-missing', hook: 'guard' })
    expect(error.message).toBe(
      'Hook "guard" depends on "audti", which is not in the table.',
    )
  })

  test('F111 a hook that is disabled is another error that names both', () => {
    const error = refusalOf(hook('audit', { disabled: true }), guard('audit'))
    expect(error).toMatchObject({ code: 'dependency-disabled', hook: 'guard' })
    expect(error.message).toBe(
      'Hook "guard" depends on "audit", which is disabled.',
    )
  })

  test('F111 a hook of another point is another error that names both points', () => {
    const error = refusalOf(hook('audit', { on: there }), guard('audit'))
    expect(error).toMatchObject({ code: 'dependency-elsewhere', hook: 'guard' })
    expect(error.message).toBe(
      'Hook "guard" depends on "audit", which is on there, not on here.',
    )
  })

  test('F113 a hook that depends on itself is another error', () => {
    const error = refusalOf(guard('guard'))
    expect(error).toMatchObject({ code: 'dependency-self', hook: 'guard' })
    expect(error.message).toBe('Hook "guard" depends on itself.')
  })

  test('F113 a dependency cycle is another error that names its hooks', () => {
    const circle = hook('audit', { [way]: ['guard'] })
    const error = refusalOf(hook('aside'), circle, guard('audit'))
    expect(error.code).toBe('dependency-cycle')
    expect(error.message).toMatch(
      /^These hooks wait for each other in a circle: ("audit", then "guard"|"guard", then "audit"); remove one dependency\.$/,
    )
    expect(['audit', 'guard']).toContain(error.hook)
  })

  test('a name of a built-in member is not in the table', () => {
    for (const name of ['__proto__', 'constructor', 'toString']) {
      expect(refusalOf(guard(name)).code).toBe('dependency-missing')
    }
  })

  test('the second of several dependencies is checked too', () => {
    const error = refusalOf(
      guard('audit', { [way]: ['audit', 'gone'] }),
      hook('audit'),
    )
    expect(error.message).toContain('"gone"')
  })

  test('a disabled hook has no say in the order', () => {
    const off = guard('b', { disabled: true })
    const table = compileTable([off, hook('b'), hook('a')])
    const names = table.plans.get('here')?.waited.map(({ name }) => name)
    expect(names).toEqual(['a', 'b'])
  })
})

describe('cycles', () => {
  test('F113 a circle is named in the order in which its hooks would run', () => {
    const { message } = refusalOf(
      hook('a', { after: ['c'] }),
      hook('b', { after: ['a'] }),
      hook('c', { needs: ['b'] }),
    )
    const circles = [
      '"a", then "b", then "c"',
      '"b", then "c", then "a"',
      '"c", then "a", then "b"',
    ]
    expect(circles.some((circle) => message.includes(circle))).toBe(true)
  })

  test('F113 a circle made of after, before and needs is found', () => {
    const { code } = refusalOf(
      hook('a', { before: ['b'] }),
      hook('b', { before: ['c'] }),
      hook('c', { before: ['d'] }),
      hook('a2', { after: ['d'], before: ['a'] }),
      hook('d'),
    )
    expect(code).toBe('dependency-cycle')
  })

  test('F113 what only waits for a circle, or leads to it, is not named', () => {
    const { message } = refusalOf(
      hook('after-all', { priority: 1, after: ['x'] }),
      hook('x', { after: ['y'] }),
      hook('y', { after: ['x', 'first'] }),
      hook('first'),
    )
    expect(message).toMatch(/"x".*"y"|"y".*"x"/)
    expect(message).not.toMatch(/first|after-all/)
  })

  test('F113 observers can stand in a circle too', () => {
    const error = refusalOf(
      later('a', { after: ['b'] }),
      later('b', { after: ['a'] }),
    )
    expect(error.code).toBe('dependency-cycle')
  })

  test('F113 a circle of 1 000 hooks is named shortly', () => {
    const hooks = Array.from({ length: 1_000 }, (_, number) =>
      hook(`h${number}`, { after: [`h${(number + 1) % 1_000}`] }),
    )
    const { message, code } = refusalOf(...hooks)
    expect(code).toBe('dependency-cycle')
    expect(message.match(/"h\d+"/g)).toHaveLength(10)
    expect(message).toContain(', then 990 more; remove one dependency.')
    expect(message.length).toBeLessThan(300)
  })

  test('F113 of a circle of eleven hooks, ten are named and one is counted', () => {
    const circleOf = (length: number) =>
      Array.from({ length }, (_, number) =>
        hook(`h${number}`, { after: [`h${(number + 1) % length}`] }),
      )
    expect(refusalOf(...circleOf(11)).message).toContain(', then 1 more;')
    expect(refusalOf(...circleOf(10)).message).not.toContain('more')
  })
})

describe('hooks that nobody waits for', () => {
  const cases = [
    ['comes after', hook('gate', { after: ['watch'] }), later('watch')],
    ['needs', hook('gate', { needs: ['watch'] }), later('watch')],
    ['is put behind', hook('gate'), later('watch', { before: ['gate'] })],
    [
      'needs, as a background hook,',
      hook('gate', { needs: ['watch'] }),
      later('watch', { execution: 'background' }),
    ],
  ] as const

  test.each(cases)(
    'a waited hook that %s an unwaited one is an error that names both',
    (_, gate, watch) => {
      const error = refusalOf(gate, watch)
      expect(error).toMatchObject({ code: 'dependency-unwaited', hook: 'gate' })
      expect(error.message).toBe(
        'Hook "gate" depends on "watch", which nobody waits for.',
      )
    },
  )

  test('an observer comes after an observer', () => {
    const hooks = [later('a', { after: ['b'] }), later('b')]
    const names = compileTable(hooks).plans.get('here')?.observers
    expect(names?.map(({ name }) => name)).toEqual(['b', 'a'])
  })

  test('an observer cannot need an observer', () => {
    const error = refusalOf(later('a', { needs: ['b'] }), later('b'))
    expect(error).toMatchObject({ code: 'dependency-unwaited', hook: 'a' })
  })

  test('an observer that says both after and needs, needs', () => {
    const both = later('a', { after: ['b'], needs: ['b'] })
    expect(refusalOf(both, later('b')).code).toBe('dependency-unwaited')
  })

  test('an observer may follow and need a waited hook, which may lead it', () => {
    const hooks = [
      hook('gate', { before: ['third'] }),
      later('first', { after: ['gate'] }),
      later('second', { needs: ['gate'] }),
      later('third'),
    ]
    expect(compileTable(hooks).plans.get('here')?.observers).toHaveLength(3)
  })
})

describe('names', () => {
  test('F114 two hooks of one name are an error that names it', () => {
    const error = refusalOf(hook('a'), hook('b'), hook('a'))
    expect(error).toMatchObject({ code: 'duplicate-name', hook: 'a' })
    expect(error.message).toBe('Two hooks are named "a"; rename one.')
  })

  test('F114 a disabled hook keeps its name taken', () => {
    const off = hook('a', { disabled: true })
    expect(refusalOf(off, hook('a')).code).toBe('duplicate-name')
    expect(refusalOf(hook('a'), off).code).toBe('duplicate-name')
    expect(refusalOf(off, off).code).toBe('duplicate-name')
  })

  test('F114 a name is taken at every point', () => {
    const error = refusalOf(hook('a'), hook('a', { on: there }))
    expect(error.code).toBe('duplicate-name')
  })

  test('names differ by case', () => {
    expect(compileTable([hook('a'), hook('A')]).hooks).toHaveLength(2)
  })
})

describe('points', () => {
  const onAll = (...points: readonly Point[]) =>
    points.map((on, number) => hook(`h${number}`, { on }))
  const input = type<{ args?: object }>()

  test('two copies of one point are one point', () => {
    const copy = definePoint('here', { input: type<object>() })
    const table = compileTable(onAll(here, copy))
    expect(table.plans.get('here')?.waited).toHaveLength(2)
  })

  test.each([
    ['flow', definePoint('here', { input, flow: 'parallel' })],
    ['order', definePoint('here', { input, order: 'descending' })],
    ['subject', definePoint('here', { input, subject: 'args' })],
    ['answers', definePoint('here', { input, answers: ['reject'] })],
  ] as const)(
    'two points of one name that differ in %s are an error',
    (_, other: Point) => {
      const error = refusalOf(...onAll(here, here, other))
      expect(error.code).toBe('invalid-point')
      expect(error.message).toBe(
        'Two different points are named here; rename one.',
      )
    },
  )
})
