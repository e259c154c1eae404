import type { Outcome } from 'hookline'
import { describe, expect, test } from 'vitest'
import type { CommandEnd } from '../handlers/command/command-runner.ts'
import type { DialectName } from './dialect.ts'
import { codesOf } from './fixtures/hook-bench.ts'
import {
  openRuleBench,
  type RuleBench,
  type RuleOptions,
} from './fixtures/rule-bench.ts'
import { loadDialect } from './load-dialect.ts'

/** The event of each product before a call. */
const events: Readonly<Record<DialectName, string>> = {
  'claude-code': 'PreToolUse',
  codex: 'PreToolUse',
  gemini: 'BeforeTool',
  cursor: 'preToolUse',
  copilot: 'preToolUse',
  'vs-code': 'PreToolUse',
}
// The keys of a record are what its type says.
const names = Object.keys(events) as readonly DialectName[]

async function askAfter(
  name: DialectName,
  end: Partial<CommandEnd>,
  options: RuleOptions = {},
): Promise<Outcome> {
  const bench = await benchOf(name, end, options)
  return bench.ask('tool.pre_call', events[name])
}

async function benchOf(
  name: DialectName,
  end: Partial<CommandEnd>,
  options: RuleOptions = {},
  event: string = events[name],
): Promise<RuleBench> {
  const entry = { type: 'command', command: 'x' }
  const isFlat = name === 'cursor' || name === 'copilot'
  const hooks = { [event]: [isFlat ? entry : { hooks: [entry] }] }
  const file = { version: 1, hooks }
  const speak = () => end
  return openRuleBench(await loadDialect(name), file, { ...options, speak })
}

function failureOf({ records }: Outcome): string | undefined {
  const told = records.flatMap(({ diagnostics }) => diagnostics)
  const found = told.find(({ code }) => /^failed-/.test(code))
  return found?.message.replace(/^.*?, and so [^:]*: /, '')
}

/** A decision about a call, in the words of all of them. */
function decide(name: DialectName, decision: string): string {
  return JSON.stringify({
    decision,
    permission: decision,
    permissionDecision: decision,
    hookSpecificOutput: {
      hookEventName: events[name],
      permissionDecision: decision,
    },
  })
}

/** The same with arguments that are none, in the words of all of them. */
function change(name: DialectName, decision: string): string {
  const said: object = JSON.parse(decide(name, decision))
  const specific = {
    hookEventName: events[name],
    permissionDecision: decision,
    updatedInput: 'x',
    tool_input: 'x',
  }
  return JSON.stringify({
    ...said,
    modifiedArgs: 'x',
    updated_input: 'x',
    hookSpecificOutput: specific,
  })
}

const ask = (name: DialectName) => decide(name, 'ask')
const unreadable = (name: DialectName) => decide(name, 'denied')
const allow = (name: DialectName) => decide(name, 'allow')

const denial = '{"decision":"block","reason":"No."}'
const nanos = '1763500000000000001'
const numbered = `{"decision":"block","reason":"No.","ts":${nanos}}`
/** A comma too many, and in it an object on a line of its own. */
const halfDenial = '{\n"decision":"block",\n"files":[\n{"file":"a"}\n],\n}'

