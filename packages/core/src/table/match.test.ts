import { describe, expect, test } from 'vitest'
import { createEngine } from '../create-engine.ts'
import { reject } from '../define/answers.ts'
import { definePoint, type } from '../define/define-point.ts'
import {
  type Condition,
  type Hook,
  HookError,
  proceed,
} from '../engine/index.ts'
import { compileTable, type TableOptions } from './compile-table.ts'
import { compileCondition, type MatchEngines } from './match.ts'

interface Call {
  readonly tool?: unknown
  readonly args?: unknown
}

const call = definePoint('call', {
  input: type<Call>(),
  scope: type<{ agent?: string }>(),
  answers: ['reject'],
  fields: {
    tool: ({ tool }) => tool,
    args: ({ args }) => args,
    agent: (_, { agent }) => agent,
  },
})

function hook(match: unknown): Hook {
  // Some of these matchers are what types would refuse.
  return { name: 'gate', on: call, run: () => proceed, match } as Hook
}

type Engines = Partial<MatchEngines>

/** Compiles a matcher, and asks it about inputs. */
function matcher(match: unknown, engines?: Engines) {
  const options: TableOptions = engines === undefined ? {} : { match: engines }
  const table = compileTable([hook(match)], options)
  const matches = table.plans.get('call')?.waited[0]?.matches
  return (input: Call, scope: object = {}) => matches?.(input, scope)
}

/** Whether a condition holds for a tool's name. */
function holds(condition: unknown, tool: unknown): boolean | undefined {
  return matcher({ tool: condition })({ tool })
}

function refusalOf(match: unknown, engines?: Engines): HookError {
  try {
    matcher(match, engines)
  } catch (error) {
    if (error instanceof HookError) return error
    throw error
  }
  throw new Error('This matcher compiles.')
}

test('a hook without a matcher has none to ask', () => {
  const { match: _, ...bare } = hook(undefined)
  const table = compileTable([bare])
  expect(table.plans.get('call')?.waited[0]?.matches).toBeUndefined()
})

describe('a text', () => {
  test('is the value exactly', () => {
    expect(holds('bash', 'bash')).toBe(true)
    for (const other of ['Bash', 'bash ', 'bas', 'bashx', '']) {
      expect(holds('bash', other)).toBe(false)
    }
  })

  test('without a wildcard is no pattern', () => {
    expect(holds('a.c', 'abc')).toBe(false)
    expect(holds('[ab]+', '[ab]+')).toBe(true)
    expect(holds('[ab]+', 'ab')).toBe(false)
    expect(holds('', '')).toBe(true)
  })

  test('with a wildcard is a pattern for texts, and for nothing else', () => {
    expect(holds('mcp__*', 'mcp__files')).toBe(true)
    expect(holds('{read,edit}', 'edit')).toBe(true)
    expect(holds('ba?h', 'bash')).toBe(true)
    for (const other of [1, true, null, undefined, ['mcp__a'], {}]) {
      expect(holds('*', other)).toBe(false)
    }
  })

  test('T15 with a bad pattern is an error that shows the pattern', () => {
    const error = refusalOf({ tool: '{a,b' })
    expect(error).toMatchObject({ code: 'invalid-match', hook: 'gate' })
    expect(error.message).toBe('Hook "gate" matches by a bad pattern "{a,b".')
    expect(error.cause).toMatchObject({ message: expect.any(String) })
  })
})

describe('another plain value', () => {
  test.each([0, 7, -1.5, true, false, null])(
    '%s is the value itself',
    (value) => {
      expect(holds(value, value)).toBe(true)
      for (const other of [String(value), undefined, {}, [value], 99]) {
        expect(holds(value, other)).toBe(false)
      }
    },
  )

  test('null does not stand for what is absent', () => {
    expect(matcher({ args: { path: null } })({ args: {} })).toBe(false)
    expect(matcher({ tool: null })({})).toBe(false)
  })
})

describe('a list', () => {
  test('means any of its conditions', () => {
    const condition = ['bash', 'mcp__*', 7, null, /^x+$/]
    for (const value of ['bash', 'mcp__a', 7, null, 'xxx']) {
      expect(holds(condition, value)).toBe(true)
    }
    for (const value of ['zsh', 8, undefined, ['bash']]) {
      expect(holds(condition, value)).toBe(false)
    }
  })

  test('without conditions holds for nothing', () => {
    expect(holds([], 'bash')).toBe(false)
  })
})

