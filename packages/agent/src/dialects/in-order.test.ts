import type { JsonObject } from 'hookline/lifecycle'
import { describe, expect, test } from 'vitest'
import type { DialectName } from './dialect.ts'
import { codesOf } from './fixtures/hook-bench.ts'
import { openRuleBench, type RuleOptions } from './fixtures/rule-bench.ts'
import { loadDialect } from './load-dialect.ts'

/** What a hook says, by what it is told. */
type Script = (stdin: JsonObject) => object

interface Place {
  readonly name: DialectName
  readonly event: string
  readonly isSequential?: boolean
}

async function benchOf(
  { name, event, isSequential = false }: Place,
  scripts: readonly Script[],
) {
  const hooks = scripts.map((_, index) => ({
    type: 'command',
    command: String(index),
  }))
  const group = { hooks, ...(isSequential && { sequential: true }) }
  const speak: RuleOptions['speak'] = ({ stdin }, script) => ({
    stdout: JSON.stringify(scripts[Number(script)]?.(JSON.parse(stdin))),
  })
  return openRuleBench(
    await loadDialect(name),
    { version: 1, hooks: { [event]: name === 'copilot' ? hooks : [group] } },
    { speak },
  )
}

/** With words of its own for an event, in the shape of Claude Code. */
const saying =
  (hookEventName: string, more: (stdin: JsonObject) => object): Script =>
  (stdin) => ({ hookSpecificOutput: { hookEventName, ...more(stdin) } })

const told = (value: object) => JSON.stringify(value)

describe.each([
  ['at the same time', false],
  ['one after the other', true],
])('hooks of a request that Gemini CLI runs %s', (_, isSequential) => {
  const select = async (...configs: readonly JsonObject[]) => {
    const event = 'BeforeToolSelection'
    const bench = await benchOf(
      { name: 'gemini', event, isSequential },
      configs.map((toolConfig) => saying(event, () => ({ toolConfig }))),
    )
    const outcome = await bench.ask('llm.pre_call', event)
    const { request } = outcome.value as { request: JsonObject }
    const tools = request['tools'] as readonly { readonly name: string }[]
    return {
      tools: tools.map(({ name }) => name),
      set: request['settings'],
      codes: codesOf(outcome),
    }
  }

  test.each<readonly [string, readonly JsonObject[], readonly string[]]>([
    ['no tools', [{ mode: 'NONE' }, {}], []],
    ['no tools at last', [{}, { mode: 'NONE' }], []],
    [
      'no tools beside some',
      [{ mode: 'NONE' }, { mode: 'ANY', allowedFunctionNames: ['shell'] }],
      [],
    ],
    ['an empty list', [{ allowedFunctionNames: [] }, { mode: 'ANY' }], []],
    ['one tool', [{ allowedFunctionNames: ['read'] }, {}], ['read']],
    ['some of those', [{}, { allowedFunctionNames: ['read'] }], ['read']],
  ])('leave no more tools than each of them: %s', async (_, configs, tools) => {
    expect((await select(...configs)).tools).toEqual(tools)
  })

  test('leave none where each names another, and that is on record', async () => {
    const { tools, codes } = await select(
      { mode: 'ANY', allowedFunctionNames: ['read_file'] },
      { mode: 'ANY', allowedFunctionNames: ['run_shell_command'] },
    )
    expect(tools).toEqual([])
    expect(codes).toContain('conflict')
  })

  test('want no tool where none is left', async () => {
    const { tools, set } = await select(
      { mode: 'ANY', allowedFunctionNames: ['read'] },
      { allowedFunctionNames: [] },
    )
    expect(tools).toEqual([])
    expect(set).toEqual({})
  })

  test('change it one on top of the other', async () => {
    const event = 'BeforeModel'
    const heard: string[] = []
    const messages = [{ role: 'user', content: '[redacted]' }]
    const bench = await benchOf({ name: 'gemini', event, isSequential }, [
      saying(event, () => ({ llm_request: { messages } })),
      saying(event, (stdin) => {
        heard.push(told(stdin))
        return { llm_request: { config: { temperature: 0 } } }
      }),
    ])
    const { value } = await bench.ask('llm.pre_call', event)
    expect(value).toMatchObject({ request: { settings: { temperature: 0 } } })
    expect(told(Object(value))).toContain('[redacted]')
    expect(told(Object(value))).not.toContain('Fix the bug.')
    expect(heard).toHaveLength(1)
    expect(heard[0]).not.toContain('Fix the bug.')
  })

  test('and whoever denies it denies it, also after a change', async () => {
    const event = 'BeforeModel'
    const change = saying(event, () => ({ llm_request: { model: 'other' } }))
    const deny = () => ({ decision: 'deny', reason: 'Not now.' })
    for (const scripts of [
      [change, deny],
      [deny, change],
    ]) {
      const bench = await benchOf(
        { name: 'gemini', event, isSequential },
        scripts,
      )
      const outcome = await bench.ask('llm.pre_call', event)
      expect(outcome).toMatchObject({ type: 'reject', reason: 'Not now.' })
    }
  })

  test('and of a reply, too', async () => {
    const event = 'AfterModel'
    const reply = (text: string) => ({
      llm_response: { candidates: [{ content: { parts: [text] } }] },
    })
    const textIn = (stdin: JsonObject) =>
      String(Object(stdin['llm_response'])['text'])
    const bench = await benchOf({ name: 'gemini', event, isSequential }, [
      saying(event, (stdin) =>
        reply(textIn(stdin).replace('It is done.', '[redacted]')),
      ),
      saying(event, (stdin) => reply(`${textIn(stdin)} So it is.`)),
    ])
    const { value } = await bench.ask('llm.post_call', event)
    expect(told(Object(value))).toContain('[redacted] So it is.')
    expect(told(Object(value))).not.toContain('It is done.')
  })
})