describe.each(names)('a hook of %s', (name) => {
  test.each([
    ['beside a number that is too large', denial.replace('{', '{"n":1e999,')],
    ['after a log', `looking\n${denial}`],
    ['before a log that is a document', `${denial}\n{"log":"done"}`],
    ['before one that allows', `${denial}\n{"decision":"allow"}`],
    ['before many braces', `looking\n${denial}\n${'{ id: 1 }\n'.repeat(60)}`],
    ['after many braces', `${'{ id: 1 }\n'.repeat(60)}${denial}`],
    ['after many open braces', `looking\n${'{ id: {\n'.repeat(60)}${denial}`],
    ['before many open braces', `${denial}\n${'{ id: {\n'.repeat(60)}`],
    ['after half a document', `{"a": [\n  ${denial}`],
    ['before many documents', `${denial}\n${'{"log":"done"}\n'.repeat(60)}`],
    ['after many documents', `${'{"log":"done"}\n'.repeat(60)}${denial}`],
    ['on the line of another document', `${denial}{"log":1}`],
    ['with a number that is too large', numbered],
    ['with a number that is too large, after a log', `looking\n${numbered}`],
    ['after a log with such numbers', `looking\n{"ts":${nanos}}\n${denial}`],
  ])('that denies %s is heard', async (_, stdout) => {
    const outcome = await askAfter(name, { stdout })
    expect(outcome).toMatchObject({ type: 'reject', reason: 'No.' })
    expect(codesOf(outcome)).toContain('sloppy-output')
  })

  test.each([
    ['a log that looks like one of its own', '{"level":"i","reason":{"a":1}}'],
    ['a word to the user', '{"systemMessage":"done"}'],
    ['one that allows', allow(name)],
  ])('that asks is not overheard for %s after it', async (_, later) => {
    const alone = await askAfter(name, { stdout: ask(name) })
    const outcome = await askAfter(name, {
      stdout: `looking\n${ask(name)}\n${later}`,
    })
    // Cursor takes it before a call, and does nothing about it.
    expect(alone.type).toBe(name === 'cursor' ? 'proceed' : 'ask')
    expect(outcome.type).toBe(alone.type)
  })

  test('that allows and changes arguments to what are none has allowed nothing', async () => {
    const bench = await benchOf(name, { stdout: change(name, 'allow') })
    const outcome = await bench.ask('tool.pre_call', events[name])
    expect(codesOf(outcome)).toContain('failed-open')
    const asked = await bench.ask('permission.request', events[name])
    expect(asked.type).toBe('proceed')
  })

  test.each([
    ['one that asks', ask(name)],
    ['a word to the user', '{"systemMessage":"done"}'],
    ['one that allows', allow(name)],
    ['what has no effect there', '{"followup_message":"More."}'],
  ])(
    'that says what nobody can read is refused in strict mode, whatever comes after it: %s',
    async (_, later) => {
      const stdout = `${unreadable(name)}\n${later}`
      const outcome = await askAfter(name, { stdout }, { isStrict: true })
      expect(outcome.type).toBe('reject')
      expect(codesOf(outcome)).toContain('failed-closed')
    },
  )

  test('that denies in a document with a mistake has failed, whatever is in it', async () => {
    const outcome = await askAfter(
      name,
      { stdout: halfDenial },
      { isStrict: true },
    )
    expect(outcome.type).toBe('reject')
  })

  test.each([
    ['ends the turn', { continue: false }, { stopReason: 5 }],
    ['asks', JSON.parse(ask(name)), { systemMessage: 5 }],
  ])(
    'that %s still does so with another field that is wrong',
    async (_, said: object, wrong: object) => {
      const alone = await askAfter(name, { stdout: JSON.stringify(said) })
      const stdout = JSON.stringify({ ...said, ...wrong })
      expect((await askAfter(name, { stdout })).type).toBe(alone.type)
    },
  )

  test('that prints more brackets than are looked through has failed', async () => {
    const stdout = `looking\n${'{ "a\n'.repeat(2_000)}`.repeat(20)
    const outcome = await askAfter(name, { stdout }, { isStrict: true })
    expect(outcome.type).toBe('reject')
  })

  test('that denies the call and ends the turn does both', async () => {
    const stop = '{"continue":false,"stopReason":"Halt."}'
    const alone = await askAfter(name, { stdout: stop })
    const outcome = await askAfter(name, { stdout: `${denial}\n${stop}` })
    expect(outcome.type).toBe(alone.type === 'proceed' ? 'reject' : alone.type)
  })

  test('that was ended by a signal after it has asked is no milder than one that failed by itself', async () => {
    const signal = { exitCode: undefined, signal: 'SIGKILL' as const }
    const failed = await askAfter(name, { exitCode: 1, stdout: ask(name) })
    const ended = await askAfter(name, { ...signal, stdout: ask(name) })
    expect(ended.type).toBe(failed.type)
  })

  test('that ends the turn is not overheard for a word after it', async () => {
    const stop = '{"continue":false,"stopReason":"Halt."}'
    const alone = await askAfter(name, { stdout: stop })
    const stdout = `${stop}\n{"systemMessage":"done"}`
    expect((await askAfter(name, { stdout })).type).toBe(alone.type)
  })

  test('that was ended by a signal after it has denied is read like one that failed by itself', async () => {
    const signal = { exitCode: undefined, signal: 'SIGKILL' as const }
    const failed = await askAfter(name, { exitCode: 1, stdout: denial })
    const ended = await askAfter(name, { ...signal, stdout: denial })
    expect(ended.type).toBe(failed.type)
    // These do not look at what a command printed that failed.
    const isDeaf = name === 'codex' || name === 'vs-code'
    expect(ended.type).toBe(isDeaf ? 'proceed' : 'reject')
  })

  test('that was ended by a signal after it has allowed has failed', async () => {
    const signal = { exitCode: undefined, signal: 'SIGKILL' as const }
    const ended = await askAfter(name, { ...signal, stdout: allow(name) })
    expect(failureOf(ended)).toBe('It was ended by SIGKILL.')
  })

  test.each([
    [
      'takes too long',
      { exitCode: undefined, isTimedOut: true },
      'It has taken longer than its time.',
    ],
    [
      'is ended by a signal',
      { exitCode: undefined, signal: 'SIGKILL' as const },
      'It was ended by SIGKILL.',
    ],
    [
      'prints too much',
      { stdout: denial, isStdoutCut: true },
      'It has printed too much.',
    ],
  ])('that %s has failed in the same words', async (_, end, why) => {
    expect(failureOf(await askAfter(name, end))).toBe(why)
  })
})

