import { expect, test } from 'vitest'
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
