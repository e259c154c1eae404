import { describe, expect, test } from 'vitest'
import { defineCell } from '../define/define-cell.ts'
import { type Cell, HookError } from '../engine/index.ts'
import { createMemoryState, type ScopeIds } from './memory-state.ts'

/** In memory, state answers at once, which its type leaves open. */
interface ReadyState {
  get<T>(cell: Cell<T>): T
  update<T>(cell: Cell<T>, change: (value: T) => T): T
}

function createMemory() {
  const memory = createMemoryState()
  return {
    at: (ids: ScopeIds) => memory.at(ids) as ReadyState,
    end: (scope: string, id: string) => memory.end(scope, id),
  }
}

const everywhere = defineCell('count', { initial: () => 0 })
const perTurn = defineCell('count', { initial: () => 0, scope: 'turn' })
const perSession = defineCell('count', { initial: () => 0, scope: 'session' })
const list = defineCell<readonly string[]>('list', { initial: () => [] })

const addOne = (value: number) => value + 1

function errorOf(use: () => unknown): HookError {
  try {
    use()
  } catch (error) {
    if (error instanceof HookError) return error
    throw error
  }
  throw new Error('This went through.')
}

/** What types would refuse, as a new value. */
const returning = (value: unknown) => () => value as never

describe('a cell', () => {
  test('holds its initial value until it is updated', () => {
    const state = createMemory().at({})
    expect(state.get(everywhere)).toBe(0)
    expect(state.update(everywhere, addOne)).toBe(1)
    expect(state.get(everywhere)).toBe(1)
  })

  test('may start at null or false, and be set to them', () => {
    const state = createMemory().at({})
    const flag = defineCell<boolean | null>('flag', { initial: () => true })
    state.update(flag, () => false)
    expect(state.get(flag)).toBe(false)
    state.update(flag, () => null)
    expect(state.get(flag)).toBe(null)
  })

  test('is known by its name, so that two copies of a package agree', () => {
    const state = createMemory().at({})
    state.update(defineCell('shared', { initial: () => 0 }), addOne)
    expect(state.get(defineCell('shared', { initial: () => 0 }))).toBe(1)
  })

  test('of another name holds another value', () => {
    const state = createMemory().at({})
    state.update(everywhere, addOne)
    expect(state.get(defineCell('other', { initial: () => 0 }))).toBe(0)
  })

  test.each(['__proto__', 'constructor', 'a/b', ''])(
    'may be named %j',
    (name) => {
      const state = createMemory().at({})
      const cell = defineCell(name, { initial: () => 0 })
      expect(state.get(cell)).toBe(0)
      expect(state.update(cell, addOne)).toBe(1)
      expect(state.get(cell)).toBe(1)
    },
  )

  test('of another engine holds another value', () => {
    createMemory().at({}).update(everywhere, addOne)
    expect(createMemory().at({}).get(everywhere)).toBe(0)
  })
})

describe('scopes', () => {
  test('keep cells of one name apart', () => {
    const state = createMemory().at({ turn: '1', session: '1' })
    state.update(perTurn, addOne)
    expect(state.get(perTurn)).toBe(1)
    expect(state.get(perSession)).toBe(0)
    expect(state.get(everywhere)).toBe(0)
  })

  test('keep their ids apart', () => {
    const memory = createMemory()
    memory.at({ turn: '1' }).update(perTurn, addOne)
    expect(memory.at({ turn: '2' }).get(perTurn)).toBe(0)
    expect(memory.at({ turn: '1' }).get(perTurn)).toBe(1)
  })

  test('are shared by whoever has the same id', () => {
    const memory = createMemory()
    memory.at({ turn: '1', session: 's' }).update(perSession, addOne)
    expect(memory.at({ turn: '2', session: 's' }).get(perSession)).toBe(1)
  })

  test('of which there is one for all need no id', () => {
    const memory = createMemory()
    memory.at({ turn: '1' }).update(everywhere, addOne)
    expect(memory.at({}).get(everywhere)).toBe(1)
  })

  test('that a dispatch does not have are an error that names them', () => {
    const state = createMemory().at({ session: 's' })
    for (const use of [
      () => state.get(perTurn),
      () => state.update(perTurn, addOne),
    ]) {
      const error = errorOf(use)
      expect(error.code).toBe('state-scope')
      expect(error.message).toBe(
        'Cell "count" belongs to a turn, but this dispatch has none.',
      )
    }
  })

  test('that have ended are forgotten, and no others', () => {
    const memory = createMemory()
    const state = memory.at({ turn: '1', session: '1' })
    const next = memory.at({ turn: '2', session: '1' })
    for (const one of [state, next]) one.update(perTurn, addOne)
    state.update(perSession, addOne)
    memory.end('turn', '1')
    expect(state.get(perTurn)).toBe(0)
    expect(next.get(perTurn)).toBe(1)
    expect(state.get(perSession)).toBe(1)
  })

  test('that were never used can end', () => {
    const memory = createMemory()
    memory.end('turn', 'never')
    expect(memory.at({ turn: 'never' }).get(perTurn)).toBe(0)
  })
})