const takesContinue = (name: DialectName) =>
  !['cursor', 'copilot'].includes(name)
test.each(
  names
    .filter(takesContinue)
    .flatMap((name) => [[name, 'null'] as const, [name, '"true"'] as const]),
)(
  'a hook of %s that says continue: %s has not ended the turn, and has failed',
  async (name, goesOn) => {
    const end = { stdout: `{"continue":${goesOn}}` }
    const open = await askAfter(name, end)
    expect(open.type).toBe('proceed')
    expect(failureOf(open)).toBe('It has a wrong continue.')
    const closed = await askAfter(name, end, { isStrict: true })
    expect(closed.type).toBe('reject')
  },
)

// Claude Code has it so by its own documents, and Codex does not look.
const isTold = (name: DialectName) => !['claude-code', 'codex'].includes(name)
test.each(names.filter(isTold))(
  'a hook of %s that exits with 2 and prints another decision is told so',
  async (name) => {
    const stdout = allow(name)
    const outcome = await askAfter(name, { exitCode: 2, stdout, stderr: 'No.' })
    expect(outcome.type).toBe('reject')
    const told = outcome.records.flatMap(({ diagnostics }) => diagnostics)
    expect(told).toContainEqual(
      expect.objectContaining({
        code: 'sloppy-output',
        message: expect.stringMatching(
          /^It exited with 2 but .*it is denied\.$/,
        ),
      }),
    )
  },
)

test.each(names)(
  'a field of a wrong type is a failure of %s in the same words',
  async (name) => {
    const stdout = '{"decision":5,"reason":{}}'
    const why = failureOf(await askAfter(name, { stdout }))
    // These do not take the other field.
    const takesOne = name === 'cursor' || name === 'copilot'
    expect(why).toBe(`It has a wrong decision${takesOne ? '' : ', reason'}.`)
  },
)

test.each(['cursor', 'copilot'] as const)(
  'a hook of %s that allows in its own words and denies in those of another has denied',
  async (name) => {
    const hookSpecificOutput = {
      hookEventName: events[name],
      permissionDecision: 'deny',
    }
    const own = { permission: 'allow', permissionDecision: 'allow' }
    const stdout = JSON.stringify({ ...own, hookSpecificOutput })
    expect((await askAfter(name, { stdout })).type).toBe('reject')
  },
)

