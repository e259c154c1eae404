import { describe, expect, test } from 'vitest'
import {
  type Builtin,
  createBuiltins,
} from '../handlers/builtin/create-builtins.ts'
import { createConfigWorld, gate, observer } from './fixtures/config-world.ts'

/** The problems of one file of the user, without what does not matter here. */
async function problemsOf(content: string | object, file = 'hooks.json') {
  const world = await createConfigWorld()
  await world.write(`user/${file}`, content)
  const { problems, hooks } = await world.load({
    builtins: ['judge', 'redact'],
  })
  return { problems, hooks }
}

const prompt = (template: string) => ({ type: 'prompt', model: 'm', template })

test('T15 a template that cannot be right is told with its line', async () => {
  const lines = [
    'hooks:',
    '  - on: tool.guard',
    '    handler:',
    '      type: prompt',
    '      model: m',
    "      template: 'Safe? {{input.arsg.command}}'",
  ]
  const { problems } = await problemsOf(lines.join('\n'), 'hooks.yaml')
  expect(problems).toMatchObject([
    {
      line: 6,
      message:
        '`hooks[0].handler.template` looks for "arsg" in input; did you mean "args"?',
    },
  ])
})

describe('a slip is found at load, with its place and the nearest right word', () => {
  test.each<[string, object, string, string, string | undefined]>([
    [
      'an unknown key',
      { ...gate('a'), exection: 'blocking' },
      'unknown-key',
      'hooks[0].exection',
      'execution',
    ],
    [
      'an unknown point',
      { ...gate('a'), on: 'tool.gaurd' },
      'unknown-point',
      'hooks[0].on',
      'tool.guard',
    ],
    [
      'the name of something all objects have',
      { ...gate('a'), on: 'toString' },
      'unknown-point',
      'hooks[0].on',
      undefined,
    ],
    [
      'an unknown builtin',
      gate('a', { handler: { type: 'builtin', name: 'jugde' } }),
      'unknown-builtin',
      'hooks[0].handler.name',
      'judge',
    ],
    [
      'a condition that the point does not have',
      gate('a', { match: { tol: 'bash' } }),
      'unknown-field',
      'hooks[0].match.tol',
      'tool',
    ],
    [
      'an unknown operator',
      gate('a', { match: { args: { command: { $regexp: 'x' } } } }),
      'unknown-operator',
      'hooks[0].match.args.command.$regexp',
      '$regex',
    ],
    [
      'an unknown handler',
      gate('a', { handler: { type: 'comand' } }),
      'wrong-value',
      'hooks[0].handler.type',
      'command',
    ],
    [
      'an unknown word',
      gate('a', { onFailure: 'close' }),
      'wrong-value',
      'hooks[0].onFailure',
      'closed',
    ],
    [
      'a place of a template that no envelope has',
      gate('a', { handler: prompt('Safe? {{imput.args}}') }),
      'wrong-value',
      'hooks[0].handler.template',
      'input',
    ],
    [
      'a place of a template that the point does not have',
      gate('a', { handler: prompt('Safe? {{input.arsg.command}}') }),
      'wrong-value',
      'hooks[0].handler.template',
      'args',
    ],
    [
      'a place of a template that is not closed',
      gate('a', { handler: prompt('Safe? {{input.args.path}') }),
      'wrong-value',
      'hooks[0].handler.template',
      undefined,
    ],
    [
      'a capability that the point does not take',
      gate('a', { capabilities: ['notise'] }),
      'unknown-capability',
      'hooks[0].capabilities[0]',
      'notice',
    ],
  ])('T15 %s', async (_, hook, code, path, suggestion) => {
    const { problems, hooks } = await problemsOf({ hooks: [hook] })
    expect(problems).toHaveLength(1)
    expect(problems[0]).toMatchObject({ code, path, severity: 'error' })
    expect(problems[0]?.suggestion).toBe(suggestion)
    expect(problems[0]?.message).toMatch(/^[A-Z`].*[.?]$/)
    expect(problems[0]?.message).not.toContain('undefined')
    expect(hooks).toEqual([])
  })
})

test.each<[string, object, string, string]>([
  ['no handler', { on: 'tool.guard' }, 'missing-key', 'hooks[0]'],
  ['no point', { handler: gate('a').handler }, 'missing-key', 'hooks[0]'],
  ['no object', [] as object, 'wrong-type', 'hooks[0]'],
  [
    'a wrong type',
    gate('a', { priority: '7' }),
    'wrong-type',
    'hooks[0].priority',
  ],
  ['no time', gate('a', { timeoutMs: 0 }), 'wrong-value', 'hooks[0].timeoutMs'],
  [
    'a timer too long',
    gate('a', { timeoutMs: 2 ** 31 }),
    'wrong-value',
    'hooks[0].timeoutMs',
  ],
  ['a bad name', gate('a b'), 'wrong-value', 'hooks[0].name'],
  ['a name of ours', gate('anonymous:x'), 'wrong-value', 'hooks[0].name'],
  [
    'an unclosed brace',
    gate('a', { match: { tool: 'x{a' } }),
    'bad-glob',
    'hooks[0].match.tool',
  ],
  [
    'too many braces',
    gate('a', { match: { tool: '{a,b}'.repeat(7) } }),
    'bad-glob',
    'hooks[0].match.tool',
  ],
  [
    'a bad glob in a list',
    gate('a', { match: { tool: ['x', '{'] } }),
    'bad-glob',
    'hooks[0].match.tool[1]',
  ],
  [
    'a list of nothing',
    gate('a', { match: { tool: [] } }),
    'never-matches',
    'hooks[0].match.tool',
  ],
  [
    'an object to be',
    gate('a', { match: { tool: { $is: {} } } }),
    'wrong-type',
    'hooks[0].match.tool.$is',
  ],
  [
    'a number as regex',
    gate('a', { match: { tool: { $regex: 1 } } }),
    'wrong-type',
    'hooks[0].match.tool.$regex',
  ],
  [
    'a gate where nobody waits',
    observer('a', { execution: 'blocking' }),
    'not-at-point',
    'hooks[0].execution',
  ],
  [
    'closed where nothing is refused',
    { ...gate('a'), on: 'turn.stop', onFailure: 'closed' },
    'not-at-point',
    'hooks[0].onFailure',
  ],
  [
    'writing where nothing changes',
    gate('a', { writes: true }),
    'not-at-point',
    'hooks[0].writes',
  ],
  [
    'holding back what does not stream',
    gate('a', { holdBack: 'all' }),
    'not-at-point',
    'hooks[0].holdBack',
  ],
  [
    'once more without a job',
    gate('a', { idempotent: true }),
    'conflict',
    'hooks[0].idempotent',
  ],
  [
    'an empty fallback',
    gate('a', { onFailure: { fallback: {} } }),
    'wrong-value',
    'hooks[0].onFailure',
  ],
  [
    'a fallback without its capability',
    gate('a', {
      onFailure: {
        fallback: { contributions: [{ kind: 'notice', value: {} }] },
      },
    }),
    'conflict',
    'hooks[0].onFailure',
  ],
  [
    'no program',
    gate('a', { handler: { type: 'command' } }),
    'missing-key',
    'hooks[0].handler',
  ],
  [
    'two programs',
    gate('a', { handler: { type: 'command', argv: ['x'], shell: 'y' } }),
    'conflict',
    'hooks[0].handler.shell',
  ],
  [
    'sizes before what is given once',
    gate('a', { handler: { type: 'command', argv: ['x'], framing: 'size' } }),
    'conflict',
    'hooks[0].handler.framing',
  ],
  [
    'an empty program',
    gate('a', { handler: { type: 'command', argv: [''] } }),
    'wrong-value',
    'hooks[0].handler.argv',
  ],
  [
    'a zero in an argument',
    gate('a', { handler: { type: 'command', argv: ['x', 'a\0'] } }),
    'wrong-value',
    'hooks[0].handler.argv[1]',
  ],
  [
    'a bad variable',
    gate('a', { handler: { type: 'command', argv: ['x'], env: ['A=B'] } }),
    'wrong-value',
    'hooks[0].handler.env[0]',
  ],
  [
    'no address',
    gate('a', { handler: { type: 'http', url: 'ftp://x' } }),
    'wrong-value',
    'hooks[0].handler.url',
  ],
  [
    'plain http',
    gate('a', { handler: { type: 'http', url: 'http://x.example' } }),
    'wrong-value',
    'hooks[0].handler.url',
  ],
  [
    'a line break in a header',
    gate('a', {
      handler: {
        type: 'http',
        url: 'https://x.example',
        headers: { a: 'b\r\nc: d' },
      },
    }),
    'wrong-value',
    'hooks[0].handler.headers.a',
  ],
  [
    'a variable nobody granted',
    gate('a', {
      handler: {
        type: 'http',
        url: 'https://x.example',
        headers: { a: '$' + '{B}' },
      },
    }),
    'wrong-value',
    'hooks[0].handler.headers',
  ],
])('%s is an error', async (_, hook, code, path) => {
  const { problems, hooks } = await problemsOf({ hooks: [hook] })
  expect(problems.map((problem) => [problem.code, problem.path])).toEqual([
    [code, path],
  ])
  expect(hooks).toEqual([])
})

test('F123 a regex that is no regex, or none for RE2, is an error that says why', async () => {
  const regexes = [
    '(',
    'a(?=b)',
    '(?<!a)b',
    '(a)\\1',
    'a++',
    '(a{1000}){1000}',
    'x'.repeat(1001),
  ]
  const hooks = regexes.map(($regex, index) =>
    gate(`h${index}`, { match: { tool: { $regex } } }),
  )
  const { problems } = await problemsOf({ hooks })
  expect(problems.map(({ code }) => code)).toEqual(
    regexes.map(() => 'bad-regex'),
  )
  const said = problems.map(({ message }) => message)
  expect(said[0]).toContain('missing closing )')
  expect(said[1]).toContain('a look-ahead "(?=", which RE2')
  expect(said[2]).toContain('a negative look-behind "(?<!"')
  expect(said[3]).toContain('a back-reference such as "\\1"')
  expect(said[4]).toContain('a possessive quantifier')
  expect(said[5]).toContain('invalid repeat count')
  expect(said[6]).toContain('longer than 1000 characters')
})

test('several problems come in the order of the file, with their lines', async () => {
  const { problems } = await problemsOf(
    [
      'hooks:',
      '  - on: tool.gaurd',
      '    handler: { type: builtin, name: judge }',
      '  - name: b',
      '    on: tool.guard',
      '    prioritty: 3',
      '    match:',
      '      toool: x',
      '    handler: { type: builtin }',
      'disabel: [x]',
    ].join('\n'),
    'hooks.yaml',
  )
  const shown = problems.map(({ code, line, column, suggestion }) => {
    return [code, line, column, suggestion]
  })
  expect(shown).toEqual([
    ['unknown-point', 2, 9, 'tool.guard'],
    ['unknown-key', 6, 5, 'priority'],
    ['unknown-field', 8, 7, 'tool'],
    ['missing-key', 9, 14, undefined],
    ['unknown-key', 10, 1, 'disable'],
  ])
})

test('F116 an unknown point: a watching hook is left out, a gate takes its file out', async () => {
  const watching = { ...gate('later'), on: 'tool.future', execution: 'record' }
  const some = await problemsOf({ hooks: [watching, gate('a')] })
  expect(some.hooks.map(({ name }) => name)).toEqual(['a'])
  expect(some.problems).toMatchObject([
    { code: 'unknown-point', severity: 'warning', path: 'hooks[0].on' },
  ])

  const judging = { ...gate('later'), on: 'tool.future' }
  const none = await problemsOf({ hooks: [judging, gate('a')] })
  expect(none.hooks).toEqual([])
  expect(none.problems).toMatchObject([
    { code: 'unknown-point', severity: 'error' },
  ])
})

test('F116 a file of a later version is not read by halves', async () => {
  const { problems, hooks } = await problemsOf({
    version: 2,
    hooks: [gate('a')],
  })
  expect(problems).toMatchObject([{ code: 'future-version', path: 'version' }])
  expect(hooks).toEqual([])
})

test('no message repeats a value that can be a secret', async () => {
  const secret = 'hunter2\u0000'
  const handler = {
    type: 'http',
    url: `https://me:${secret.slice(0, 7)}@x.example`,
    headers: { authorization: `Bearer ${secret}` },
  }
  const command = { type: 'command', argv: ['x'], setEnv: { A: secret } }
  const hooks = [gate('a', { handler }), gate('b', { handler: command })]
  const { problems } = await problemsOf({ hooks })
  expect(problems.length).toBeGreaterThan(1)
  expect(JSON.stringify(problems)).not.toContain('hunter2')
})

test('a file with very many problems reports a hundred of them and how many are left', async () => {
  const hooks = Array.from({ length: 150 }, () => ({}))
  const { problems } = await problemsOf({ hooks })
  expect(problems).toHaveLength(101)
  expect(problems.at(-1)?.message).toContain('200 more')
})

test('T15 a program of the user that is not there is said at load', async () => {
  const argv = ['/nowhere/at-all']
  const file = 'nowhere.ts'
  const { problems, hooks } = await problemsOf({
    hooks: [
      gate('a', { handler: { type: 'command', argv } }),
      gate('b', { handler: { type: 'module', file } }),
      gate('c', { handler: { type: 'command', argv: ['/bin/sh'] } }),
      gate('d', { handler: { type: 'command', argv: ['./none.sh'] } }),
      gate('e', { handler: { type: 'command', argv: ['sh'] } }),
    ],
  })
  expect(hooks).toHaveLength(5)
  expect(problems).toMatchObject([
    { code: 'missing-program', severity: 'warning', path: 'hooks[0]' },
    { code: 'missing-program', severity: 'warning', path: 'hooks[1]' },
    { code: 'missing-program', severity: 'warning', path: 'hooks[3]' },
  ])
})

test('T15 options that a builtin does not know, and points it is not for, are said', async () => {
  const judge: Builtin = {
    name: 'judge',
    points: ['tool.guard', 'event'],
    optionsSchema: { properties: { level: { type: 'integer' } } },
    create: () => () => ({ type: 'proceed' }),
  }
  const builtins = createBuiltins([judge])
  const world = await createConfigWorld()
  const handler = { type: 'builtin', name: 'judge', options: { levle: 1 } }
  await world.write('user/hooks.json', {
    hooks: [gate('fine'), observer('watches', { handler })],
  })
  const some = await world.load({ builtins })
  expect(some.hooks.map(({ name }) => name)).toEqual(['fine'])
  expect(some.problems).toMatchObject([
    { code: 'wrong-value', severity: 'warning', path: 'hooks[1].handler' },
  ])

  await world.write('user/hooks.json', {
    hooks: [
      gate('a', { handler }),
      gate('b', { on: 'turn.input' }),
      gate('c', { handler: { type: 'builtin', name: 'jugde' } }),
    ],
  })
  const none = await world.load({ builtins })
  expect(none.hooks).toEqual([])
  expect(none.problems).toMatchObject([
    { severity: 'error', path: 'hooks[0].handler' },
    { severity: 'error', path: 'hooks[1].handler' },
    { code: 'unknown-builtin', suggestion: 'judge' },
  ])
})
