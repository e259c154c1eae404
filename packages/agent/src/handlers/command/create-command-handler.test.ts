import { existsSync, mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { CommandDefinition } from '../definition.ts'
import { checkCommand } from './check-command.ts'
import type {
  CommandEnd,
  CommandRunner,
  CommandSpec,
} from './command-runner.ts'
import { createCommandHandler } from './create-command-handler.ts'
import { createCommandRunner } from './create-command-runner.ts'
import { askCommand, askHook, corpus } from './fixtures/ask-hook.ts'
import { readEnd } from './read-end.ts'
import { usualLimits } from './sandbox-limits.ts'

let runner: CommandRunner
let folder: string

beforeAll(() => {
  runner = createCommandRunner({ spawnHelper: 'never' })
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'hookline-handler-')))
})

afterAll(async () => {
  await runner.close()
  rmSync(folder, { recursive: true, force: true })
})

/** A gate that refuses with what its script prints on stderr. */
function say(script: string): Omit<CommandDefinition, 'type'> {
  return { shell: `{ ${script}; } >&2; exit 2` }
}

test('a command is told the moment on its input', async () => {
  const script = say('cat')
  const heard = await askCommand(script, { runner, policy: 'closed' })
  const envelope = JSON.parse(heard.reason)
  expect(envelope).toMatchObject({
    protocol: 'hookline/1',
    point: 'tool.guard',
    hook: 'gate',
    run: `${heard.record.dispatch}/gate`,
    scope: { agent: 'main' },
    input: { tool: 'bash', args: { command: 'ls' } },
  })
  expect(envelope.deadlineMs).toBeGreaterThan(0)
})

test('T28 what is judged never becomes part of a command', async () => {
  const trap = join(folder, 'trap')
  const command = `$(touch ${trap}) \`touch ${trap}\` "; touch ${trap}; "`
  const definition = say('echo {{input.args.command}} "$command" "$input"')
  const heard = await askCommand(definition, {
    runner,
    policy: 'closed',
    command,
  })
  expect(heard.reason).toBe('{{input.args.command}}')
  expect(existsSync(trap)).toBe(false)
})

test('T30 a command does not see our keys unless it is granted them', async () => {
  const environment = {
    PATH: process.env['PATH'],
    MY_API_KEY: 'sk-0123456789',
    GRANTED: 'a-granted-value',
    NODE_OPTIONS: '--no-warnings',
  }
  const definition: CommandDefinition = {
    type: 'command',
    shell: 'env | cut -d= -f1 | sort | tr "\\n" " " >&2; exit 2',
    env: ['GRANTED', 'NODE_OPTIONS'],
    setEnv: { SET: 'yes' },
  }
  const place = { runner, folder: corpus, environment }
  const handler = createCommandHandler(definition, place)
  const heard = await askHook(handler, { policy: 'closed' })
  expect(heard.reason).toBe('GRANTED HOOKLINE_RUN PATH PWD SET SHLVL _')
  expect(heard.codes).toContain('env-dropped')
})

test('what a command was granted is not repeated in what it says', async () => {
  const environment = { PATH: process.env['PATH'], TOKEN: 'tok-0123456789' }
  const definition: CommandDefinition = {
    type: 'command',
    shell: 'echo "bad token $TOKEN, other $OTHER" >&2; exit "$CODE"',
    env: ['TOKEN'],
  }
  const heard = async (code: string) => {
    const setEnv = { OTHER: 'set-0123456789', CODE: code }
    const place = { runner, folder: corpus, environment }
    const handler = createCommandHandler({ ...definition, setEnv }, place)
    return await askHook(handler, { policy: 'closed' })
  }
  const veto = await heard('2')
  expect(veto.reason).toBe('bad token [secret], other [secret]')
  const failed = await heard('1')
  const { message } = failed.record.diagnostics[0] ?? {}
  expect(message).toContain('bad token [secret], other [secret]')
})

test('a command runs in the folder of the session, or in the one it names', async () => {
  const pwd = say('pwd')
  const session = { runner, policy: 'closed', cwd: folder } as const
  const heard = await askCommand(pwd, session)
  expect(heard.reason).toBe(folder)
  const named = await askCommand({ ...pwd, cwd: './home' }, session)
  expect(named.reason).toBe(join(corpus, 'home'))
})