test.each([
  ['copilot', 'permissionDecision', { specific: 'ask' }],
  ['copilot', 'permissionDecision', { decision: 'ask' }],
  ['cursor', 'permission', { specific: 'ask' }],
  ['cursor', 'permission', { decision: 'ask' }],
  ['vs-code', 'x', { specific: 'allow', decision: 'ask' }],
] as const)(
  'a hook of %s that allows (%s) and asks (%j) has asked',
  async (name, own, { specific, decision }: Words) => {
    // Cursor asks nobody at its other event, but in strict mode.
    const event = name === 'cursor' ? 'beforeShellExecution' : events[name]
    const stdout = JSON.stringify({
      [own]: 'allow',
      decision,
      ...(specific && { hookSpecificOutput: { permissionDecision: specific } }),
    })
    const bench = await benchOf(name, { stdout }, {}, event)
    expect((await bench.ask('tool.pre_call', event)).type).toBe('ask')
    const outcome = await askAfter(name, { stdout }, { isStrict: true })
    expect(outcome.type).toBe('ask')
  },
)

interface Words {
  readonly specific?: string
  readonly decision?: string
}

test.each(['cursor', 'copilot'] as const)(
  'a hook of %s that denies beside a word that there is not has denied',
  async (name) => {
    const stdout = JSON.stringify({
      permission: 'denied',
      permissionDecision: 'denied',
      hookSpecificOutput: { permissionDecision: 'deny' },
    })
    expect((await askAfter(name, { stdout })).type).toBe('reject')
  },
)

test.each(['cursor', 'copilot'] as const)(
  'a hook of %s that allows beside a word that there is not has failed',
  async (name) => {
    const stdout = JSON.stringify({
      permission: 'allow',
      permissionDecision: 'allow',
      hookSpecificOutput: { permissionDecision: 'denied' },
    })
    const outcome = await askAfter(name, { stdout }, { isStrict: true })
    expect(outcome.type).toBe('reject')
  },
)

test('a hook of Gemini CLI that allows and asks in words that are not read has failed', async () => {
  const hookSpecificOutput = {
    hookEventName: 'BeforeTool',
    permissionDecision: 'ask',
  }
  const stdout = JSON.stringify({ decision: 'allow', hookSpecificOutput })
  const outcome = await askAfter('gemini', { stdout })
  expect(codesOf(outcome)).toContain('failed-open')
})

test('what fails and asks is asked about by a hook of cursor where it must not fail', async () => {
  const stdout = '{"permission":"ask","decision":"denied"}'
  const outcome = await askAfter('cursor', { stdout }, { isStrict: true })
  expect(outcome.type).toBe('reject')
})

test('a denial with a number that is too large counts with any exit code of Claude Code', async () => {
  const end = { exitCode: 1, stdout: numbered }
  expect((await askAfter('claude-code', end)).type).toBe('reject')
})

test('a denial in a text in a text counts for Gemini CLI, also with a mistake', async () => {
  const stdout = JSON.stringify(numbered)
  expect((await askAfter('gemini', { stdout })).type).toBe('reject')
})

test('what Gemini CLI is told with exit code 2 is the reason, whatever is in it', async () => {
  const stderr = 'Never touch these:\n{\n "file": ".env"\n}'
  const outcome = await askAfter('gemini', { exitCode: 2, stderr })
  expect(outcome).toMatchObject({ type: 'reject', reason: stderr })
})

test.each(
  names.flatMap((name) =>
    ['approve', 'allow', 'ask', ''].map((outer) => [name, outer] as const),
  ),
)(
  'a hook of %s that says "%s" at the top and blocks inside has blocked',
  async (name, outer) => {
    const stdout = JSON.stringify({
      decision: outer,
      reason: outer,
      hookSpecificOutput: { decision: 'block', reason: 'No.' },
    })
    const outcome = await askAfter(name, { stdout })
    expect(outcome).toMatchObject({ type: 'reject', reason: 'No.' })
  },
)
