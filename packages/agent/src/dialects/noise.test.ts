import type { Outcome } from 'hookline'
import { promptContext } from 'hookline/lifecycle'
import { describe, expect, test } from 'vitest'
import type { CommandEnd } from '../handlers/command/command-runner.ts'
import type { DialectName } from './dialect.ts'
import { codesOf } from './fixtures/hook-bench.ts'
import { openRuleBench, type RuleOptions } from './fixtures/rule-bench.ts'
import { loadDialect } from './load-dialect.ts'

interface Moments {
  readonly pre: string
  readonly post: string
}

/** The events of each product before and after a call. */
const events: Readonly<Record<DialectName, Moments>> = {
  'claude-code': { pre: 'PreToolUse', post: 'PostToolUse' },
  codex: { pre: 'PreToolUse', post: 'PostToolUse' },
  gemini: { pre: 'BeforeTool', post: 'AfterTool' },
  cursor: { pre: 'preToolUse', post: 'postToolUse' },
  copilot: { pre: 'preToolUse', post: 'postToolUse' },
  'vs-code': { pre: 'PreToolUse', post: 'PostToolUse' },
}
// The keys of a record are what its type says.
const names = Object.keys(events) as readonly DialectName[]

async function ask(
  name: DialectName,
  end: Partial<CommandEnd>,
  { when = 'pre', entry, ...options }: Asking = {},
): Promise<Outcome> {
  const event = events[name][when]
  const command = { type: 'command', command: 'x', ...entry }
  const isFlat = name === 'cursor' || name === 'copilot'
  const hooks = { [event]: [isFlat ? command : { hooks: [command] }] }
  const file = { version: 1, hooks }
  const dialect = await loadDialect(name)
  const bench = await openRuleBench(dialect, file, {
    ...options,
    speak: () => end,
  })
  return bench.ask(when === 'pre' ? 'tool.pre_call' : 'tool.post_call', event)
}

interface Asking extends RuleOptions {
  readonly when?: keyof Moments
  readonly entry?: object
}

/** What the model is to see of it, and know. */
function heard(outcome: Outcome): unknown {
  const { type, value } = outcome
  return { type, value, told: toldIn(outcome) }
}

function toldIn({ contributions }: Outcome): unknown[] {
  return contributions.of(promptContext).map(({ value }) => value)
}

const word = '{"systemMessage":"done"}'
const log = '{"level":"info"}'
const denial = '{"decision":"block","reason":"No."}'
const strict = { isStrict: true }

describe.each(names)('what a hook of %s prints', (name) => {
  const specific = {
    hookEventName: events[name].post,
    updatedToolOutput: '[redacted]',
    additionalContext: 'There was a key in it.',
  }
  const redaction = {
    hookSpecificOutput: specific,
    modifiedResult: { resultType: 'success', textResultForLlm: '[redacted]' },
    additionalContext: 'There was a key in it.',
  }
  const block = { decision: 'block', reason: 'A secret leaked.' }

  test.each([
    ['withholds a result', redaction],
    ['has something against a result', block],
  ])('after a call and %s is heard beside other output', async (_, said) => {
    const stdout = JSON.stringify(said)
    const alone = await ask(name, { stdout }, { when: 'post' })
    for (const printed of [
      `${stdout}\n${word}`,
      `${word}\n${stdout}`,
      `looking\n${stdout}`,
    ]) {
      const outcome = await ask(name, { stdout: printed }, { when: 'post' })
      expect(heard(outcome)).toEqual(heard(alone))
    }
  })

  test.each<[string, Asking]>([
    ['in strict mode', strict],
    ['where it is to block', { entry: { onFailure: 'block' } }],
  ])(
    'beside other output and withholds a result does so %s, too',
    async (_, options) => {
      const end = { stdout: `looking\n${JSON.stringify(redaction)}` }
      const open = await ask(name, end, { when: 'post' })
      const closed = await ask(name, end, { when: 'post', ...options })
      expect(toldIn(closed)).toEqual(expect.arrayContaining(toldIn(open)))
      // A result that is refused is not seen either.
      if (closed.type !== 'reject') expect(closed.value).toEqual(open.value)
    },
  )

  test('beside other output and changes arguments is no answer', async () => {
    const changed = { command: 'ls' }
    const stdout = `looking\n${JSON.stringify({
      permission: 'allow',
      permissionDecision: 'allow',
      updated_input: changed,
      modifiedArgs: changed,
      hookSpecificOutput: {
        hookEventName: events[name].pre,
        permissionDecision: 'allow',
        updatedInput: changed,
        tool_input: changed,
      },
    })}`
    const open = await ask(name, { stdout })
    expect(open.type).toBe('proceed')
    expect(codesOf(open)).toContain('failed-open')
    const closed = await ask(name, { stdout }, strict)
    expect(closed.type).toBe('reject')
  })

  test.each([
    ['a denial', denial],
    ['a denial behind a log', `${log}${denial}`],
    ['a denial before a log', `${denial}${log}`],
    ['a denial before words', `${denial} done`],
  ])('that begins a line with %s denies', async (_, line) => {
    const outcome = await ask(name, { stdout: `looking\n${line}` })
    expect(outcome).toMatchObject({ type: 'reject', reason: 'No.' })
  })

  test.each([
    ['a key twice', '{"decision":"block","reason":"a","reason":"No."}'],
    ['a comma too many', '{"decision":"block","reason":"No.",}'],
    ['no end', '{"decision":"block","reason":"No."'],
    ['no end and a log after it', '{"decision":"block",\ndone'],
    ['no end and an object in it', '{\n"a":[\n{"b":1}\n],\n"decision":"block"'],
    ['a mistake, behind a log', `${log}{"decision":"block",}`],
    ['a mistake, before a log', `{"decision":"block",}\n${log}`],
  ])(
    'that is to be an answer and has %s is a failure, also after a log',
    async (_, line) => {
      const stdout = `looking\n${line}`
      const open = await ask(name, { stdout })
      expect(open.type).toBe('proceed')
      expect(codesOf(open)).toContain('failed-open')
      const closed = await ask(name, { stdout }, strict)
      expect(closed.type).toBe('reject')
    },
  )

  test('among other words in a line is only words', async () => {
    const outcome = await ask(name, { stdout: `Print ${denial} to deny.` })
    expect(outcome.type).toBe('proceed')
  })

  test.each([
    ['a word', `starting\n${word}\nTraceback`],
    ['two words', `${word}\n${word}`],
  ])(
    'as %s among other things is no answer of one that must not fail',
    async (_, stdout) => {
      const outcome = await ask(name, { stdout }, strict)
      expect(outcome.type).toBe('reject')
      expect(codesOf(outcome)).toContain('failed-closed')
    },
  )

  test('however many words it is is told at once', async () => {
    const stdout = `${word}\n`.repeat(5_000)
    const { contributions } = await ask(name, { stdout })
    expect(contributions.all.length).toBeLessThan(10)
  })
})

