import type { ModelRequest } from 'hookline/lifecycle'
import { expect, test } from 'vitest'
import { createAgent, type Session } from '../index.ts'
import { type ScriptStep, scriptedModel } from '../testing/index.ts'
import {
  type CompactionHintOptions,
  compactionHint,
} from './compaction-hint.ts'
import { liveTwice } from './fixtures/lives.ts'
import { callsOf, echoTool, play } from './fixtures/play.ts'

const used = (step: ScriptStep, inputTokens: number): ScriptStep => ({
  ...step,
  usage: { inputTokens, outputTokens: 0 },
})

const isWarned = ({ messages }: ModelRequest) =>
  JSON.stringify(messages).includes('of what you can take')

const look = callsOf('look', {})
const warn = { warnAt: 0.6, contextTokens: 1_000 }

/** For each call of the model, whether it was warned: `!` or `.` */
const warnings = async (
  script: readonly ScriptStep[],
  options: CompactionHintOptions,
  inputs = ['Go.'],
) => {
  const { model } = await play(script, {
    inputs,
    plugins: [compactionHint(options)],
    tools: [echoTool('look')],
  })
  return model.requests.map((one) => (isWarned(one) ? '!' : '.')).join('')
}

test('the model is warned once, in the turn, when its window fills', async () => {
  const script = [
    used(look, 100),
    used(look, 650),
    used(look, 700),
    used({ text: 'Done.' }, 750),
    used({ text: 'Again.' }, 760),
  ]
  // What it was told in a turn it sees until the end of that turn.
  expect(await warnings(script, warn, ['Go.', 'Go on.'])).toBe('..!!.')
})

test('or at the beginning of the next turn', async () => {
  const script = [
    used({ text: 'One.' }, 620),
    used({ text: 'Two.' }, 640),
    used({ text: 'Three.' }, 660),
  ]
  expect(await warnings(script, warn, ['1', '2', '3'])).toBe('.!.')
})

test('after there was room again, it is warned again', async () => {
  const script = [
    used({ text: 'One.' }, 620),
    used({ text: 'Two.' }, 100),
    used({ text: 'Three.' }, 700),
    used({ text: 'Four.' }, 720),
  ]
  expect(await warnings(script, warn, ['1', '2', '3', '4'])).toBe('.!.!')
})

test('without a window, or when it is not wanted, nothing is said', async () => {
  const script = [used(look, 900), used({ text: 'Done.' }, 950)]
  expect(await warnings(script, { warnAt: 0.6 })).toBe('..')
  expect(await warnings(script, { keep: ['Names.'] })).toBe('..')
  expect(compactionHint({}).hooks).toEqual([])
})

test('a compaction is told what to keep, and what was told before stays', async () => {
  const model = scriptedModel((request) => {
    const isSummary =
      request.tools.length === 0 && request.messages.length === 2
    return { text: isSummary ? 'Sum.' : 'Yes.' }
  })
  const keep = ['Names of files.', 'Open questions.']
  const agent = createAgent({
    model,
    plugins: [compactionHint({ keep, keepMessages: 3 })],
    tools: [echoTool('look')],
  })
  const session = await agent.openSession()
  for (const input of ['1', '2', '3']) await session.send(input).result
  const before = { instructions: 'Be brief.', keepMessages: 1 }
  expect(await session.compact(before)).toBe('done')
  await agent.close()
  const asked = JSON.stringify(model.requests.at(-1)?.messages)
  expect(asked).toContain('Be brief.')
  expect(asked).toContain('- Names of files.')
  // Three of six stay.
  expect(asked).not.toContain('user: 3')
})

test('another process still owes the warning', async () => {
  const model = scriptedModel(() => used({ text: 'Yes.' }, 650))
  const talk = async (session: Session) => {
    await session.send('Go.').result
  }
  await liveTwice(
    () => ({
      models: { resolve: () => model },
      plugins: [compactionHint(warn)],
    }),
    [talk, talk],
  )
  expect(model.requests.map(isWarned)).toEqual([false, true])
})

test('what is streamed is not held back by it', async () => {
  const { events } = await play([{ text: 'One two three.', chunks: 3 }], {
    plugins: [compactionHint(warn)],
  })
  const deltas = events.filter(({ type }) => type === 'text-delta')
  expect(deltas).toHaveLength(3)
})

test.each([
  [{ warnAt: 1 }, 'warnAt'],
  [{ keep: 'Names.' }, 'keep'],
  [{ keepMessages: 0 }, 'keepMessages'],
  [{ hint: '' }, 'hint'],
])('options that do not fit are refused: %j', (options, word) => {
  expect(() => compactionHint(options as CompactionHintOptions)).toThrow(word)
})
