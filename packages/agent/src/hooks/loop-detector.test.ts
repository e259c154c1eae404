import { expect, test } from 'vitest'
import { defineTool } from '../index.ts'
import type { Script } from '../testing/index.ts'
import { playLives } from './fixtures/lives.ts'
import { callsOf, echoTool, play } from './fixtures/play.ts'
import { playTeam } from './fixtures/team.ts'
import {
  type LoopDetectorOptions,
  loopDetector,
  mostRepeated,
} from './loop-detector.ts'

const tools = [echoTool('look'), echoTool('other')]

const played = (script: Script, options: LoopDetectorOptions = {}) =>
  play(script, { tools, plugins: [loopDetector(options)] })

const again = (step: ReturnType<typeof callsOf>, times: number) =>
  Array.from({ length: times }, () => step)

const warnings = ({ requests }: { requests: readonly unknown[] }) =>
  requests.map((one) => JSON.stringify(one).includes('with nothing new'))

test('the model is warned, and then the turn ends', async () => {
  const { turns, model } = await played(again(callsOf('look', { a: 1 }), 9))
  expect(model.requests).toHaveLength(5)
  expect(warnings(model)).toEqual([false, false, false, true, true])
  expect(turns[0]?.reason).toBe(
    'The same call of "look" came 5 times; the turn ended.',
  )
})

test('the order of arguments makes no other call', async () => {
  const one = callsOf('look', { a: 1, b: { c: 2, d: 3 } })
  const other = callsOf('look', { b: { d: 3, c: 2 }, a: 1 })
  const tool = defineTool({
    ...{ name: 'look', description: 'Looks.', safety: 'read_only' },
    input: { type: 'object' },
    execute: async () => 'Nothing.',
  })
  const { turns } = await play([one, other, one, other, one], {
    ...{ tools: [tool], plugins: [loopDetector({})] },
  })
  expect(turns[0]?.reason).toContain('came 5 times')
})

test('rounds of several calls are seen', async () => {
  const round = [callsOf('look', {}), callsOf('other', { a: 1 })]
  const script = Array.from({ length: 9 }, () => round).flat()
  const { turns, model } = await played(script, { endAt: 4 })
  expect(model.requests).toHaveLength(8)
  expect(turns[0]?.reason).toContain('The same round of 2 calls')
})

test('a call that gives something new is no loop, unless one says so', async () => {
  let count = 0
  const poll = defineTool({
    ...{ name: 'poll', description: 'Looks.', safety: 'read_only' },
    input: { type: 'object' },
    execute: async () => `${count++}`,
  })
  const script = [...again(callsOf('poll', {}), 8), { text: 'Done.' }]
  const playPoll = (options: LoopDetectorOptions) =>
    play(script, { tools: [poll], plugins: [loopDetector(options)] })
  expect((await playPoll({})).turns[0]?.text).toBe('Done.')
  const strict = await playPoll({ comparesResults: false })
  expect(strict.model.requests).toHaveLength(5)
})

test('calls of one step count in the order of the calls', async () => {
  const script = [callsOf('look', {}, {}, {}, {}, {}), { text: 'Done.' }]
  const { turns, statuses } = await played(script)
  expect(statuses).toEqual(Array(5).fill('executed'))
  expect(turns[0]?.reason).toContain('came 5 times')
})

test('tools can be left out', async () => {
  const script = [...again(callsOf('look', {}), 8), { text: 'Done.' }]
  const { turns } = await played(script, { ignore: ['lo*'] })
  expect(turns[0]?.text).toBe('Done.')
})

test('each sub-agent is watched by itself', async () => {
  const { results } = await playTeam(
    (request) => {
      const steps = request.messages.filter(({ role }) => role === 'tool')
      return steps.length < 3 ? callsOf('look', {}) : { text: 'Did.' }
    },
    { tasks: 5, tools, plugins: [loopDetector({})] },
  )
  expect(results.map(({ status }) => status)).toEqual(
    Array(5).fill('succeeded'),
  )
})

test('it is the same in a durable session, where each turn begins anew', async () => {
  const script = [...again(callsOf('look', {}), 4), { text: 'Done.' }]
  const life = { script, tools, plugins: [loopDetector({})] }
  const results = await playLives([life, life])
  expect(results.map(({ text }) => text)).toEqual(['Done.', 'Done.'])
})

test('where the state is away, the turn goes on', async () => {
  const away = () => Promise.reject(new Error('Away.'))
  const state = { at: () => ({ get: away, update: away }), end: () => {} }
  const script = [...again(callsOf('look', {}), 6), { text: 'Done.' }]
  const plugins = [loopDetector({})]
  const { turns } = await play(script, { tools, plugins, state })
  expect(turns[0]?.text).toBe('Done.')
})

test.each([
  ['', 1, 0],
  ['a', 1, 1],
  ['aaa', 1, 3],
  ['baaa', 1, 3],
  ['abab', 2, 2],
  ['cababab', 2, 3],
  ['abcabc', 3, 2],
  ['abcd', 1, 1],
])('%j repeats rounds of %d, %d times', (text, round, count) => {
  expect(mostRepeated(text.split(''), 4)).toEqual({ round, count })
})

test.each([
  [{ warnAt: 1 }, 'warnAt'],
  [{ warnAt: 9 }, 'endAt'],
  [{ maxRound: 99 }, 'maxRound'],
  [{ ignores: [] }, 'ignore'],
])('options that do not fit are refused: %j', (options, word) => {
  expect(() => loopDetector(options as LoopDetectorOptions)).toThrow(word)
})