test('F063 without the folder of the session it runs in the one of the config', async () => {
  const cwd = join(folder, 'gone')
  const heard = await askCommand(say('pwd'), { runner, policy: 'closed', cwd })
  expect(heard.reason).toBe(corpus)
  expect(heard.codes).toContain('cwd-missing')
})

test('F082 a shell is no login and reads nobody’s start-up files', async () => {
  const path = process.env['PATH']
  const sockets = createCommandRunner({ spawnHelper: 'never' })
  const setEnv = { HOME: join(corpus, 'home') }
  const script = 'echo \'{"type":"proceed"}\''
  // Bash with a socket for its input takes itself for a login. There are
  // sockets where there is no `mkfifo`.
  const argv = ['bash', '-c', script]
  process.env['PATH'] = folder
  try {
    const place = { folder: corpus, environment: { PATH: path } }
    for (const used of [runner, sockets]) {
      for (const definition of [{ argv }, { shell: script }]) {
        const handler = createCommandHandler(
          { type: 'command', ...definition, setEnv },
          { ...place, runner: used },
        )
        const heard = await askHook(handler, { policy: 'closed' })
        expect(heard).toMatchObject({ type: 'proceed', failure: undefined })
      }
    }
  } finally {
    process.env['PATH'] = path
    await sockets.close()
  }
})

test('a command without a program is not started', async () => {
  const heard = await askCommand({}, { runner, policy: 'closed' })
  expect(heard.failure).toBe('not-started')
  const empty = await askCommand({ argv: [] }, { runner, policy: 'open' })
  expect(empty).toMatchObject({ type: 'proceed', failure: 'not-started' })
})

test('F060 T15 what cannot be started is told when it is loaded, and nothing runs', async () => {
  const mark = join(folder, 'ran')
  const check = async (definition: Omit<CommandDefinition, 'type'>) => {
    const place = { folder: corpus }
    return await checkCommand({ type: 'command', ...definition }, place)
  }
  const wrong: readonly [Omit<CommandDefinition, 'type'>, string][] = [
    [{ argv: ['./silnet.sh'] }, 'was not found'],
    [{ argv: ['pyhton3'] }, 'was not found'],
    [{ argv: ['./not-executable.sh'] }, 'chmod +x'],
    [{ argv: ['./missing-interpreter.sh'] }, 'interpreter'],
    [{ argv: ['./empty.sh'] }, 'is no program'],
    [{ argv: ['./home'] }, 'is a folder'],
    [{ argv: ['./silent.sh'], cwd: 'nowhere' }, 'The folder'],
    [{}, 'names no program'],
  ]
  for (const [definition, words] of wrong) {
    const failure = await check(definition)
    expect(failure).toMatchObject({ code: 'not-started' })
    expect(failure?.message).toContain(words)
  }
  expect(await check({ argv: ['./silent.sh'] })).toBeUndefined()
  expect(await check({ shell: `touch ${mark}` })).toBeUndefined()
  expect(existsSync(mark)).toBe(false)
})

test('a handler passes on its limits', async () => {
  let asked: CommandSpec | undefined
  const spy: CommandRunner = {
    run: async (spec) => {
      asked = spec
      return end
    },
    close: async () => {},
  }
  const limits = { graceMs: 7, maxStdoutBytes: 8, maxStderrBytes: 9 }
  const sandbox = {
    network: true,
    writable: ['out', '/abs'],
    readOnly: ['out/a'],
    hidden: ['secrets', '/abs/b'],
  }
  const argv = ['./a/b.sh', './c']
  await askCommand(
    { argv, ...limits, sandbox },
    { runner: spy, policy: 'open' },
  )
  expect(asked).toMatchObject(limits)
  expect(asked?.argv).toEqual([join(corpus, 'a/b.sh'), './c'])
  expect(asked?.sandbox).toEqual({
    ...usualLimits,
    network: true,
    writable: [join(corpus, 'out'), '/abs'],
    readOnly: [join(corpus, 'out/a')],
    hidden: [join(corpus, 'secrets'), '/abs/b'],
  })
})