describe('a regular expression in code', () => {
  test('is found anywhere in a text, and in nothing else', () => {
    expect(holds(/as/, 'bash')).toBe(true)
    expect(holds(/^as/, 'bash')).toBe(false)
    expect(holds(/BASH/i, 'bash')).toBe(true)
    expect(holds(/7/, 7)).toBe(false)
    expect(holds(/undefined|null/, undefined)).toBe(false)
  })

  test.each(['g', 'y', 'gy'])(
    'remembers nothing between inputs, also with %s',
    (flags) => {
      const matches = matcher({ tool: new RegExp('ba', flags) })
      const asked = [1, 2, 3].map(() => matches({ tool: 'bash' }))
      expect(asked).toEqual([true, true, true])
    },
  )

  test('is neither moved nor moved by the one it was made from', () => {
    const given = /ba/g
    const matches = matcher({ tool: given })
    given.lastIndex = 3
    expect(matches({ tool: 'bash' })).toBe(true)
    expect(given.lastIndex).toBe(3)
  })
})

describe('$not', () => {
  test('turns any condition around', () => {
    expect(holds({ $not: 'bash' }, 'zsh')).toBe(true)
    expect(holds({ $not: 'bash' }, 'bash')).toBe(false)
    expect(holds({ $not: ['a', 'b*'] }, 'bb')).toBe(false)
    expect(holds({ $not: { $not: 'bash' } }, 'bash')).toBe(true)
    expect(holds({ $not: null }, null)).toBe(false)
  })

  test('holds for what is absent', () => {
    expect(matcher({ args: { path: { $not: '/etc/*' } } })({})).toBe(true)
  })

  test('stands beside other parts, all of which must hold', () => {
    const condition = { $not: null, path: '/tmp/*' }
    const matches = matcher({ args: condition })
    expect(matches({ args: { path: '/tmp/a' } })).toBe(true)
    expect(matches({ args: { path: '/etc/a' } })).toBe(false)
    expect(matches({ args: null })).toBe(false)
  })
})

describe('$regex', () => {
  test('T15 without an engine is an error at load', () => {
    const error = refusalOf({ tool: { $regex: '^a+$' } })
    expect(error).toMatchObject({ code: 'invalid-match', hook: 'gate' })
    expect(error.message).toBe(
      'Hook "gate" matches by $regex, but the table was given no regex engine.',
    )
  })

  // A stand-in for a linear-time engine: it only knows prefixes.
  const regex = (source: string) => {
    if (!source.startsWith('^')) throw new SyntaxError('only prefixes')
    return (text: string) => text.startsWith(source.slice(1))
  }

  test('with the engine of the port matches texts, and nothing else', () => {
    const matches = matcher({ tool: { $regex: '^ba' } }, { regex })
    expect(matches({ tool: 'bash' })).toBe(true)
    expect(matches({ tool: 'zsh' })).toBe(false)
    expect(matches({ tool: 7 })).toBe(false)
    expect(matches({})).toBe(false)
  })

  test('T15 that its engine refuses is an error at load', () => {
    const error = refusalOf({ args: { path: { $regex: 'a(' } } }, { regex })
    expect(error.code).toBe('invalid-match')
    expect(error.cause).toBeInstanceOf(SyntaxError)
  })
})

