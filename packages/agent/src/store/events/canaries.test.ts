import { expect, test } from 'vitest'
import { createRedactor } from '../content/create-redactor.ts'
import {
  canariesIn,
  dumpDatabase,
  makeCanaries,
  toldSecrets,
} from '../content/fixtures/canaries.ts'
import { forEachDatabase } from '../fixtures/databases.ts'
import { createInbox } from '../inbox/stored-inbox.ts'
import { makeParts } from '../runs/fixtures/make-parts.ts'
import { shareDatabase } from '../runs/fixtures/share-database.ts'
import { infoOf } from '../sessions/fixtures/entries.ts'
import { openProcess } from '../sessions/fixtures/open-process.ts'
import { createSignals } from '../signals/signal-hub.ts'
import { createWakes } from '../wakes/stored-wakes.ts'
import { textEvent } from './fixtures/text-event.ts'
import { createEventLog } from './stored-events.ts'

const canaries = makeCanaries(500)

forEachDatabase((kit) => {
  const open = shareDatabase(kit)

  test('T55 of 500 secrets in what processes tell each other, none is outside of a payload', async () => {
    const database = await open()
    const redactor = createRedactor({ secrets: toldSecrets(canaries) })
    const parts = { ...makeParts(database), redactor }
    const { store } = await openProcess(database, 'w1')
    await store.create(infoOf('s1'))
    const signals = createSignals(parts)
    const events = createEventLog(parts, { signals })
    const inbox = createInbox(parts, { signals })
    const wakes = createWakes(parts, { signals, maxPerMinute: 1_000 })
    for (const [at, { text, data }] of canaries.entries()) {
      const body = { text, data, [text]: text }
      void events.append([textEvent('s1', at, text)])
      void events.notice('alarm', body)
      const by = text
      const { id } = await inbox.put({
        sessionId: 's1',
        kind: 'send',
        key: text,
        body,
        by,
      })
      if (at % 2 === 0) await inbox.done([id])
      if (at < 50) {
        const agent = text.slice(0, 200)
        await wakes.add({ event: `e${at}`, agent, prompt: text, by })
        await wakes.fire({
          name: `e${at}`,
          key: text,
          data: body,
          depth: 0,
          by,
        })
      }
    }
    await events.close()
    const others = await dumpDatabase(database, 'others')
    const found = canariesIn(others, canaries)
    expect(found.map(({ kind }) => kind)).toEqual([])
    const payloads = await dumpDatabase(database, 'payloads')
    expect(canariesIn(payloads, canaries)).toHaveLength(canaries.length)
  }, 60_000)
})
