import { randomBytes } from 'node:crypto'
import { chmod } from 'node:fs/promises'
import { expect, test, vi } from 'vitest'
import { callers } from './fixtures/callers.ts'
import { makePlace } from './fixtures/place.ts'
import type { Workspace } from './workspace.ts'

vi.setConfig({ testTimeout: 60_000 })

const file = 'user/hookline.config.yaml'

async function converse({ runtime, root }: Workspace): Promise<string> {
  const session = await runtime.openSession({ agent: 'main', cwd: root })
  await session.send('Go.').result
  return session.id
}

/** What was said, as it is read from the store. */
async function said({ runtime, root }: Workspace, id: string) {
  const session = await runtime.openSession({ agent: 'main', cwd: root, id })
  return session.messages.map(({ role }) => role)
}

/** The ids of the keys that entries of journals were written with. */
async function keysOf({ store }: Workspace): Promise<readonly string[]> {
  const sql = 'SELECT payload FROM journal ORDER BY session_id, seq'
  const rows = await store.parts.database.read({ sql, values: [] })
  return rows.map(({ payload }) => String(payload).split(':', 2).join(':'))
}

test('keys of payloads are rotated: the newest writes, all read, and what needs one that is gone names it', async () => {
  const place = await makePlace()
  const key = () => randomBytes(32).toString('base64')
  const old = await place.write('user/old.key', `${key()}\n`)
  await chmod(old, 0o600)
  const options = { models: callers(), env: { NEW_KEY: key() } }
  const oldKey = `{ id: k2025, file: ${old} }`
  const newKey = '{ id: k2026, env: NEW_KEY }'
  const open = async (...keys: readonly string[]) => {
    await place.write(file, `store: { payloadKeys: [${keys.join(', ')}] }`)
    return await place.open(options)
  }
  const before = await open(oldKey)
  const first = await converse(before)
  const roles = ['user', 'assistant', 'tool', 'assistant']
  expect(new Set(await keysOf(before))).toEqual(new Set(['hk1:k2025']))
  await before.store.memories.remember('main', 'tea', { text: 'Green tea.' })
  await before.close()

  const rotated = await open(newKey, oldKey)
  expect(await said(rotated, first)).toEqual(roles)
  const second = await converse(rotated)
  expect(new Set(await keysOf(rotated))).toEqual(
    new Set(['hk1:k2025', 'hk1:k2026']),
  )
  expect(await rotated.store.memories.recall('main', 'tea')).toHaveLength(1)
  const all = await keysOf(rotated)
  await rotated.close()

  const without = await open(newKey)
  expect(await said(without, second)).toEqual(roles)
  const names = { code: 'wrong-key', message: expect.stringContaining('k2025') }
  await expect(said(without, first)).rejects.toMatchObject(names)
  await expect(without.store.memories.list('main')).rejects.toMatchObject(names)
  expect((await keysOf(without)).length).toBeGreaterThanOrEqual(all.length)
  await without.close()

  await place.write(file, 'store: {}')
  const plain = await place.open(options)
  await expect(said(plain, second)).rejects.toMatchObject({
    message: expect.stringContaining('k2026'),
  })
  await plain.close()

  const again = await open(newKey, oldKey)
  expect(await said(again, first)).toEqual(roles)
  expect(await said(again, second)).toEqual(roles)
  expect(await again.store.memories.recall('main', 'tea')).toHaveLength(1)
})