describe('a path', () => {
  const args = {
    path: '/etc/passwd',
    options: { force: true, mode: { bits: 7 } },
    files: ['a.ts', 'b.ts'],
    nothing: null,
  }
  const found = (condition: unknown) => matcher({ args: condition })({ args })

  test('leads into objects, nested or with dots', () => {
    expect(found({ path: '/etc/*' })).toBe(true)
    expect(found({ options: { force: true } })).toBe(true)
    expect(found({ options: { mode: { bits: 7 } } })).toBe(true)
    expect(found({ 'options.mode.bits': 7 })).toBe(true)
    expect(found({ 'options.mode': { bits: [6, 7] } })).toBe(true)
    expect(found({ 'options.mode.bits': 6 })).toBe(false)
  })

  test('leads to the members of an array by number', () => {
    expect(found({ 'files.1': 'b.ts' })).toBe(true)
    expect(found({ 'files.2': '*' })).toBe(false)
  })

  test('of which one part is absent leads nowhere', () => {
    for (const path of ['gone', 'gone.deep', 'path.length', 'nothing.x', '']) {
      expect(found({ [path]: '*' })).toBe(false)
      expect(found({ [path]: { $not: '*' } })).toBe(true)
    }
    expect(matcher({ args: { path: '*' } })({})).toBe(false)
    expect(matcher({ args: { path: '*' } })({ args: null })).toBe(false)
    expect(matcher({ args: { path: '*' } })({ args: '/etc' })).toBe(false)
  })

  test('leads several ways at once, and all must hold', () => {
    expect(found({ path: '/etc/*', 'options.force': true })).toBe(true)
    expect(found({ path: '/etc/*', 'options.force': false })).toBe(false)
  })

  test.each([
    'constructor',
    'toString',
    'hasOwnProperty',
    '__proto__',
    'constructor.name',
    '__proto__.constructor.name',
    'files.__proto__.length',
    'files.map.name',
  ])('never leads through a prototype: %s', (path) => {
    const anything = { [path]: { $not: 'no such text' } }
    const something = { [path]: ['*', 0, /./, { $not: { $not: '*' } }] }
    expect(found(something)).toBe(false)
    // Absent, so only the negation holds.
    expect(found(anything)).toBe(true)
  })

  test('leads to own properties of such names', () => {
    const own = JSON.parse('{"__proto__": {"a": "b"}, "constructor": "c"}')
    const matches = (condition: unknown) =>
      matcher({ args: condition })({ args: own })
    expect(matches(JSON.parse('{"__proto__": {"a": "b"}}'))).toBe(true)
    expect(matches({ '__proto__.a': 'b' })).toBe(true)
    expect(matches({ constructor: 'c' })).toBe(true)
  })
})

describe('conditions on several fields', () => {
  const match = { tool: 'bash', args: { path: '/etc/*' }, agent: ['a', 'b'] }
  const input = { tool: 'bash', args: { path: '/etc/x' } }

  test('hold together or not at all', () => {
    const matches = matcher(match)
    expect(matches(input, { agent: 'b' })).toBe(true)
    expect(matches(input, { agent: 'c' })).toBe(false)
    expect(matches({ ...input, tool: 'zsh' }, { agent: 'b' })).toBe(false)
    expect(matches({ ...input, args: {} }, { agent: 'b' })).toBe(false)
  })

  test('of which there are none hold for everything', () => {
    expect(matcher({})({})).toBe(true)
  })
})

describe('a mistake', () => {
  test('T15 in the name of a field is an error that names the fields there are', () => {
    const error = refusalOf({ toool: 'bash' })
    expect(error).toMatchObject({ code: 'invalid-match', hook: 'gate' })
    expect(error.message).toBe(
      'Hook "gate" matches by "toool", but call can match by: tool, args, agent.',
    )
  })

  test.each(['constructor', 'toString', '__proto__'])(
    'T15 a field is never a member of a prototype: %s',
    (name) => {
      const match = Object.fromEntries([[name, 'x']])
      expect(refusalOf(match).code).toBe('invalid-match')
    },
  )

  test('T15 at a point without fields says that nothing can be matched', () => {
    const bare = definePoint('bare', { input: type<object>() })
    const match = { tool: 'bash' } as object
    const compile = () => compileTable([{ ...hook(match), on: bare }])
    expect(compile).toThrow('but bare can match by: nothing.')
  })

  test.each(['$nor', '$', '$Not', '$regexp'])(
    'T15 in an operator is an error that names it: %s',
    (operator) => {
      const error = refusalOf({ tool: { [operator]: 'x' } })
      expect(error.code).toBe('invalid-match')
      expect(error.message).toBe(
        `Hook "gate" matches by an unknown operator "${operator}".`,
      )
    },
  )

  test.each([
    ['undefined', undefined],
    ['function', () => true],
  ])('T15 %s is no condition, at any depth', (name, condition) => {
    const problem = `matches by ${name}, which is not a condition.`
    const all = [
      condition,
      ['a', condition],
      { $not: condition },
      { a: condition },
    ]
    for (const tool of all) {
      expect(refusalOf({ tool }).message).toContain(problem)
    }
  })

  test('T15 in the second field, or the second of a list, is found too', () => {
    expect(refusalOf({ tool: 'bash', arg: 1 }).message).toContain('"arg"')
    expect(refusalOf({ tool: ['bash', '{'] }).message).toContain('"{"')
  })
})

describe('a predicate', () => {
  test('is asked about the input and the scope', () => {
    const matches = matcher(
      ({ tool }: Call, { agent }: { agent?: string }) => tool === agent,
    )
    expect(matches({ tool: 'a' }, { agent: 'a' })).toBe(true)
    expect(matches({ tool: 'a' }, { agent: 'b' })).toBe(false)
  })
})

