import { describe, expect, test } from 'vitest'
import { CliError } from './cli-error.ts'
import { commandTable } from './command-table.ts'
import { exitCodes } from './exit-codes.ts'
import { GivenOptions } from './given-options.ts'
import { readWords } from './read-words.ts'

async function read(...words: string[]) {
  let help = ''
  const invocation = await readWords(words, {
    version: '1.2.3',
    writeHelp: (text) => {
      help += text
    },
    bold: (text) => text,
  })
  return { invocation, help }
}

async function failure(...words: string[]): Promise<CliError> {
  const error = await read(...words).catch((thrown: unknown) => thrown)
  if (error instanceof CliError) return error
  throw new Error('It did not fail as expected.', { cause: error })
}

test('a command gets its words, wherever options stand', async () => {
  const { invocation } = await read(
    '--home',
    '/h',
    'sessions',
    'export',
    's-1',
    '--json',
    '-o',
    'x',
  )
  expect(invocation?.path).toEqual(['sessions', 'export'])
  expect(invocation?.args).toEqual(['s-1'])
  expect(invocation?.options).toEqual({ home: '/h', json: true, output: 'x' })
})

test('a group without a command means its usual one', async () => {
  const { invocation } = await read('sessions', '--agent', 'helper')
  expect(invocation?.path).toEqual(['sessions', 'list'])
  expect(invocation?.options).toEqual({ agent: 'helper' })
})

test('all words of an input arrive, also those that look like options', async () => {
  const { invocation } = await read('run', 'do', '--', '--this', '-x')
  expect(invocation?.args).toEqual(['do', '--this', '-x'])
})

test('an unknown command of a group is told with those that are near', async () => {
  const near = await failure('hooks', 'tst', '--json')
  expect(near).toMatchObject({
    exit: 'usage',
    message: "Unknown command 'hooks tst'.",
    hint: expect.stringContaining('Did you mean: test.'),
  })
  const far = await failure('runs', 'everything')
  expect(far.hint).toContain('There are: list, show, tail, why, replay.')
})

test('what is wrong with a command of a group leads to its own help', async () => {
  const { hint } = await failure('runs', 'why')
  expect(hint).toBe('See: hookline runs why --help')
})

test('a number that is too large is refused, and it is said how large it may be', () => {
  const options = new GivenOptions({ tcp: '99999' })
  const read = () => options.number('tcp', { max: 65_535 })
  expect(read).toThrow('takes a whole number from 0 to 65535, and was given')
})

test.each([
  ['an unknown command', ['foo'], /Unknown command 'foo'/],
  ['a misspelt command', ['sesions'], /sesions/],
  ['an unknown option', ['run', 'x', '--foo'], /Unknown option '--foo'/],
  ['a missing argument', ['run'], /Missing required argument 'input'/],
  [
    'a value that is no choice',
    ['run', 'x', '--when-asked', 'maybe'],
    /Allowed choices are ask, wait, deny/,
  ],
  ['too many arguments', ['status', 'now'], /Too many arguments/],
  ['an option without its value', ['--home'], /argument missing/],
])('%s is wrong usage, and says where to look', async (_, words, message) => {
  const error = await failure(...words)
  expect(error.exit).toBe('usage')
  expect(error.message).toMatch(message)
  expect(error.message).toMatch(/^[A-Z].*\.$/)
  expect(error.hint).toMatch(/See: hookline .*--help/)
})

test('a word that is nearly right is suggested', async () => {
  expect((await failure('sesions')).hint).toContain('Did you mean sessions?')
  expect((await failure('run', 'x', '--verbos')).hint).toContain('--verbose')
})

test('help explains everything: commands, exit codes, environment', async () => {
  const { help, invocation } = await read('--help')
  expect(invocation).toBeUndefined()
  for (const { name } of commandTable) expect(help).toContain(`\n  ${name} `)
  for (const { code, meaning } of Object.values(exitCodes)) {
    expect(help).toContain(`${String(code).padEnd(5)}${meaning}`)
  }
  expect(help).toContain('NO_COLOR')
  expect((await read()).help).toBe(help)
})

describe.each(commandTable)('$name', ({ name, load }) => {
  test('has help with examples that can be read', async () => {
    const { command } = await load()
    const { help } = await read(name, '--help')
    expect((await read('help', name)).help).toBe(help)
    expect(help).toContain('Examples:')
    const examples = [command, ...(command.subcommands ?? [])].flatMap(
      (one) => one.examples ?? [],
    )
    expect(examples.length).toBeGreaterThan(0)
    for (const example of examples) {
      expect(help).toContain(example.command)
      const found = await read(...wordsOf(example.command))
      expect(found.invocation?.path[0]).toBe(name)
    }
  })

  test('has something to do for each of its commands', async () => {
    const { command } = await load()
    const all = command.subcommands ?? [command]
    for (const { run } of all) expect(run).toBeTypeOf('function')
  })
})

/** The words of `hookline` in a line for a shell. */
function wordsOf(line: string): string[] {
  const own = line.slice(line.indexOf('hookline ') + 'hookline '.length)
  const [words = ''] = own.split(/\s[|>]|\)/)
  return (words.match(/"[^"]*"|'[^']*'|\S+/g) ?? []).map((word) =>
    word.replace(/^["']|["']$/g, ''),
  )
}

describe('options', () => {
  const options = new GivenOptions({
    count: '12',
    bad: 'x',
    span: '2h',
    args: '{"a":1}',
    list: ['a', 'b'],
    yes: true,
  })

  test('are read as what they should be', () => {
    expect(options.number('count')).toBe(12)
    expect(options.durationMs('span')).toBe(7_200_000)
    expect(options.jsonObject('args')).toEqual({ a: 1 })
    expect(options.list('list')).toEqual(['a', 'b'])
    expect(options.flag('yes')).toBe(true)
    expect(options.number('nothing')).toBeUndefined()
  })

  test.each([
    () => options.number('bad'),
    () => options.durationMs('bad'),
    () => options.jsonObject('bad'),
  ])('are refused as something else', (readIt) => {
    expect(readIt).toThrow(/"--bad" takes .* "x"\./)
  })
})
