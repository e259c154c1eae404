import { expect, test } from 'vitest'
import type { ContentLevel } from '../content/content-level.ts'
import { forEachDatabase } from '../fixtures/databases.ts'
import { findRun } from '../queries/list-runs.ts'
import { makeParts } from './fixtures/make-parts.ts'
import { ended, started } from './fixtures/make-runs.ts'
import { readOnly } from './fixtures/read-rows.ts'
import { shareDatabase } from './fixtures/share-database.ts'
import { createRunRecords } from './run-records.ts'

const secret = 'ghp_0123456789abcdefghijABCDEFGHIJ012345'
const token = `the token is ${secret}`
const input = Object.freeze({ id: 'c1', args: { note: token } })

const failure = { code: 'threw', message: token } as const
const diagnostics = [{ code: 'seen', message: token, safeForUser: true }]
const said = {
  payload: { note: token },
  contributed: [{ by: 'guard', kind: 'notice', value: token }],
}
const spoken = ended(
  { state: 'failed', answer: 'reject', reason: token, failure, diagnostics },
  said,
)

forEachDatabase((kit) => {
  const open = shareDatabase(kit)
  /** All columns of one run that was given, and said, a secret. */
  async function recorded(content?: ContentLevel) {
    const parts = makeParts(await open())
    const records = createRunRecords(parts, content ? { content } : {})
    records.start(started({ input }))
    records.end(spoken)
    await records.flush()
    const run = await findRun(parts, 'd1/guard')
    const { payload, ...row } = await readOnly(
      parts.database,
      'SELECT * FROM runs',
    )
    return { run, payload, text: JSON.stringify(row) }
  }

  test('without content there is nothing of the input, and nothing the hook said', async () => {
    const { run, payload, text } = await recorded('none')
    expect(run).toMatchObject({ state: 'failed', inputHash: undefined })
    expect(run?.failure).toEqual({ code: 'threw', message: '' })
    const { diagnostics: told, content, reason } = run ?? {}
    expect([told, content, reason, run?.said, payload]).toEqual([
      [],
      undefined,
      undefined,
      undefined,
      null,
    ])
    expect(text).not.toContain('token')
  })

  test('by default there are hashes of the input, and what the hook said without secrets', async () => {
    const { run, payload, text } = await recorded()
    const message = 'the token is [redacted]'
    expect(run?.inputHash).toHaveLength(64)
    expect(run?.failure).toEqual({ code: 'threw', message })
    const safe = { code: 'seen', message, safeForUser: true }
    expect(run?.diagnostics).toEqual([safe])
    expect([run?.content, run?.reason, run?.said, payload]).toEqual([
      undefined,
      undefined,
      undefined,
      null,
    ])
    expect(text).not.toContain(secret)
  })

  test('a redacted copy of the input, and of what the hook said, has no secret in it', async () => {
    const { run, payload, text } = await recorded('redacted')
    const args = { note: 'the token is [redacted]' }
    expect(JSON.parse(run?.content ?? '')).toEqual({ id: 'c1', args })
    expect(run?.reason).toBe('the token is [redacted]')
    expect(JSON.parse(run?.said ?? '')).toEqual({
      value: args,
      contributed: [{ kind: 'notice', value: 'the token is [redacted]' }],
    })
    expect(payload).toBeNull()
    expect(text).not.toContain(secret)
  })

  test('the whole input is in the payload, and nowhere else', async () => {
    const { run, payload, text } = await recorded('full')
    expect(JSON.parse(String(payload))).toEqual(input)
    expect(run?.content).toContain('[redacted]')
    expect(text).not.toContain(secret)
  })

  test('what a hook says, and what it was given, is bounded', async () => {
    const parts = makeParts(await open())
    const records = createRunRecords(parts, { content: 'redacted' })
    const many = Array.from({ length: 50 }, () => ({
      code: 'c'.repeat(1_000),
      message: 'm'.repeat(1_000),
      safeForUser: false,
    }))
    const large = Object.freeze({ text: 'x'.repeat(200_000) })
    records.start(started({ input: large }))
    const reason = 'r'.repeat(9_000)
    records.end(ended({ diagnostics: many, reason }, { payload: large }))
    await records.flush()
    const run = await findRun(parts, 'd1/guard')
    expect(run?.diagnostics).toHaveLength(16)
    expect(run?.diagnostics[0]?.message).toHaveLength(512)
    expect(run?.reason).toHaveLength(4_096)
    expect(run?.content).toHaveLength(65_536)
    expect(run?.said).toHaveLength(65_536)
  })

  test('what a hook says is written with its end, after its start was', async () => {
    const parts = makeParts(await open())
    const records = createRunRecords(parts, { content: 'redacted' })
    records.start(started())
    await records.flush()
    records.end(ended({ answer: 'transform' }, { payload: { path: 'b' } }))
    await records.flush()
    const run = await findRun(parts, 'd1/guard')
    expect(JSON.parse(run?.said ?? '')).toMatchObject({ value: { path: 'b' } })
  })

  test('what JSON cannot say has no hash, and is no failure', async () => {
    const parts = makeParts(await open())
    const records = createRunRecords(parts, { content: 'full' })
    const circle: Record<string, unknown> = {}
    circle['self'] = circle
    records.start(started({ input: Object.freeze(circle) }))
    records.start(started({ dispatch: 'd2', input: { count: 1n } }))
    await records.flush()
    for (const id of ['d1/guard', 'd2/guard']) {
      const run = await findRun(parts, id)
      expect(run).toMatchObject({ state: 'started', inputHash: undefined })
    }
  })

  test('T60 with a key, hashes of small inputs cannot be found by trying', async () => {
    const parts = makeParts(await open())
    const plain = createRunRecords(parts)
    const keyed = createRunRecords(parts, { key: 'k1' })
    const other = createRunRecords(parts, { key: 'k2' })
    plain.start(started({ dispatch: 'plain', input: 'yes' }))
    keyed.start(started({ dispatch: 'keyed', input: 'yes' }))
    keyed.start(started({ dispatch: 'again', input: 'yes' }))
    other.start(started({ dispatch: 'other', input: 'yes' }))
    for (const records of [plain, keyed, other]) await records.flush()
    const hashOf = async (dispatch: string) => {
      const run = await findRun(parts, `${dispatch}/guard`)
      return { input: run?.inputHash, key: run?.idempotencyKey }
    }
    const hashes = await Promise.all(['plain', 'keyed', 'other'].map(hashOf))
    expect(new Set(hashes.map(({ input }) => input)).size).toBe(3)
    expect(new Set(hashes.map(({ key }) => key)).size).toBe(3)
    expect(await hashOf('again')).toEqual(await hashOf('keyed'))
  })
})
