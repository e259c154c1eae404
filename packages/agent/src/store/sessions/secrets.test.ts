import { randomBytes } from 'node:crypto'
import { defineCell } from 'hookline'
import type { JsonObject, Message } from 'hookline/lifecycle'
import { describe, expect, test } from 'vitest'
import type { JournalEntry } from '../../ports/store.ts'
import { createStoredState } from '../cells/stored-state.ts'
import { createPayloads } from '../content/create-payloads.ts'
import { createRedactor } from '../content/create-redactor.ts'
import {
  type Canary,
  canariesIn,
  dumpDatabase,
  makeCanaries,
  toldSecrets,
} from '../content/fixtures/canaries.ts'
import { plainPayloads } from '../content/payloads.ts'
import type { Database } from '../database.ts'
import { forEachDatabase } from '../fixtures/databases.ts'
import { createMemories } from '../memories/memories.ts'
import { exportSession } from './export-session.ts'
import {
  callEnd,
  callOf,
  callSeal,
  stepOpen,
  turnEnd,
  turnStart,
} from './fixtures/entries.ts'
import { openProcess, type ProcessOptions } from './fixtures/open-process.ts'
import { getSession, listSessions, listTurns } from './list-sessions.ts'

const canaries = makeCanaries()
const redactor = createRedactor({ secrets: toldSecrets(canaries) })

/** A turn with the secret in every place that people, models and tools fill. */
function turnWith({ text, data }: Canary, at: number): readonly JournalEntry[] {
  const turnId = `t${at}`
  const call = {
    ...callOf(`c${at} ${text}`, data),
    tool: `tool ${text}`,
    owner: text,
    seal: 'a hash',
    originalArgs: { ...data, text },
    grant: { ...callOf('').grant, reason: text, roots: [text] },
  }
  const seal = callSeal(turnId, '')
  const content = [{ type: 'text', text } as const]
  const said: Message = { role: 'user', content }
  const questions = [{ by: text, question: text }]
  const { ended } = callEnd(turnId, '')
  const result = { content, isError: true, error: 'tool' } as const
  const end = turnEnd(turnId, text)
  const summary = { ...end.summary, model: text, userPreview: text }
  return [
    {
      ...turnStart(turnId, at + 1),
      content,
      inputId: text,
      actor: { kind: 'user', id: text },
    },
    {
      ...stepOpen(turnId, 1),
      tail: { from: 0, committed: 0, shown: [said], kept: [said] },
    },
    { type: 'call-wait', turnId, question: { id: text, call, questions } },
    { ...seal, call, approvedBy: { kind: 'person', name: text } },
    { type: 'call-end', turnId, ended: { ...ended, call, result } },
    { type: 'step-commit', turnId, messages: [said] },
    { type: 'compaction', removedCount: 1, replacement: said },
    { ...end, status: 'failed', summary: { ...summary, errorPreview: text } },
  ]
}

/** Puts all secrets through everything of the store that takes content. */
async function spread(database: Database, options: ProcessOptions) {
  const { store, parts } = await openProcess(database, 'w1', options)
  const [first, second] = canaries
  const cwd = `/home/${first?.text}`
  const info = { id: 's1', agent: `${second?.text}`, cwd, createdAt: 1 }
  await store.create(info)
  await Promise.all(
    canaries.map((canary, at) => store.append('s1', turnWith(canary, at))),
  )
  await store.drain()
  const state = createStoredState(parts)
  const cell = defineCell<JsonObject>('notes', {
    initial: () => ({}),
    maxChars: 10_000_000,
  })
  const all = Object.fromEntries(canaries.map(({ text }) => [text, text]))
  await state.at({}).update(cell, () => all)
  const memories = createMemories(parts)
  await Promise.all(
    canaries.map(({ text, data }, at) => {
      const content = `${text} ${JSON.stringify(data)}`
      return memories.remember(text, `note ${at}`, { text: content })
    }),
  )
  return { store, parts, info }
}

/** What the text still has, said so that a failure can be read. */
function kindsIn(text: string): readonly string[] {
  return [...new Set(canariesIn(text, canaries).map(({ kind }) => kind))]
}

forEachDatabase((kit) => {
  describe('T55 of 500 secrets', () => {
    test('none is outside of payloads, and all that needs them has them', async () => {
      const database = await kit.open()
      const { store, parts, info } = await spread(database, {
        redactor,
        payloads: plainPayloads,
        store: { content: 'redacted', snapshotEvery: 1_000 },
      })
      const payloads = await dumpDatabase(database, 'payloads')
      expect(canariesIn(payloads, canaries).length).toBeGreaterThan(450)
      const others = await dumpDatabase(database, 'others')
      expect(others.length).toBeGreaterThan(100_000)
      expect(kindsIn(others)).toEqual([])

      const shown = JSON.stringify([
        await listSessions(parts),
        await getSession(parts, 's1'),
        await listTurns(parts, 's1', { limit: 1_000 }),
      ])
      expect(kindsIn(shown)).toEqual([])
      const exported = JSON.stringify(await exportSession(parts, 's1'))
      expect(canariesIn(exported, canaries).length).toBeGreaterThan(450)

      const loaded = await store.load('s1')
      expect(loaded?.info).toEqual(info)
      expect(loaded?.inputs.size).toBe(500)
      await store.delete('s1')
      const left = await dumpDatabase(database, 'others')
      expect(kindsIn(left)).toEqual([])
    }, 120_000)

    test('T60 none is anywhere, with a key', async () => {
      const database = await kit.open()
      const keys = [{ id: 'one', secret: randomBytes(32) }]
      const { store } = await spread(database, {
        redactor,
        payloads: createPayloads({ keys }),
        store: { snapshotEvery: 1_000 },
      })
      for (const what of ['payloads', 'others'] as const) {
        const dump = await dumpDatabase(database, what)
        expect(kindsIn(dump)).toEqual([])
      }
      expect((await store.load('s1'))?.turns).toBe(500)
    }, 120_000)
  })

  test('T55 errors say nothing of what was being written', async () => {
    const failpoints = {
      'session.append:before-commit': { do: 'throw' },
    } as const
    const { store } = await openProcess(await kit.open({ failpoints }), 'w1')
    const [canary] = canaries
    if (canary === undefined) throw new Error('There are none.')
    const [id, agent, cwd] = ['s1', canary.text, canary.text]
    await store.create({ id, agent, cwd, createdAt: 1 })
    const failed: Error = await store.append('s1', turnWith(canary, 0)).then(
      () => new Error('It went through.'),
      (error) => error,
    )
    const told = `${failed.message} ${failed.stack} ${failed.cause}`
    expect(told).toContain('session.append')
    expect(kindsIn(told)).toEqual([])
  })
})
