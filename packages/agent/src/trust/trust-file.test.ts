import {
  chmodSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { startChild } from '../store/fixtures/child.ts'
import { command, type TrustWorld, trustWorld } from './fixtures/trust-world.ts'
import type { Trust } from './trust.ts'
import type { TrustSource } from './trust-source.ts'

let world: TrustWorld
let trust: Trust
let source: TrustSource
let path: string

beforeEach(async () => {
  world = trustWorld()
  trust = world.open()
  source = command(world, { argv: ['true'] })
  path = join(world.state, 'trust.json')
  await trustAll(trust)
})

afterEach(() => world[Symbol.dispose]())

async function trustAll(by: Trust) {
  const { items } = by.inspect(world.project, [source])
  await by.trust(items.map(({ hash }) => hash))
}

function look() {
  const { items, problems } = trust.inspect(world.project, [source])
  return { state: items[0]?.state, problem: problems.join() }
}

test('the file is for its owner alone, in a folder for its owner alone', () => {
  expect(lstatSync(path).mode & 0o777).toBe(0o600)
  expect(lstatSync(world.state).mode & 0o777).toBe(0o700)
  expect(readdirSync(world.state)).toEqual(['trust.json'])
})

test.each<[string, () => void]>([
  ['is empty', () => writeFileSync(path, '')],
  [
    'is cut off',
    () => {
      const text = readFileSync(path, 'utf8')
      writeFileSync(path, text.slice(0, text.length / 2))
    },
  ],
  ['is something else', () => writeFileSync(path, '{"trusted":[],"shown":[]}')],
  [
    'has a key twice',
    () => {
      const text = readFileSync(path, 'utf8')
      writeFileSync(path, text.replace('{', '{"format":"hookline-trust/1",'))
    },
  ],
  [
    'has an entry that is not complete',
    () => {
      const text = readFileSync(path, 'utf8')
      writeFileSync(path, text.replace('"at"', '"when"'))
    },
  ],
  [
    'has a hash that is none',
    () => {
      const text = readFileSync(path, 'utf8')
      writeFileSync(path, text.replace(/"hash": "..../, '"hash": "'))
    },
  ],
  ['is not UTF-8', () => writeFileSync(path, Buffer.from([0xff, 0xfe]))],
  [
    'is a link',
    () => {
      renameSync(path, join(world.base, 'elsewhere'))
      symlinkSync(join(world.base, 'elsewhere'), path)
    },
  ],
  ['has a second name', () => linkSync(path, join(world.base, 'second'))],
  [
    'is a folder',
    () => {
      renameSync(path, join(world.base, 'elsewhere'))
      mkdirSync(path)
    },
  ],
  ['can be written by others', () => chmodSync(path, 0o666)],
  ['can be written by the group', () => chmodSync(path, 0o620)],
  [
    'is in a folder that others can write to',
    () => chmodSync(world.state, 0o777),
  ],
  [
    'is in a folder that is a link',
    () => {
      renameSync(world.state, join(world.base, 'moved'))
      symlinkSync(join(world.base, 'moved'), world.state)
    },
  ],
])(
  'F128 where the file %s, everything is untrusted, says so, and stays as it is',
  async (_what, damage) => {
    expect(look()).toEqual({ state: 'trusted', problem: '' })
    damage()
    const { state, problem } = look()
    expect(state).toBe('untrusted')
    expect(problem).toMatch(/nothing is trusted.*(look|Look) at it/)
    const before =
      existsSync(path) && lstatSync(path).isFile() && readFileSync(path)
    await expect(trustAll(trust)).rejects.toMatchObject({
      code: expect.stringMatching(/corrupt|unsafe/),
    })
    await expect(trust.revoke([])).rejects.toThrow()
    expect(
      existsSync(path) && lstatSync(path).isFile() && readFileSync(path),
    ).toEqual(before)
  },
)

test('F128 a file of somebody else trusts nothing', () => {
  const uid = process.getuid?.() ?? 0
  const who = vi.spyOn(process, 'getuid').mockReturnValue(uid + 1)
  try {
    expect(look()).toMatchObject({
      state: 'untrusted',
      problem: expect.stringContaining('belongs to somebody else'),
    })
  } finally {
    who.mockRestore()
  }
  expect(look().state).toBe('trusted')
})

test('F128 a lock holds up nobody who asks; who changes something waits, and then says so', async () => {
  const lock = join(world.state, 'trust.lock')
  writeFileSync(lock, String(process.pid))
  expect(look().state).toBe('trusted')
  const other = world.open({ lockWaitMs: 100 })
  await expect(trustAll(other)).rejects.toMatchObject({ code: 'locked-store' })
  expect(look().state).toBe('trusted')
})

test('a lock that its owner left behind is removed', async () => {
  const lock = join(world.state, 'trust.lock')
  const { process: child, ended } = startChild(program, task(false))
  await ended
  writeFileSync(lock, String(child.pid))
  const longAgo = Date.now() / 1_000 - 10
  utimesSync(lock, longAgo, longAgo)
  await trust.revoke([])
  expect(readdirSync(world.state)).toEqual(['trust.json'])
})

test('what a process that was ended left half written is removed', async () => {
  writeFileSync(`${path}.123.abcdef`, '{')
  await trust.revoke([])
  expect(readdirSync(world.state)).toEqual(['trust.json'])
})

test('where the folder cannot be made, nothing is lost and it is said', async () => {
  const blocked = join(world.base, 'blocked')
  writeFileSync(blocked, '')
  const other = world.open({ folder: join(blocked, 'hookline') })
  await expect(trustAll(other)).rejects.toMatchObject({
    code: 'unwritable-store',
  })
})

const program = new URL('./fixtures/trust-program.ts', import.meta.url)

function task(isTrusting: boolean, sources = [source]) {
  return { state: world.state, project: world.project, sources, isTrusting }
}

test('processes that trust at the same time lose nothing of each other', {
  timeout: 60_000,
}, async () => {
  const each = 10
  const sourcesOf = (child: number) =>
    Array.from({ length: each }, (_, index) =>
      command(
        world,
        { argv: ['true', `${child}.${index}`] },
        `h${child}.${index}`,
      ),
    )
  const children = [1, 2, 3, 4].map((child) =>
    startChild(program, task(true, sourcesOf(child))),
  )
  const ends = await Promise.all(children.map(({ ended }) => ended))
  expect(ends.map(({ code, errors }) => [code, errors])).toEqual(
    ends.map(() => [0, '']),
  )
  expect(trust.list()).toHaveLength(4 * each + 1)
  expect(readdirSync(world.state)).toEqual(['trust.json'])
})

test('one that is killed at any moment leaves a file that can be read', {
  timeout: 60_000,
}, async () => {
  const sources = Array.from({ length: 200 }, (_, index) =>
    command(world, { argv: ['true', `${index}`] }, `h${index}`),
  )
  for (let round = 1; round <= 2; round++) {
    const { process: child, ended } = startChild(program, task(true, sources))
    const count = trust.list().length
    // In the midst of it: it has written some, and others are to come.
    await expect
      .poll(() => trust.list().length, { interval: 1 })
      .toBeGreaterThan(Math.min(count, 20 * round))
    child.kill('SIGKILL')
    await ended
    expect(look().problem).toBe('')
    const lock = join(world.state, 'trust.lock')
    if (existsSync(lock)) utimesSync(lock, 1, 1)
  }
})