const end: CommandEnd = {
  exitCode: 0,
  signal: undefined,
  stdout: '',
  stderr: '',
  isStdoutCut: false,
  isStderrCut: false,
  isTimedOut: false,
  survivors: [],
  elapsedMs: 1,
}

function reading(change: Partial<CommandEnd>) {
  const codes: string[] = []
  const diagnose = (code: string) => codes.push(code)
  const reader = {
    program: 'p',
    run: 'r',
    secrets: ['tok-0123456789'],
    diagnose,
  }
  const read = () => readEnd({ ...end, ...change }, reader)
  return { read, codes }
}

test('only a clean end with code 0 gives an answer', () => {
  const stdout = '{"type":"proceed"}'
  expect(reading({ stdout }).read()).toEqual({ text: stdout })
  const bad: readonly [Partial<CommandEnd>, string][] = [
    [{ exitCode: 1 }, 'bad-exit'],
    [{ exitCode: undefined, signal: 'SIGSEGV' }, 'crashed'],
    [{ isTimedOut: true }, 'timed-out'],
    [{ isTimedOut: true, exitCode: 2 }, 'timed-out'],
    [{ isStdoutCut: true }, 'too-large'],
    [{ isInvalidText: true }, 'invalid'],
    [
      { isTimedOut: true, isUnkillable: true, exitCode: undefined },
      'timed-out',
    ],
  ]
  for (const [change, code] of bad) {
    const { read } = reading({ stdout, ...change })
    expect(read).toThrow(expect.objectContaining({ code }))
  }
})

test('a refusal that was printed counts however the command ended', () => {
  const stdout = '{"type":"reject","reason":"No."}'
  const ends: readonly Partial<CommandEnd>[] = [
    { exitCode: 1 },
    { exitCode: undefined, signal: 'SIGKILL' },
    { isInvalidText: true },
  ]
  for (const change of ends) {
    expect(reading({ stdout, ...change }).read()).toEqual({ text: stdout })
  }
  const veto = reading({ stdout, exitCode: 2 }).read()
  expect(veto).toEqual({ text: '', veto: 'No.' })
})

test('what is printed beside an answer is told, and where it belongs', () => {
  const cases = [
    ['Loading rules…\n{"type":"proceed"}', 'It begins: Loading rules…'],
    ['{"type":"proceed"}\nDone.\n', 'It ends: Done.'],
    ['\ufeff\u001b[31mred\u001b[0m\u0007', 'It begins: red'],
    [
      `tok-0123456789 ${'x'.repeat(500)}`,
      `It begins: [secret] ${'x'.repeat(71)}…`,
    ],
  ] as const
  for (const [stdout, words] of cases) {
    const message = `"p" printed what is no JSON; print the answer alone, and notes on stderr. ${words}`
    expect(reading({ stdout }).read).toThrow(
      expect.objectContaining({ code: 'invalid', message }),
    )
  }
  for (const stdout of ['', ' \n', '\ufeff {"type":"proceed"} \n', '{no}']) {
    expect(reading({ stdout }).read()).toEqual({ text: stdout })
  }
})

test('an exit that looks like an accident is a veto with a note', () => {
  const accidents = [
    "python3: can't open file '/x/y.py': [Errno 2] No such file or directory",
    'bash: line 3: syntax error near unexpected token `fi',
    'sh: 1: Syntax error: end of file unexpected',
    'usage: check.py [-h] file\ncheck.py: error: required: file',
    'grep: /x/y: No such file or directory',
    'jq: error: Could not open file x: No such file or directory',
  ]
  for (const stderr of accidents) {
    const { read, codes } = reading({ exitCode: 2, stderr })
    expect(read()).toMatchObject({ veto: stderr })
    expect(codes).toEqual(['accidental-exit'])
  }
  const { read, codes } = reading({ exitCode: 2, stderr: 'Not on Fridays.' })
  expect(read()).toMatchObject({ veto: 'Not on Fridays.' })
  expect(codes).toEqual([])
})
