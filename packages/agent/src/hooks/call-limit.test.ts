import { expect, test } from 'vitest'
import { type CallLimitOptions, callLimit } from './call-limit.ts'
import { agreeing } from './fixtures/agreeing.ts'
import { callsOf, echoTool, play } from './fixtures/play.ts'

const steps = [
  callsOf('look', {}, {}, {}),
  callsOf('other', {}, {}),
  { text: 'Done.' },
]

const played = (options: CallLimitOptions, inputs = ['Go.']) =>
  play(
    inputs.flatMap(() => steps),
    {
      ...{ inputs, plugins: [callLimit(options)] },
      tools: [echoTool('look'), echoTool('other')],
    },
  )

const executed = (statuses: readonly string[]) =>
  statuses.filter((status) => status === 'executed').length

test('calls at the same time are counted one by one', async () => {
  const { statuses, turns } = await played({ toolCalls: 4 })
  expect(statuses).toHaveLength(5)
  expect(executed(statuses)).toBe(4)
  expect(turns).toMatchObject([{ status: 'succeeded' }])
})

test('a tool can have a limit of its own', async () => {
  const { events } = await played({ tools: { look: 1, hasOwnProperty: 0 } })
  const ends = events.filter((event) => event.type === 'tool-end')
  const denied = ends.filter(({ status }) => status === 'denied')
  expect(denied.map(({ tool }) => tool)).toEqual(['look', 'look'])
  expect(denied[0]?.result.content).toMatchObject([
    { text: expect.stringContaining('There were 1 calls of "look"') },
  ])
})

test('each turn has its own, or the session has one', async () => {
  const inputs = ['Go.', 'Go on.']
  const perTurn = await played({ toolCalls: 4 }, inputs)
  expect(executed(perTurn.statuses)).toBe(8)
  const perSession = await played({ toolCalls: 4, per: 'session' }, inputs)
  expect(executed(perSession.statuses)).toBe(4)
})

test('the call of a model that is one too many ends the turn', async () => {
  const { turns } = await played({ modelCalls: 2 })
  expect(turns).toMatchObject([
    { reason: expect.stringContaining('There were 2 calls of models') },
  ])
})

test.each([
  [{ toolCalls: -1 }, 'toolCalls'],
  [{ toolCals: 1 }, 'toolCalls'],
  [{ per: 'day' }, 'per'],
  ['4', 'options'],
])('options that do not fit are refused: %j', (options, word) => {
  expect(() => callLimit(options as CallLimitOptions)).toThrow(word)
})

test('a call that people were asked about is one call', async () => {
  const script = [callsOf('look', {}, {}), callsOf('look', {}), { text: 'Ok.' }]
  const plugins = [callLimit({ toolCalls: 2, tools: { look: 2 } })]
  const { statuses } = await play(script, {
    ...{ plugins, tools: [echoTool('look')], ...agreeing() },
  })
  expect(statuses).toEqual(['executed', 'executed', 'denied'])
})