describe('hooks that Copilot runs one after the other', () => {
  test('put a prompt in other words on top of each other', async () => {
    const event = 'userPromptTransformed'
    const promptIn = (stdin: JsonObject) =>
      String(Object(stdin)['transformedPrompt'])
    const bench = await benchOf({ name: 'copilot', event }, [
      (stdin) => ({
        modifiedTransformedPrompt: promptIn(stdin).replace('bug', '[redacted]'),
      }),
      (stdin) => ({ modifiedTransformedPrompt: `${promptIn(stdin)} Please.` }),
    ])
    const { value } = await bench.ask('turn.input', event)
    expect(value).toEqual({
      content: [{ type: 'text', text: 'Fix the [redacted]. Please.' }],
    })
  })

  test('see a result as the ones before have left it', async () => {
    const event = 'postToolUse'
    const heard: string[] = []
    const result = (textResultForLlm: string) => ({
      modifiedResult: { resultType: 'success', textResultForLlm },
    })
    const bench = await benchOf({ name: 'copilot', event }, [
      () => result('[redacted]'),
      (stdin) => {
        heard.push(told(stdin))
        return {}
      },
    ])
    const { value } = await bench.ask('tool.post_call', event)
    expect(told(Object(value))).toContain('[redacted]')
    expect(heard[0]).toContain('[redacted]')
    expect(heard[0]).not.toContain('a.ts')
  })
})

describe('a new result of a wrong shape', () => {
  const event = 'PostToolUse'
  const result = (updatedToolOutput: unknown) =>
    saying(event, () => ({ updatedToolOutput }))
  const redact = result('[redacted]')
  const wrong = result({ nothing: 'of this' })

  test.each([
    ['before', [wrong, redact]],
    ['after', [redact, wrong]],
  ])('does not count beside one that is declared %s it', async (_, scripts) => {
    const bench = await benchOf({ name: 'claude-code', event }, scripts)
    const outcome = await bench.ask('tool.post_call', event)
    expect(outcome.value).toMatchObject({
      result: { content: [{ type: 'text', text: '[redacted]' }] },
    })
    expect(codesOf(outcome)).toContain('wrong-shape')
    expect(codesOf(outcome)).not.toContain('conflict')
  })

  test('does not count after one on the same output', async () => {
    const hooks = [{ type: 'command', command: 'x' }]
    const printed = [redact, wrong].map((script) => told(script({})))
    const bench = await openRuleBench(
      await loadDialect('claude-code'),
      { hooks: { [event]: [{ hooks }] } },
      { speak: () => ({ stdout: printed.join('\n') }) },
    )
    const outcome = await bench.ask('tool.post_call', event)
    expect(outcome.value).toMatchObject({
      result: { content: [{ type: 'text', text: '[redacted]' }] },
    })
  })

  test('alone leaves the result as it was, and is on record', async () => {
    const bench = await benchOf({ name: 'claude-code', event }, [wrong])
    const outcome = await bench.ask('tool.post_call', event)
    expect(outcome.value).toMatchObject({
      result: { content: [{ type: 'text', text: 'a.ts' }] },
    })
    expect(codesOf(outcome)).toContain('wrong-shape')
  })
})

describe('of two hooks that change a result at the same time', () => {
  const event = 'PostToolUse'
  const textIn = (stdin: JsonObject) =>
    String(Object(stdin['tool_response'])['stdout'])
  const change = (make: (text: string) => unknown) =>
    saying(event, (stdin) => ({ updatedToolOutput: make(textIn(stdin)) }))
  const redact = change((text) => text.replace('a.ts', '[redacted]'))
  const ask = async (...scripts: readonly Script[]) => {
    const bench = await benchOf({ name: 'claude-code', event }, scripts)
    const outcome = await bench.ask('tool.post_call', event)
    return { outcome, codes: codesOf(outcome), started: bench.started }
  }

  test('the later one changes what the other one shows', async () => {
    const { outcome, codes, started } = await ask(
      redact,
      change((text) => `${text}, that is all`),
      () => ({}),
    )
    expect(outcome.value).toMatchObject({
      result: { content: [{ text: '[redacted], that is all' }] },
    })
    expect(codes).toContain('asked-again')
    expect(started).toEqual(['0', '1', '2', '1'])
  })

  test.each<readonly [string, object]>([
    ['says nothing', {}],
    [
      'says what has no effect',
      { hookSpecificOutput: { hookEventName: event, classifierContext: 'x' } },
    ],
  ])(
    'the later one may have nothing to change in that: %s',
    async (_, said) => {
      const { outcome } = await ask(redact, (stdin) =>
        textIn(stdin) === 'a.ts' ? change(() => 'a.ts, b.ts')(stdin) : said,
      )
      expect(outcome.value).toMatchObject({
        result: { content: [{ text: '[redacted]' }] },
      })
    },
  )

  test('neither is asked again if they say the same', async () => {
    const { outcome, started } = await ask(redact, redact)
    expect(outcome.value).toMatchObject({
      result: { content: [{ text: '[redacted]' }] },
    })
    expect(started).toEqual(['0', '1'])
  })

  test.each<readonly [string, (text: string) => unknown]>([
    ['fails', () => undefined],
    ['gives something else than a result', () => ({ nothing: 'of this' })],
  ])('nothing is shown where the later one then %s', async (_, make) => {
    const { outcome } = await ask(redact, (stdin) => {
      const text = textIn(stdin)
      if (text === 'a.ts') return change(() => '[gone]')(stdin)
      const made = make(text)
      return made === undefined
        ? { systemMessage: 5 }
        : change(() => made)(stdin)
    })
    expect(outcome).toMatchObject({ type: 'reject' })
  })
})