test.each([0, 1])(
  'a hook of Claude Code that is to block where it fails does so with words and code %i',
  async (exitCode) => {
    const stdout = `starting\n${word}\nTraceback`
    const entry = { onFailure: 'block' }
    const outcome = await ask('claude-code', { exitCode, stdout }, { entry })
    expect(outcome.type).toBe('reject')
  },
)

test('a hook of Cursor that is to fail closed does so with a log of documents', async () => {
  const entry = { failClosed: true }
  const stdout = `starting\n${log}`
  const outcome = await ask('cursor', { stdout }, { entry })
  expect(outcome.type).toBe('reject')
})

test('a hook of Cursor that wants what has no effect, beside other output, has failed', async () => {
  const stdout = 'looking\n{"followup_message":"More."}'
  const open = await ask('cursor', { stdout })
  expect(codesOf(open)).toContain('failed-open')
  for (const options of [strict, { entry: { failClosed: true } }]) {
    expect((await ask('cursor', { stdout }, options)).type).toBe('reject')
  }
})

test('a question in a document that has failed is told as one, not as a yes', async () => {
  const stdout = JSON.stringify({
    systemMessage: 5,
    hookSpecificOutput: {
      hookEventName: 'PreToolUse',
      permissionDecision: 'ask',
      permissionDecisionReason: 'Really?',
    },
  })
  const outcome = await ask('claude-code', { stdout })
  expect(outcome.type).toBe('ask')
  expect(codesOf(outcome)).toContain('sloppy-output')
  expect(codesOf(outcome)).not.toContain('failed-open')
})

test('a document that has failed does not answer in the place of the model', async () => {
  const llm_response = {
    candidates: [
      { content: { role: 'model', parts: ['Yes.'] }, finishReason: 'STOP' },
    ],
  }
  const hookSpecificOutput = { hookEventName: 'BeforeModel', llm_response }
  const said = (more: object) => JSON.stringify({ hookSpecificOutput, ...more })
  const dialect = await loadDialect('gemini')
  const type = async (stdout: string) => {
    const hooks = {
      BeforeModel: [{ hooks: [{ type: 'command', command: 'x' }] }],
    }
    const file = { version: 1, hooks }
    const bench = await openRuleBench(dialect, file, {
      speak: () => ({ stdout }),
    })
    return (await bench.ask('llm.pre_call', 'BeforeModel')).type
  }
  expect(await type(said({}))).toBe('respond')
  expect(await type(said({ systemMessage: 5 }))).toBe('proceed')
  expect(await type(`looking\n${said({})}`)).toBe('proceed')
  // It cannot ask there, so that nothing is left of that.
  const question = said({ decision: 'ask' })
  expect(await type(`looking\n${question}`)).toBe('proceed')
})

test('a denial that has no effect does not save a document with a wrong field', async () => {
  const event = 'BeforeToolSelection'
  const stdout = JSON.stringify({
    decision: 'deny',
    systemMessage: 5,
    hookSpecificOutput: { hookEventName: event, toolConfig: { mode: 'NONE' } },
  })
  const hooks = { [event]: [{ hooks: [{ type: 'command', command: 'x' }] }] }
  const dialect = await loadDialect('gemini')
  const speak = () => ({ stdout })
  const bench = await openRuleBench(dialect, { hooks }, { speak })
  const outcome = await bench.ask('llm.pre_call', event)
  expect(codesOf(outcome)).toContain('failed-open')
  expect(outcome.writers).toEqual([])
})
