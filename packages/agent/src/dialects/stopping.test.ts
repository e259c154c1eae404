import { describe, expect, test } from 'vitest'
import type { DialectName } from './dialect.ts'
import { openRuleBench, type RuleOptions } from './fixtures/rule-bench.ts'
import { loadDialect } from './load-dialect.ts'

/** Commands of one event, each of which prints a document. */
async function benchOf(
  name: DialectName,
  event: string,
  documents: readonly object[],
  options: RuleOptions = {},
) {
  const hooks = documents.map((_, index) => ({
    type: 'command',
    command: String(index),
  }))
  const speak: RuleOptions['speak'] = (_, script) => ({
    stdout: JSON.stringify(documents[Number(script)]),
  })
  return await openRuleBench(
    await loadDialect(name),
    { hooks: { [event]: [{ hooks }] } },
    { ...options, speak },
  )
}

const stop = { continue: false, stopReason: 'Halt.' }
const denial = { decision: 'deny', reason: 'A key.' }
const candidates = [{ content: { role: 'model', parts: ['Nothing.'] } }]
const otherReply = {
  hookSpecificOutput: {
    hookEventName: 'AfterModel',
    llm_response: { candidates },
  },
}

describe('whoever also ends the turn', () => {
  test.each([
    ['in one document', [{ ...denial, ...stop }]],
    ['in two', [denial, stop]],
    ['in two, the other way round', [stop, denial]],
  ])('still withholds a reply, %s', async (_, documents) => {
    const bench = await benchOf('gemini', 'AfterModel', documents)
    const outcome = await bench.ask('llm.post_call', 'AfterModel')
    expect(outcome).toMatchObject({ type: 'reject', reason: 'A key.' })
  })

  test.each([
    ['in one document', [{ ...otherReply, ...stop }]],
    ['in two', [otherReply, stop]],
  ])(
    'still changes a reply, whose calls are not made, %s',
    async (_, documents) => {
      const bench = await benchOf('gemini', 'AfterModel', documents)
      const call = { type: 'tool_call', id: 'c', tool: 'shell', args: {} }
      const said = { type: 'text', text: 'The key is k.' }
      const usage = { inputTokens: 1, outputTokens: 1 }
      const outcome = await bench.ask('llm.post_call', 'AfterModel', {
        response: { content: [said, call], stopReason: 'tool_calls', usage },
      })
      expect(outcome).toMatchObject({
        type: 'proceed',
        value: { response: { content: [{ type: 'text', text: 'Nothing.' }] } },
      })
      const next = await bench.ask('llm.pre_call', 'BeforeModel')
      expect(next).toMatchObject({ type: 'endTurn' })
    },
  )

  test.each([
    ['in one document', [{ ...denial, ...stop }]],
    ['in two', [denial, stop]],
  ])('still withholds a result, %s', async (_, documents) => {
    const bench = await benchOf('gemini', 'AfterTool', documents)
    const outcome = await bench.ask('tool.post_call', 'AfterTool')
    expect(outcome).toMatchObject({ type: 'reject', reason: 'A key.' })
    const next = await bench.ask('tool.post_batch', '')
    expect(next).toMatchObject({ type: 'endTurn' })
  })

  const allowing = (hookEventName: string) => ({
    hookSpecificOutput: { hookEventName, decision: { behavior: 'allow' } },
  })

  test.each(['claude-code', 'codex'] as const)(
    'lets nobody agree to a call, in %s',
    async (name) => {
      const event = 'PermissionRequest'
      for (const documents of [
        [{ ...allowing(event), ...stop }],
        [allowing(event), stop],
        [stop],
      ]) {
        const bench = await benchOf(name, event, documents)
        const outcome = await bench.ask('permission.request', event)
        expect(outcome).toMatchObject({
          type: 'respond',
          output: { type: 'deny', reason: expect.stringContaining('Halt.') },
        })
      }
    },
  )

  test.each(['AfterModel', 'AfterTool'])(
    'and fails where failures refuse withholds, at %s',
    async (event) => {
      const point = event === 'AfterTool' ? 'tool.post_call' : 'llm.post_call'
      for (const document of [
        { systemMessage: 5 },
        { ...stop, systemMessage: 5 },
      ]) {
        const options = { isStrict: true }
        const bench = await benchOf('gemini', event, [document], options)
        expect(await bench.ask(point, event)).toMatchObject({ type: 'reject' })
      }
    },
  )
})

describe('whoever lets the turn end', () => {
  const more = { decision: 'block', reason: 'More.' }

  test.each([
    ['claude-code', 'Stop', 'turn.stop'],
    ['codex', 'Stop', 'turn.stop'],
    ['vs-code', 'Stop', 'turn.stop'],
    ['gemini', 'AfterAgent', 'turn.stop'],
    ['claude-code', 'SubagentStop', 'subagent.stop'],
    ['codex', 'SubagentStop', 'subagent.stop'],
    ['vs-code', 'SubagentStop', 'subagent.stop'],
  ] as const)(
    'ends it, also beside one who does not, for %s at %s',
    async (name, event, point) => {
      const alone = await benchOf(name, event, [more])
      expect(await alone.ask(point, event)).toMatchObject({ type: 'keepGoing' })
      for (const documents of [
        [{ ...more, ...stop }],
        [more, stop],
        [stop, more],
      ]) {
        const bench = await benchOf(name, event, documents)
        const outcome = await bench.ask(point, event)
        expect(outcome.type).toBe('proceed')
      }
    },
  )
})

describe('a word of another product that Gemini CLI does not read', () => {
  const foreign = (permissionDecision: string) => ({
    hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision },
  })

  test.each([
    ['a turn that ends', { ...stop, ...foreign('deny') }, 'endTurn'],
    ['a question', { decision: 'ask', ...foreign('deny') }, 'ask'],
    ['a denial', { ...denial, ...foreign('deny') }, 'reject'],
    [
      'a turn that ends, for one who allows',
      { ...stop, decision: 'allow', ...foreign('ask') },
      'endTurn',
    ],
    ['nothing else', foreign('deny'), 'proceed'],
  ])('takes nothing from %s', async (_, document, type) => {
    const bench = await benchOf('gemini', 'BeforeTool', [document])
    const outcome = await bench.ask('tool.pre_call', 'BeforeTool')
    expect(outcome).toMatchObject({ type })
  })
})