test('a pattern is compiled once for a table, not for every dispatch', async () => {
  const compiled: string[] = []
  const asked: string[] = []
  const glob = (pattern: string) => {
    compiled.push(pattern)
    return (text: string) => {
      asked.push(text)
      return text === 'bash'
    }
  }
  const gate = { ...hook({ tool: 'b*' }), run: () => reject('no') }
  const engine = createEngine(compileTable([gate], { match: { glob } }))
  expect(compiled).toEqual(['b*'])
  for (const tool of ['bash', 'zsh', 'bash']) {
    const outcome = await engine.run(call, { tool })
    expect(outcome.type).toBe(tool === 'bash' ? 'reject' : 'proceed')
  }
  expect(compiled).toEqual(['b*'])
  expect(asked).toEqual(['bash', 'zsh', 'bash'])
})

test('an exact text and a code expression need no engine', () => {
  const refuse = () => {
    throw new Error('unused')
  }
  const engines = { glob: refuse, regex: refuse }
  const matches = matcher({ tool: ['bash', /^z/] }, engines)
  expect(matches({ tool: 'bash' })).toBe(true)
  expect(matches({ tool: 'zsh' })).toBe(true)
})

describe('a condition that is compiled on its own', () => {
  const regex = (source: string) => (text: string) => text.includes(source)

  test.each<[string, Condition, readonly unknown[], readonly unknown[]]>([
    ['a text', 'bash', ['bash'], ['Bash', 'bash ', undefined]],
    ['a pattern', 'mcp__*', ['mcp__', 'mcp__a'], ['mcp', 7, ['mcp__a']]],
    ['a number', 7, [7], ['7', 8, undefined]],
    ['a flag', true, [true], [false, 'true', 1]],
    ['null', null, [null], [undefined, 'null', 0]],
    ['an expression', /^ba/g, ['bash', 'bath'], ['zsh', undefined]],
    ['a list', ['a', /^b/, 7], ['a', 'bb', 7], ['c', ['a'], undefined]],
    ['$not', { $not: 'a*' }, ['b', undefined, 7], ['a', 'ab']],
    ['$is', { $is: 'a*' }, ['a*'], ['ab', undefined]],
    ['$regex', { $regex: 'as' }, ['bash'], ['zsh', 7]],
    [
      'a path',
      { 'options.mode': 7 },
      [{ options: { mode: 7 } }],
      [{ options: { mode: 8 } }, {}, null, 'options.mode'],
    ],
  ])('holds as in a hook: %s', (_, condition, fitting, others) => {
    const test = compileCondition(condition, { regex })
    // Twice: nothing is remembered between two values.
    for (const value of [...fitting, ...fitting]) expect(test(value)).toBe(true)
    for (const value of others) expect(test(value)).toBe(false)
  })

  test('asks the pattern engine that it is given', () => {
    const glob = (pattern: string) => (text: string) => text === `=${pattern}`
    expect(compileCondition('a*', { glob })('=a*')).toBe(true)
    expect(compileCondition('a*', { glob })('ab')).toBe(false)
  })

  const refusal = (condition: unknown, engines?: Engines): unknown => {
    try {
      // What is compiled here, types would refuse in part.
      return compileCondition(condition as Condition, engines)
    } catch (error) {
      return error
    }
  }

  test.each([
    ['{a,b', 'by a bad pattern "{a,b"'],
    [{ $regex: 'a' }, 'by $regex, but the table was given no regex engine'],
    [{ $regex: 7 }, 'by a regex that is no text'],
    [{ $nor: 'a' }, 'by an unknown operator "$nor"'],
    [undefined, 'by undefined, which is not a condition'],
    [['a', () => true], 'by function, which is not a condition'],
    [{ path: { $not: '{' } }, 'by a bad pattern "{"'],
  ])('T15 is an error when it cannot work: %j', (condition, problem) => {
    const error = refusal(condition)
    expect(error).toBeInstanceOf(HookError)
    expect(error).toMatchObject({
      code: 'invalid-match',
      hook: undefined,
      message: `A condition matches ${problem}.`,
    })
  })

  test('T15 that an engine refuses is an error with its cause', () => {
    const cause = new SyntaxError('Unbalanced.')
    const refuses = () => {
      throw cause
    }
    const error = refusal({ $regex: 'a(' }, { regex: refuses })
    expect(error).toMatchObject({ code: 'invalid-match', cause })
  })
})
