import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createDurableRuntime, openStore } from '../durable.ts'
import { createRuntime } from '../index.ts'
import { createDelegatePlugin } from '../plugins.ts'
import { scriptedModel } from '../testing/index.ts'
import { answeringTool } from './fixtures/answering-tool.ts'
import { callsOf, play } from './fixtures/play.ts'
import { type PiiRedactOptions, piiRedact } from './pii-redact.ts'

const anna = 'anna.keller@example.org'
const isMark = /\[email:[0-9a-f]{8}\]/g

test('equal values have equal marks everywhere in a session', async () => {
  const { tool, given } = answeringTool('find', `Anna: ${anna}, 203.0.113.7`)
  const script = [
    callsOf('find', { mail: anna }, { mail: anna }),
    { text: `It was ${anna}.`, chunks: 20 },
    { text: `Again ${anna.toUpperCase()}.` },
  ]
  const { model, turns, events } = await play(script, {
    ...{ plugins: [piiRedact({})], tools: [tool] },
    inputs: [`Write to ${anna}.`, 'Once more.'],
  })
  const marks = new Set(
    [given, model.requests, turns.map(({ text }) => text)].flatMap(
      (one) => JSON.stringify(one).match(isMark) ?? [],
    ),
  )
  expect(marks.size).toBe(1)
  expect(JSON.stringify([model.requests, turns, events])).not.toContain(anna)
  expect(JSON.stringify(model.requests)).toMatch(/\[ip:[0-9a-f]{8}\]/)
})

test('numbers and names in data are looked at, and so is what is disguised', async () => {
  const { tool, given } = answeringTool('find', 'Fine.')
  const card = 5_500_005_555_555_559
  const wide = anna.replace('@', '＠').replace('k', 'k\u200b')
  const args = { card, [anna]: 1, in: [{ deep: wide }], count: 7 }
  const { model } = await play([callsOf('find', args), { text: 'Done.' }], {
    ...{ plugins: [piiRedact({})], tools: [tool] },
    inputs: [`Pay with ${card}, ${anna}.`],
  })
  const all = JSON.stringify([given, model.requests])
  expect(all).not.toMatch(/5500|keller/)
  expect(new Set(all.match(isMark)).size).toBe(1)
  expect(given).toMatchObject([{ count: 7 }])
})

test('another session has other marks', async () => {
  const marks = await Promise.all(
    [1, 2].map(async () => {
      const script = [{ text: `It was ${anna}.` }]
      const { turns } = await play(script, { plugins: [piiRedact({})] })
      return turns[0]?.text
    }),
  )
  expect(marks[0]).not.toBe(marks[1])
})

test('a resumed session goes on with its marks', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'hookline-pii-'))
  const said = async (at: number) => {
    const file = join(folder, 'sessions.db')
    const store = await openStore({ database: { file } })
    const model = scriptedModel([{ text: `It was ${anna}.` }])
    const runtime = createDurableRuntime({
      store,
      models: { resolve: () => model },
      plugins: [piiRedact({})],
    })
    await runtime.register({ name: 'main', model: 'x', instructions: '' })
    const session = await runtime.openSession({ agent: 'main', id: 's' })
    const { text } = await session.send(`Question ${at}.`).result
    await runtime.close()
    await store.close()
    return text
  }
  const first = await said(1)
  expect(first).toMatch(/^It was \[email:\w{8}\]\.$/)
  expect(await said(2)).toBe(first)
  await rm(folder, { recursive: true })
})

test('sub-agents are looked at, too, with marks of their own', async () => {
  const models = {
    main: scriptedModel([
      {
        calls: [
          {
            tool: 'delegate',
            args: { tasks: [{ agent: 'child', task: `Ask ${anna}.` }] },
          },
        ],
      },
      { text: `Done, ${anna}.` },
    ]),
    child: scriptedModel([{ text: `I asked ${anna}.` }]),
  }
  const runtime = createRuntime({
    models: { resolve: (name) => models[name === 'child' ? 'child' : 'main'] },
    environment: '',
    plugins: [createDelegatePlugin(), piiRedact({})],
  })
  await runtime.register({ name: 'child', model: 'child', instructions: '' })
  await runtime.register({ name: 'main', model: 'main', instructions: '' })
  const session = await runtime.openSession({ agent: 'main', id: 's' })
  const { text } = await session.send('Go.').result
  await runtime.close()
  expect(text).toMatch(/^Done, \[email:\w{8}\]\.$/)
  expect(models.child.requests).toHaveLength(1)
  const all = JSON.stringify([models.main.requests, models.child.requests])
  expect(all).not.toContain(anna)
  expect(new Set(all.match(isMark)).size).toBe(2)
})

test('what is split over chunks never goes out', async () => {
  const text = `Please call Anna at +49 30 901820 or write to ${anna}, will you?`
  for (let chunks = 1; chunks <= text.length; chunks += 3) {
    const { events } = await play([{ text, chunks }], {
      plugins: [piiRedact({})],
    })
    const said = events
      .map((event) => (event.type === 'text-delta' ? event.text : ''))
      .join('')
    expect(said).toMatch(
      /^Please call Anna at \[phone:\w{8}\] or write to \[email:\w{8}\], will you\?$/,
    )
  }
})

test('kinds can be left out, and places, too', async () => {
  const script = [{ text: `It was ${anna}, 203.0.113.7.` }]
  const { turns } = await play(script, {
    plugins: [piiRedact({ kinds: { email: false }, at: ['output'] })],
    inputs: [`I am ${anna}.`],
  })
  expect(turns[0]?.text).toMatch(
    /^It was anna\.keller@example\.org, \[ip:\w{8}\]\.$/,
  )
})

test('a call with personal data can be denied', async () => {
  const { tool, given } = answeringTool('find', 'Fine.')
  const script = [callsOf('find', { mail: anna }), { text: 'Done.' }]
  const { statuses } = await play(script, {
    plugins: [piiRedact({ action: 'reject', at: ['tool-arguments'] })],
    tools: [tool],
  })
  expect(statuses).toEqual(['denied'])
  expect(given).toEqual([])
})

test.each([
  [{ kinds: { mail: true } }, 'mail'],
  [{ kinds: ['email'] }, 'kinds'],
  [{ action: 'mask' }, 'action'],
])('options that do not fit are refused: %j', (options, word) => {
  expect(() => piiRedact(options as PiiRedactOptions)).toThrow(word)
})
