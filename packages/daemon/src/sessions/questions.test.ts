import { createAskUserPlugin, UserQuestions } from '@hookline/agent/plugins'
import { createFakeClock } from 'hookline/testing'
import { expect, test } from 'vitest'
import { readQuestions } from '../protocol/schemas/questions.ts'
import { hostWorld } from './fixtures/host-world.ts'
import { contextOf } from './fixtures/open-host.ts'

/** As much as a JSON Schema lets a model write, in the widest characters. */
function most(schema: unknown): unknown {
  const { type, properties, items, maxItems, maxLength, pattern } =
    Object(schema)
  if (type === 'boolean') return true
  if (type === 'string') {
    return pattern === undefined ? '😀'.repeat(maxLength) : 'x'.repeat(40)
  }
  if (type === 'array') {
    return Array.from({ length: maxItems }, () => most(items))
  }
  const entries = Object.entries(Object(properties))
  return Object.fromEntries(entries.map(([key, one]) => [key, most(one)]))
}

test('all that a model may ask is told, and nothing beyond it', () => {
  const plugin = createAskUserPlugin({ questions: new UserQuestions() })
  const [tool] = plugin.tools ?? []
  const { questions } = Object(most(tool?.inputSchema))
  expect(questions).toHaveLength(5)
  expect(readQuestions(questions)).toEqual(questions)
  const [first] = questions
  expect(readQuestions([{ ...first, extra: 1 }])).toEqual([first])
  for (const odd of [
    {},
    [],
    ['?'],
    [{ ...first, header: 1 }],
    [{ ...first, question: 'x'.repeat(2_001) }],
    [{ ...first, options: Array(11).fill({ label: 'x' }) }],
    [...questions, first],
  ]) {
    expect(readQuestions(odd)).toBeUndefined()
  }
})

test('whoever says that they look at a session can be asked, until they leave or are silent', async () => {
  const clock = createFakeClock()
  const world = await hostWorld()
  const { service, workspace } = await world.open({ store: { clock } })
  const { questions } = workspace
  const context = contextOf()
  const sessionId = 'looked-at'
  const attend = (place: string, isLeaving = false) =>
    service.attend({ sessionId, place, isLeaving }, context)
  expect(questions.isConnected(sessionId)).toBe(false)
  await attend('one tab')
  await attend('another')
  await attend('one tab', true)
  expect(questions.isConnected(sessionId)).toBe(true)
  await clock.advance(60_000)
  await attend('another')
  await clock.advance(60_000)
  expect(questions.isConnected(sessionId)).toBe(true)
  await clock.advance(60_000)
  expect(questions.isConnected(sessionId)).toBe(false)
})

test('what an agent asks is listed as its schema says', async () => {
  const world = await hostWorld()
  const { service, workspace } = await world.open()
  const context = contextOf()
  const { id: sessionId } = await service.createSession({}, context)
  // Somebody is there to be asked.
  workspace.questions.connect(sessionId)
  const asked = service.send({ sessionId, input: 'ask', wait: true }, context)
  const list = async () => (await service.listQuestions({}, context)).items
  await expect.poll(list).toEqual([
    {
      sessionId,
      callId: 'ask',
      agent: 'main',
      questions: [{ id: 'q', header: 'Name', question: 'Which name?' }],
    },
  ])
  const answers = [{ id: 'q', text: 'Bob' }]
  await service.answerQuestions({ sessionId, callId: 'ask', answers }, context)
  expect(await asked).toMatchObject({ status: 'succeeded' })
})
