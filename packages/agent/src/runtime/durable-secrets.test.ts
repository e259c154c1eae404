import { ask, defineHook, proceed } from 'hookline'
import { audit, toolGuard, toolPreCall } from 'hookline/lifecycle'
import { expect, test } from 'vitest'
import { createPolicy, defineTool, type Model } from '../index.ts'
import {
  canariesIn,
  dumpDatabase,
  makeCanaries,
  toldSecrets,
} from '../store/content/fixtures/canaries.ts'
import { forEachDatabase } from '../store/fixtures/databases.ts'
import { beginLife } from './fixtures/durable.ts'

const canaries = makeCanaries(500)
const secrets = canaries.map(({ text }) => text).join('\n')
const question = canaries
  .slice(0, 20)
  .map(({ text }) => text)
  .join('\n')
const abilities = { tools: true, images: true, files: true, reasoning: true }
const usage = { inputTokens: 1, outputTokens: 1 }

/** Says everything it should not, wherever it can. */
const model: Model = {
  abilities,
  generate({ messages }) {
    const isAsked = messages.at(-1)?.role === 'user'
    const text = { type: 'text' as const, text: secrets }
    if (!isAsked) return { content: [text], stopReason: 'end_turn', usage }
    const args = { secrets, nested: { list: canaries.map((one) => one.text) } }
    const call = { type: 'tool_call' as const, id: 'c', tool: 'leak', args }
    return { content: [text, call], stopReason: 'tool_calls', usage }
  },
}

const leak = defineTool({
  name: 'leak',
  description: 'Says what it should not.',
  input: { type: 'object' },
  safety: 'mutating',
  execute: () => {
    throw new Error(secrets)
  },
})

const hooks = [
  defineHook({
    name: 'tells',
    on: toolPreCall,
    capabilities: [audit.kind],
    run: (_, { contribute, diagnose }) => {
      contribute(audit({ event: 'leak', details: { secrets } }))
      diagnose('leak', secrets)
      return proceed
    },
  }),
  defineHook({
    name: 'asks',
    on: toolGuard,
    run: () => ask(question),
  }),
]

forEachDatabase((kit) => {
  test('I6 T55 500 secrets through a whole turn are in no column but payloads', async () => {
    const place = await kit.newPlace()
    const life = await beginLife({
      place,
      hooks,
      tools: [leak],
      policy: createPolicy({ mode: 'open' }),
      models: { resolve: () => model },
      storeOptions: {
        key: 'a key of sixteen bytes or more',
        content: { runs: 'redacted', journal: 'redacted' },
        redactor: { secrets: toldSecrets(canaries) },
      },
    })
    const { store, runtime } = life
    const session = await runtime.openSession({ agent: 'main', id: 's' })
    const turn = session.send(secrets)
    await expect
      .poll(async () => (await store.approvals.pending()).items.length)
      .toBe(1)
    const [open] = (await store.approvals.pending()).items
    expect(canariesIn(JSON.stringify(open), canaries)).toEqual([])
    const { id = '', shownHash = '' } = open ?? {}
    const by = { kind: 'user', id: 'ann' } as const
    await store.approvals.answer(id, { type: 'allow', shownHash }, by)
    await turn.result
    await runtime.drain()
    const { database } = store.parts
    const outside = await dumpDatabase(database, 'others')
    expect(canariesIn(outside, canaries)).toEqual([])
    // They are there, where they have to be exact.
    const exact = await dumpDatabase(database, 'payloads')
    expect(canariesIn(exact, canaries).length).toBeGreaterThan(450)
    await life.close()
  }, 60_000)
})
