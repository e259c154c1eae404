import { readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createAudit } from '../audit/create-audit.ts'
import { createFileAnchors } from '../audit/file-anchors.ts'
import { formatAudit } from '../audit/format-audit.ts'
import { readAudit } from '../audit/verify-audit.ts'
import { createRedactor } from '../content/create-redactor.ts'
import {
  canariesIn,
  dumpDatabase,
  makeCanaries,
  toldSecrets,
} from '../content/fixtures/canaries.ts'
import { forEachDatabase } from '../fixtures/databases.ts'
import { makeParts } from './fixtures/make-parts.ts'
import { ended, started } from './fixtures/make-runs.ts'
import { shareDatabase } from './fixtures/share-database.ts'
import { createRunRecords } from './run-records.ts'

const canaries = makeCanaries(500)

forEachDatabase((kit) => {
  const open = shareDatabase(kit)
  test('I6 T55 of 500 secrets in what hooks are given and say, none is outside of a payload', async () => {
    const database = await open()
    const redactor = createRedactor({ secrets: toldSecrets(canaries) })
    const parts = { ...makeParts(database), redactor }
    const records = createRunRecords(parts, { content: 'full' })
    const folder = await mkdtemp(join(tmpdir(), 'hookline-canaries-'))
    const anchors = join(folder, 'anchors')
    const audit = createAudit(parts, {
      key: 'k1',
      anchor: createFileAnchors(anchors),
    })
    for (const [at, { text, data, secret }] of canaries.entries()) {
      const dispatch = `d${at}`
      const scope = { agent: text, sessionId: 's1', turnId: 't1' }
      const input = { id: text, args: data, text, [text]: text }
      const handler = { id: text, kind: 'command', version: text }
      records.start(started({ dispatch, scope, input, handler }))
      records.end(
        ended({
          dispatch,
          scope,
          handler,
          state: 'failed',
          failure: { code: 'threw', message: text },
          diagnostics: [{ code: text, message: text, safeForUser: true }],
        }),
      )
      const body = { text, data, [text]: [text] }
      const sensitive = { secret, data }
      audit.record({ kind: text, actor: text, body, sensitive })
    }
    await records.close()
    await audit.close()

    const others = await dumpDatabase(database, 'others')
    const found = canariesIn(others, canaries)
    expect(found.map(({ kind }) => kind)).toEqual([])
    const payloads = await dumpDatabase(database, 'payloads')
    expect(canariesIn(payloads, canaries)).toHaveLength(canaries.length)
    let shown = readFileSync(anchors, 'utf8')
    for await (const record of readAudit(parts)) shown += formatAudit(record)
    expect(canariesIn(shown, canaries)).toEqual([])
    await rm(folder, { recursive: true })
  })
})