describe('an update', () => {
  test('is given what the last one left', () => {
    const state = createMemory().at({})
    const seen: number[] = []
    for (let round = 0; round < 3; round++) {
      state.update(everywhere, (value) => {
        seen.push(value)
        return value + 10
      })
    }
    expect(seen).toEqual([0, 10, 20])
  })

  test('loses nothing, however many hooks make one at a time', async () => {
    const state = createMemory().at({})
    const hooks = Array.from({ length: 100 }, async (_, at) => {
      for (let wait = at % 7; wait > 0; wait--) await Promise.resolve()
      state.update(everywhere, addOne)
    })
    await Promise.all(hooks)
    expect(state.get(everywhere)).toBe(100)
  })

  test('of a cell inside its own update is an error, and changes nothing', () => {
    const state = createMemory().at({})
    state.update(everywhere, addOne)
    const error = errorOf(() =>
      state.update(everywhere, (value) => {
        state.update(everywhere, () => 99)
        return value + 1
      }),
    )
    expect(error.code).toBe('state-reentry')
    expect(error.message).toBe(
      'Cell "count" is being updated by its own update; return the new value instead.',
    )
    expect(state.get(everywhere)).toBe(1)
  })

  test('that goes wrong leaves the cell open to the next one', () => {
    const state = createMemory().at({})
    const reenter = () =>
      state.update(everywhere, () => {
        state.update(everywhere, addOne)
        return 5
      })
    expect(reenter).toThrow(HookError)
    expect(state.update(everywhere, addOne)).toBe(1)
  })

  test('inside the update of another cell is fine, and so is reading', () => {
    const state = createMemory().at({ turn: '1' })
    state.update(everywhere, (value) => {
      state.update(perTurn, addOne)
      return value + state.update(list, () => ['a']).length + 1
    })
    expect(state.get(everywhere)).toBe(2)
    expect(state.get(perTurn)).toBe(1)
  })

  test('of the same cell for another turn is fine inside', () => {
    const memory = createMemory()
    const [one, two] = [memory.at({ turn: '1' }), memory.at({ turn: '2' })]
    one.update(perTurn, (value) => {
      two.update(perTurn, addOne)
      return value + 5
    })
    expect([one.get(perTurn), two.get(perTurn)]).toEqual([5, 1])
  })

  test('that throws leaves the value, and what it threw comes out', () => {
    const state = createMemory().at({})
    state.update(everywhere, addOne)
    const bad = () =>
      state.update(everywhere, () => {
        throw new RangeError('not today')
      })
    expect(bad).toThrow(RangeError)
    expect(state.update(everywhere, addOne)).toBe(2)
  })

  test.each([
    ['a promise', 'not-data', Promise.resolve(1)],
    ['nothing', 'not-data', undefined],
    ['a function', 'not-data', () => 1],
    ['not a number', 'not-data', Number.NaN],
    ['a bigint', 'not-data', 1n],
    ['a map', 'not-data', new Map()],
    ['a class', 'not-data', { at: new Date() }],
    ['65 levels', 'too-deep', JSON.parse('['.repeat(65) + ']'.repeat(65))],
    ['10 001 keys', 'too-large', Array(10_001).fill(0)],
    ['65 537 characters', 'too-large', 'x'.repeat(65_537)],
  ] as const)(
    'that returns %s is %s, and leaves the value',
    (_, code, value) => {
      const state = createMemory().at({})
      state.update(everywhere, addOne)
      const error = errorOf(() => state.update(everywhere, returning(value)))
      expect(error.code).toBe(code)
      expect(error.message).toBe(`The new value of cell "count" is ${code}.`)
      expect(state.get(everywhere)).toBe(1)
    },
  )

  test('is bounded by the size of its cell', () => {
    const small = defineCell('small', { initial: () => '', maxChars: 3 })
    const state = createMemory().at({})
    expect(state.update(small, () => 'abc')).toBe('abc')
    expect(errorOf(() => state.update(small, () => 'abcd')).code).toBe(
      'too-large',
    )
    expect(state.get(small)).toBe('abc')
  })

  test('leaves a value that nobody can change', () => {
    const state = createMemory().at({})
    const mine = { deep: ['a'] }
    const cell = defineCell('mine', { initial: () => ({ deep: [''] }) })
    state.update(cell, () => mine)
    mine.deep.push('b')
    expect(state.get(cell)).toEqual({ deep: ['a'] })
    const push = () =>
      state.update(cell, (value) => {
        value.deep.push('b')
        return value
      })
    expect(push).toThrow(TypeError)
    expect(state.get(cell)).toEqual({ deep: ['a'] })
  })
})

describe('the limit of 1 000 cells', () => {
  const cellOf = (at: number, scope: string) =>
    defineCell(`c${at}`, { initial: () => 0, scope })

  test.each(['global', 'turn'])('holds for each %s', (scope) => {
    const memory = createMemory()
    const state = memory.at({ turn: '1' })
    for (let at = 0; at < 1_000; at++) state.update(cellOf(at, scope), addOne)
    const error = errorOf(() => state.update(cellOf(1_000, scope), addOne))
    expect(error.code).toBe('state-limit')
    expect(error.message).toBe(
      `A ${scope} holds at most 1000 cells; "c1000" is one too many.`,
    )
    expect(state.get(cellOf(1_000, scope))).toBe(0)
    expect(state.update(cellOf(999, scope), addOne)).toBe(2)
    expect(memory.at({ turn: '2' }).update(perTurn, addOne)).toBe(1)
  })

  test('counts no cell that was only read', () => {
    const state = createMemory().at({ turn: '1' })
    for (let at = 0; at < 2_000; at++) state.get(cellOf(at, 'turn'))
    expect(state.update(perTurn, addOne)).toBe(1)
  })

  test('is free again when the scope has ended', () => {
    const memory = createMemory()
    const state = memory.at({ turn: '1' })
    for (let at = 0; at < 1_000; at++) state.update(cellOf(at, 'turn'), addOne)
    memory.end('turn', '1')
    expect(state.update(cellOf(1_000, 'turn'), addOne)).toBe(1)
  })
})
