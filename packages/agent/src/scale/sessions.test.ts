import { defineHook, proceed, reject, transform } from 'hookline'
import { type AgentEvent, llmPreCall, toolGuard } from 'hookline/lifecycle'
import { expect, test } from 'vitest'
import {
  createPolicy,
  createRuntime,
  defineTool,
  type Runtime,
} from '../index.ts'
import { scriptedModel } from '../testing/index.ts'
import { heapAfterGc } from './fixtures/heap.ts'

const sessions = 1_000
/** About five times what a session was seen to take. */
const maxBytesPerSession = 190_000

/** A word that only one session knows. */
function wordOf(id: string): string {
  return `<${id}>`
}

/** Every word of that kind in something, each once. */
function wordsIn(value: unknown): string[] {
  return [...new Set(JSON.stringify(value).match(/<s\d+>/g))]
}

const echo = defineTool({
  name: 'echo',
  description: 'Says it again.',
  input: {
    type: 'object',
    properties: { word: { type: 'string' } },
    required: ['word'],
  },
  safety: 'read_only',
  execute: async ({ word }) => {
    await new Promise((resolve) => setImmediate(resolve))
    return `echo ${word as string}` // the schema says so
  },
})

/** Gives every session its own model. */
const route = defineHook({
  name: 'route',
  on: llmPreCall,
  writes: true,
  run: async ({ request }, { scope }) =>
    transform({ ...request, model: String(scope.sessionId) }),
})

/** Lets a session say its own word only. */
const ownWord = defineHook({
  name: 'own-word',
  on: toolGuard,
  run: async ({ args }, { scope }) =>
    args['word'] === wordOf(String(scope.sessionId))
      ? proceed
      : reject('Not the word of this session.'),
})

function scriptOf(id: string) {
  const word = wordOf(id)
  return scriptedModel([
    { text: `first ${word}`, calls: [{ tool: 'echo', args: { word } }] },
    { text: `a few words that are streamed, then ${word}`, chunks: 8 },
    { text: `second ${word}`, calls: [{ tool: 'echo', args: { word } }] },
    { text: `done ${word}`, chunks: 3 },
  ])
}

async function live(runtime: Runtime, id: string) {
  const session = await runtime.openSession({ agent: 'main', id })
  const events: AgentEvent[] = []
  const statuses: string[] = []
  for (const question of ['one', 'two']) {
    const turn = session.send(`${question} ${wordOf(id)}`)
    for await (const event of turn) events.push(event)
    statuses.push((await turn.result).status)
  }
  return { id, events, statuses, messages: session.messages }
}

test('a thousand sessions at once all finish, and none hears of another', async () => {
  const ids = Array.from({ length: sessions }, (_, index) => `s${index}`)
  const models = new Map(ids.map((id) => [id, scriptOf(id)]))
  const fallback = scriptedModel([])
  const runtime = createRuntime({
    hooks: [route, ownWord],
    tools: [echo],
    policy: createPolicy({ mode: 'open' }),
    models: { resolve: (name) => models.get(name) ?? fallback },
  })
  await runtime.register({ name: 'main', model: 'none', instructions: 'Echo.' })
  const before = { heap: heapAfterGc(), rss: process.memoryUsage().rss }

  const lives = await Promise.all(ids.map((id) => live(runtime, id)))

  const grown = {
    heap: heapAfterGc() - before.heap,
    rss: process.memoryUsage().rss - before.rss,
  }
  const events = lives.reduce((sum, one) => sum + one.events.length, 0)
  console.log(
    `${sessions} sessions, ${events} events: ${kilobytes(grown.heap)} of heap and ${kilobytes(grown.rss)} resident a session`,
  )
  const strays = lives.filter(({ id, messages, ...told }) => {
    const heard = [...wordsIn(messages), ...wordsIn(told.events)]
    const isOwn = told.events.every(({ sessionId }) => sessionId === id)
    return !isOwn || heard.join() !== `${wordOf(id)},${wordOf(id)}`
  })
  expect(strays.map(({ id }) => id)).toEqual([])
  const ends = lives.map(({ statuses, messages }) => {
    const results = messages.filter(({ role }) => role === 'tool')
    const echoed = JSON.stringify(results).split('"echo <').length - 1
    return `${statuses.join()}, ${messages.length} messages, ${echoed} echoes`
  })
  expect(new Set(ends)).toEqual(
    new Set(['succeeded,succeeded, 8 messages, 2 echoes']),
  )
  const { events: first } = lives[0] ?? { events: [] }
  const deltas = first.filter(({ type }) => type === 'text-delta')
  expect(deltas.length).toBeGreaterThan(8)
  expect(grown.heap / sessions).toBeLessThan(maxBytesPerSession)
  await runtime.close()
})

function kilobytes(bytes: number): string {
  return `${(bytes / sessions / 1_000).toFixed(1)} kB`
}
