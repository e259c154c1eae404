import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { closeAll, makeFolder } from './fixtures/small-server.ts'
import { openHome } from './home.ts'

afterEach(closeAll)

test('a principal has a token, rights and perhaps an end', async () => {
  const path = join(makeFolder(), 'home')
  let now = 1_000
  const { principals } = await openHome({ path, now: () => now })
  const { token, principal } = await principals.create({
    name: 'ci',
    kind: 'service',
    rights: ['run', 'run'],
    expiresAt: 2_000,
  })
  expect(principal).toMatchObject({
    name: 'ci',
    rights: ['run'],
    createdAt: 1_000,
  })
  expect(principals.callerOf(token)).toEqual({
    kind: 'service',
    id: 'ci',
    rights: new Set(['run']),
  })
  now = 2_000
  expect(principals.callerOf(token)).toBeUndefined()
  expect(principals.list().map(({ name }) => name)).toEqual(['owner', 'ci'])
  expect(readFileSync(join(path, 'principals.json'), 'utf8')).not.toContain(
    token,
  )
})

test('what another process changes counts at once', async () => {
  const path = join(makeFolder(), 'home')
  const daemon = await openHome({ path })
  const command = await openHome({ path })
  const { token } = await command.principals.create({
    name: 'a',
    rights: ['run'],
  })
  expect(daemon.principals.callerOf(token)?.id).toBe('a')
  expect(await command.principals.revoke('a')).toBe(true)
  expect(await command.principals.revoke('a')).toBe(false)
  expect(daemon.principals.callerOf(token)).toBeUndefined()
})

test('many that are created at once are all kept', async () => {
  const path = join(makeFolder(), 'home')
  const homes = await Promise.all(
    Array.from({ length: 4 }, () => openHome({ path })),
  )
  const made = await Promise.all(
    homes.flatMap(({ principals }, at) =>
      [0, 1, 2, 3].map((n) =>
        principals.create({ name: `p${at}-${n}`, rights: ['run'] }),
      ),
    ),
  )
  const [first] = homes
  expect(first?.principals.list()).toHaveLength(17)
  for (const { token, principal } of made) {
    expect(first?.principals.callerOf(token)?.id).toBe(principal.name)
  }
})

test.each(['', 'A', 'a b', '../x', 'owner', 'anybody', 'x'.repeat(101)])(
  '%j cannot be the name of one',
  async (name) => {
    const { principals } = await openHome({ path: join(makeFolder(), 'home') })
    await expect(principals.create({ name, rights: [] })).rejects.toMatchObject(
      { code: 'bad-principal' },
    )
  },
)

test('a name is given once, and the owner stays', async () => {
  const { principals } = await openHome({ path: join(makeFolder(), 'home') })
  await principals.create({ name: 'a', rights: [] })
  await expect(principals.create({ name: 'a', rights: [] })).rejects.toThrow(
    'already',
  )
  await expect(principals.revoke('owner')).rejects.toThrow('cannot be revoked')
})

test('a file that cannot be understood lets nobody in', async () => {
  const path = join(makeFolder(), 'home')
  const { principals, token } = await openHome({ path })
  for (const text of [
    '{',
    '{}',
    '{"version":2,"principals":[]}',
    '{"version":1,"principals":[{"name":"x"}]}',
  ]) {
    writeFileSync(join(path, 'principals.json'), text)
    expect(() => principals.callerOf(token)).toThrow('nobody is let in')
    await expect(openHome({ path })).rejects.toMatchObject({
      code: 'corrupt-home',
    })
  }
})
