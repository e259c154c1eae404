import { once } from 'node:events'
import { setImmediate } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createAgent, defineTool, type Plugin } from '../index.ts'
import { createDelegatePlugin } from '../plugins.ts'
import { type Script, scriptedModel } from '../testing/index.ts'
import { type CanaryOptions, canary } from './canary.ts'
import { callsOf, echoTool, play } from './fixtures/play.ts'
import { inputGuardrail } from './input-guardrail.ts'

/** The same plugin without some of its hooks, so that calls get past it. */
function without(plugin: Plugin, ...names: readonly string[]): Plugin {
  const hooks = plugin.hooks ?? []
  return { ...plugin, hooks: hooks.filter(({ name }) => !names.includes(name)) }
}

async function watched(
  script: Script,
  plugin: Plugin,
  plugins: readonly Plugin[] = [],
) {
  const alarms: string[] = []
  const played = await play(script, {
    ...{ plugins: [plugin, ...plugins], tools: [echoTool('look')] },
    onAlarm: (code, about) => alarms.push(`${code}: ${about}`),
  })
  return { ...played, alarms }
}

const looks = [callsOf('look', { n: 1 }, { n: 2 }), { text: 'Done.' }]

test('calls that pass the gates raise no alarm', async () => {
  const { alarms, turns, statuses } = await watched(looks, canary({}))
  expect(alarms).toEqual([])
  expect(statuses).toEqual(['executed', 'executed'])
  expect(turns).toMatchObject([{ status: 'succeeded', text: 'Done.' }])
})

test('a tool that no guard has seen is alarmed, and its result withheld', async () => {
  const blind = without(canary({}), 'canary:tool-seen')
  const { alarms, model, events } = await watched(looks, blind)
  expect(alarms).toEqual([
    'ungated-call: The tool "look"',
    'ungated-call: The tool "look"',
  ])
  const told = JSON.stringify(model.requests[1]?.messages.at(-1))
  expect(told).toContain('no gate has seen it')
  expect(told).not.toContain('\\"n\\":1')
  const notices = events.filter((event) => event.type === 'hook-delta')
  expect(notices).toHaveLength(2)
})

test('many calls at once raise no alarm', async () => {
  const many = Array.from({ length: 600 }, (_, n) => ({ n }))
  const alarms: string[] = []
  // All are judged before the first one ends.
  const slow = defineTool({
    ...{ name: 'look', description: 'Looks.', safety: 'read_only' },
    input: { type: 'object' },
    async execute() {
      await setImmediate()
      return 'Seen.'
    },
  })
  const { statuses } = await play([callsOf('look', ...many), { text: 'Ok.' }], {
    ...{ plugins: [canary({})], tools: [slow] },
    onAlarm: (code) => alarms.push(code),
  })
  expect(alarms).toEqual([])
  expect(statuses).toEqual(many.map(() => 'executed'))
})

test('a tool that no guard has seen is alarmed, also when it is cancelled', async () => {
  const cancelled = async (plugin: Plugin) => {
    const alarms: string[] = []
    const begun = Promise.withResolvers<void>()
    const hangs = defineTool({
      ...{ name: 'look', description: 'Hangs.', safety: 'read_only' },
      input: { type: 'object' },
      async execute(_, { signal }) {
        begun.resolve()
        await once(signal, 'abort')
        signal.throwIfAborted()
        return ''
      },
    })
    const agent = createAgent({
      ...{ model: scriptedModel(looks), tools: [hangs], plugins: [plugin] },
      onAlarm: (code) => alarms.push(code),
    })
    const turn = agent.run('Go.')
    await begun.promise
    turn.cancel()
    expect((await turn.result).status).toBe('cancelled')
    await agent.close()
    return alarms
  }
  expect(await cancelled(canary({}))).toEqual([])
  const blind = without(canary({}), 'canary:tool-seen')
  expect(await cancelled(blind)).toContain('ungated-call')
})

test('an alarm can end the turn, or be all there is', async () => {
  const ends: CanaryOptions = { action: 'end-turn' }
  const ended = await watched(looks, without(canary(ends), 'canary:tool-seen'))
  expect(ended.model.requests).toHaveLength(1)
  const tells: CanaryOptions = { action: 'alarm' }
  const told = await watched(looks, without(canary(tells), 'canary:tool-seen'))
  expect(told.alarms).toHaveLength(2)
  expect(told.turns).toMatchObject([{ status: 'succeeded', text: 'Done.' }])
})

test('a model that no gate has seen is alarmed, and its reply withheld', async () => {
  const blind = without(canary({}), 'canary:model-seen')
  const { alarms, turns, events } = await watched([{ text: 'Psst.' }], blind)
  expect(alarms).toEqual(['ungated-call: The model "given/model"'])
  expect(turns).toMatchObject([{ status: 'withheld' }])
  expect(JSON.stringify(events)).not.toContain('Psst')
})

test('tools that a provider runs itself are alarmed, unless they may', async () => {
  const ran = {
    type: 'tool_call' as const,
    id: 'p1',
    tool: 'web_search',
    args: {},
    providerExecuted: true,
  }
  const text = { type: 'text' as const, text: 'Found.' }
  const script = [{ content: [ran, text], stopReason: 'end_turn' as const }]
  const alarmed = await watched(script, canary({}))
  expect(alarmed.alarms).toContain(
    'ungated-call: The provider\'s tool "web_search"',
  )
  expect(alarmed.turns).toMatchObject([{ status: 'withheld' }])
  const allowed = await watched(script, canary({ providerTools: 'allow' }))
  expect(allowed.turns).toMatchObject([{ status: 'succeeded' }])
})

test('failed calls, tries, answers of hooks and sub-agents raise no alarm', async () => {
  const tasks = [{ agent: 'agent', task: 'Look.' }]
  const judge = { model: 'given/model', policy: 'Rain.' }
  const allow = { text: '{"verdict":"allow","reason":"x"}' }
  const { alarms, turns } = await watched(
    [
      allow,
      callsOf('delegate', { tasks }),
      allow,
      callsOf('look', {}),
      { text: 'Seen.' },
      { error: { code: 'unavailable', isRetryable: false } },
    ],
    canary({}),
    [inputGuardrail({ judge }), createDelegatePlugin()],
  )
  expect(alarms).toEqual([])
  expect(turns).toMatchObject([{ status: 'failed' }])
})

test('options that do not fit are refused', () => {
  const options = { action: 'ignore' } as unknown as CanaryOptions
  expect(() => canary(options)).toThrow('action')
})
