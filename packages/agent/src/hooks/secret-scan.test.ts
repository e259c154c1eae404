import { defineHook, transform } from 'hookline'
import { toolPreCall } from 'hookline/lifecycle'
import { expect, test } from 'vitest'
import { answeringTool } from './fixtures/answering-tool.ts'
import { callsOf, play } from './fixtures/play.ts'
import { type SecretScanOptions, secretScan } from './secret-scan.ts'

// In two pieces, so that nothing here has the shape of a key.
const key = `gh${'p'}_${'a1B2c3D4e5F6g7H8i9'.repeat(2)}`
const mark = '[secret:github]'

async function played(options: SecretScanOptions, chunks = 1) {
  const { tool, given } = answeringTool('look', `Found ${key} there.`)
  const script = [
    callsOf('look', { q: `say ${key}` }, { apiKey: 'k7R2m9QxT4wZ8LpV3n' }),
    { text: `So it is ${key}, as I said. And that was all.`, chunks },
  ]
  const result = await play(script, {
    ...{ plugins: [secretScan(options)], tools: [tool] },
    inputs: [`My key is ${key}.`],
  })
  return { ...result, given }
}

test('a secret is replaced wherever it stands, and nothing else is', async () => {
  const { given, model, turns, events } = await played({})
  expect(given).toEqual([{ q: `say ${mark}` }, { apiKey: '[secret:named]' }])
  const asked = JSON.stringify(model.requests)
  expect(asked).toContain(`My key is ${mark}.`)
  expect(asked).toContain(`Found ${mark} there.`)
  expect(turns[0]?.text).toBe(`So it is ${mark}, as I said. And that was all.`)
  expect(JSON.stringify([model.requests, turns, events])).not.toContain(key)
})

test('a secret that is split over chunks anywhere never goes out', async () => {
  for (const chunks of [1, 2, 3, 5, 8, 13, 21, 34, 55, 80]) {
    const { events } = await played({ at: ['output'] }, chunks)
    const deltas = events.flatMap((event) =>
      event.type === 'text-delta' ? [event.text] : [],
    )
    expect(deltas.join('')).toContain(`So it is ${mark}, as I said.`)
    expect(deltas.join('')).not.toContain('a1B2')
  }
})

test('text flows while there is nothing in it', async () => {
  const text = 'A quiet day in the office, as ever. '.repeat(40)
  const { events } = await play([{ text, chunks: 200 }], {
    plugins: [secretScan({})],
  })
  const deltas = events.filter(({ type }) => type === 'text-delta')
  expect(deltas.length).toBeGreaterThan(20)
})

test('what holds a secret can be refused', async () => {
  const input = await played({ action: 'reject' })
  expect(input.turns[0]).toMatchObject({ status: 'rejected' })
  const call = await played({ action: 'reject', at: ['tool-arguments'] })
  expect(call.statuses).toEqual(['denied', 'denied'])
  expect(call.given).toEqual([])
  const results = await played({ action: 'reject', at: ['tool-results'] })
  expect(JSON.stringify(results.model.requests.at(-1))).not.toContain(
    `Found ${key}`,
  )
  const output = await played({ action: 'reject', at: ['output'] }, 30)
  expect(output.turns[0]).toMatchObject({ status: 'withheld' })
  const told = output.events.filter(({ type }) => type === 'text-delta')
  expect(JSON.stringify(told)).not.toContain('a1B2')
})

test('what is only flagged stays', async () => {
  const { given, turns } = await played({ action: 'flag' })
  expect(given[0]).toEqual({ q: `say ${key}` })
  expect(turns[0]?.text).toContain(key)
})

test('what another hook writes into the arguments later is refused', async () => {
  const { tool, given } = answeringTool('look', 'Fine.')
  const late = defineHook({
    name: 'late',
    on: toolPreCall,
    priority: 2_000,
    writes: true,
    run: () => transform({ q: key }),
  })
  const { statuses } = await play(
    [callsOf('look', { q: 'x' }), { text: 'Done.' }],
    { plugins: [secretScan({})], tools: [tool], hooks: [late] },
  )
  expect(statuses).toEqual(['denied'])
  expect(given).toEqual([])
})

test('if it fails, nothing goes on', async () => {
  const plugin = secretScan({ at: ['output'] })
  const hooks = (plugin.hooks ?? []).map((hook) => ({
    ...hook,
    run: () => {
      throw new Error('Broken.')
    },
  }))
  const { turns, events } = await play([{ text: `It is ${key}.` }], { hooks })
  expect(turns[0]).toMatchObject({ status: 'withheld' })
  expect(JSON.stringify([turns, events])).not.toContain(key)
})

test.each([
  [{ action: 'shred' }, 'action'],
  [{ at: [] }, 'at'],
  [{ at: ['everywhere'] }, 'at'],
  [{ except: ['gitbub'] }, 'github'],
  [{ names: [''] }, 'names'],
  [{ kind: 'x' }, 'kind'],
])('options that do not fit are refused: %j', (options, word) => {
  expect(() => secretScan(options as SecretScanOptions)).toThrow(word)
})
