import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, expect, test, vi } from 'vitest'
import { findHome } from './find-home.ts'
import {
  closeAll,
  makeFolder,
  onClose,
  startSmall,
} from './fixtures/small-server.ts'
import { openHome } from './home.ts'
import { clearSocket } from './socket-file.ts'

afterEach(closeAll)
afterEach(() => vi.restoreAllMocks())

const modeOf = (path: string) => lstatSync(path).mode & 0o777
const refusal = { code: 'unsafe-home' }

test('T44: a home and everything in it belongs to its owner alone', async () => {
  const old = process.umask(0)
  onClose(() => void process.umask(old))
  const path = join(makeFolder(), 'a', 'home')
  const { home } = await startSmall({ home: path })
  process.umask(old)
  expect(modeOf(path)).toBe(0o700)
  expect(modeOf(dirname(home.socket))).toBe(0o700)
  for (const file of ['token', 'principals.json']) {
    expect(modeOf(join(path, file))).toBe(0o600)
  }
  expect(modeOf(home.socket)).toBe(0o600)
  expect(readdirSync(path).sort()).toEqual(['principals.json', 'run', 'token'])
  expect(readFileSync(join(path, 'principals.json'), 'utf8')).not.toContain(
    home.token,
  )
})

test('T44: another user of the machine gets neither to the token nor to the socket', async () => {
  const { home } = await startSmall()
  const asOther = (command: string) =>
    spawnSync('/bin/sh', ['-c', command], {
      encoding: 'utf8',
      uid: 65_534,
      gid: 65_534,
      cwd: '/',
    })
  const run = dirname(home.socket)
  // Only root can become somebody else; all others see what the modes say.
  if (process.getuid?.() !== 0) {
    expect([modeOf(home.path), modeOf(run)]).toEqual([0o700, 0o700])
    return
  }
  chmodSync(dirname(home.path), 0o755)
  expect(asOther('echo here').stdout).toBe('here\n')
  for (const path of [join(home.path, 'token'), home.socket]) {
    const { status, stdout } = asOther(`cat "${path}"; ls "${path}"`)
    expect(status).not.toBe(0)
    expect(stdout).toBe('')
  }
})

test('the token stays the same, and is made anew when its file is removed', async () => {
  const path = join(makeFolder(), 'home')
  const all = await Promise.all(
    Array.from({ length: 8 }, () => openHome({ path })),
  )
  const [{ token, principals }] = all as [(typeof all)[0]]
  expect(new Set(all.map((home) => home.token)).size).toBe(1)
  expect(token).toMatch(/^hkl_[\w-]{43}$/)
  expect(findHome({ path })).toEqual({
    path,
    socket: join(path, 'run', 'daemon.sock'),
    token,
  })
  expect(principals.callerOf(token)).toEqual({
    kind: 'user',
    id: 'owner',
    rights: new Set(['run', 'approve', 'admin']),
  })
  rmSync(join(path, 'token'))
  const next = await openHome({ path })
  expect(next.token).not.toBe(token)
  expect(principals.callerOf(token)).toBeUndefined()
  expect(principals.callerOf(next.token)?.id).toBe('owner')
})

test.each(['home', 'home/run'])(
  'T44: %s that is a link is not used',
  async (name) => {
    const folder = makeFolder()
    const elsewhere = join(folder, 'elsewhere')
    mkdirSync(elsewhere, { mode: 0o700 })
    const path = join(folder, 'home')
    if (name !== 'home') mkdirSync(path, { mode: 0o700 })
    symlinkSync(elsewhere, join(folder, name))
    await expect(openHome({ path })).rejects.toMatchObject(refusal)
    expect(readdirSync(elsewhere)).toEqual([])
  },
)

test('T44: a link that leads nowhere is not followed', async () => {
  const folder = makeFolder()
  symlinkSync(join(folder, 'nowhere'), join(folder, 'home'))
  await expect(openHome({ path: join(folder, 'home') })).rejects.toMatchObject(
    refusal,
  )
  expect(existsSync(join(folder, 'nowhere'))).toBe(false)
})

test.each([0o777, 0o770, 0o755, 0o701])(
  'T44: a home with mode %o is not used, by daemons or clients',
  async (mode) => {
    const path = join(makeFolder(), 'home')
    await openHome({ path })
    chmodSync(path, mode)
    await expect(openHome({ path })).rejects.toMatchObject(refusal)
    expect(() => findHome({ path })).toThrow('is open to others')
  },
)

test('T44: a home in a folder that others can write is not used', async () => {
  const open = join(makeFolder(), 'open')
  mkdirSync(open)
  chmodSync(open, 0o777)
  const path = join(open, 'home')
  await expect(openHome({ path })).rejects.toThrow('can be written by others')
  chmodSync(open, 0o1777)
  expect((await openHome({ path })).path).toBe(path)
})

test('T44: a home, a folder or a token of somebody else is not used', async () => {
  const path = join(makeFolder(), 'home')
  await openHome({ path })
  const self = process.getuid?.() ?? 0
  vi.spyOn(process, 'getuid').mockReturnValue(self + 1)
  await expect(openHome({ path })).rejects.toThrow('belongs to somebody else')
  expect(() => findHome({ path })).toThrow('belongs to somebody else')
  await expect(
    clearSocket(join(path, 'run', 'daemon.sock')),
  ).rejects.toMatchObject(refusal)
})

test.each(['token', 'principals.json'])(
  'T44: a file %s that others prepared is not used',
  async (name) => {
    const path = join(makeFolder(), 'home')
    await openHome({ path })
    const file = join(path, name)
    const text = readFileSync(file)
    chmodSync(file, 0o644)
    await expect(openHome({ path })).rejects.toThrow('is open to others')
    rmSync(file)
    const other = join(dirname(path), 'other')
    writeFileSync(other, text, { mode: 0o600 })
    symlinkSync(other, file)
    await expect(openHome({ path })).rejects.toThrow('is a link')
    rmSync(file)
    linkSync(other, file)
    await expect(openHome({ path })).rejects.toThrow('is not one plain file')
    rmSync(file)
    mkdirSync(file, { mode: 0o700 })
    await expect(openHome({ path })).rejects.toMatchObject(refusal)
  },
)

test('T44: what stands at the place of the socket and is none is not replaced', async () => {
  const path = join(makeFolder(), 'home')
  const { socket } = await openHome({ path })
  const target = join(path, 'target')
  writeFileSync(target, 'precious')
  for (const make of [
    () => symlinkSync(target, socket),
    () => writeFileSync(socket, 'x'),
    () => mkdirSync(socket),
  ]) {
    make()
    await expect(startSmall({ home: path })).rejects.toMatchObject({
      code: 'unsafe-socket',
    })
    rmSync(socket, { recursive: true })
  }
  expect(readFileSync(target, 'utf8')).toBe('precious')
})

test('T44: a socket that somebody else listens on is left alone', async () => {
  const path = join(makeFolder(), 'home')
  const { socket } = await openHome({ path })
  const other = createServer().listen(socket)
  onClose(() => new Promise((resolve) => other.close(() => resolve())))
  await new Promise((resolve) => other.once('listening', resolve))
  await expect(startSmall({ home: path })).rejects.toMatchObject({
    code: 'already-running',
  })
  expect(lstatSync(socket).isSocket()).toBe(true)
})

test('a home whose path is too long for a socket has it in a short private folder, and says so', async () => {
  const path = join(makeFolder(), 'x'.repeat(90), 'home')
  const env = { HOOKLINE_HOME: path }
  const home = await openHome({ env })
  const folder = dirname(home.socket)
  onClose(() => rmSync(folder, { recursive: true }))
  expect(home.path).toBe(path)
  expect(dirname(folder)).toBe('/tmp')
  expect(home.socketNote).toContain('too long')
  expect(modeOf(folder)).toBe(0o700)
  expect(findHome({ env })?.socket).toBe(home.socket)
  chmodSync(folder, 0o777)
  await expect(openHome({ env })).rejects.toMatchObject(refusal)
  expect(() => findHome({ env })).toThrow('is open to others')
})

test('the environment says where a home is', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'hl-'))
  onClose(() => rmSync(folder, { recursive: true }))
  const pathOf = async (env: Record<string, string>) =>
    (await openHome({ env })).path
  expect(
    await pathOf({ HOOKLINE_HOME: join(folder, 'a'), XDG_STATE_HOME: folder }),
  ).toBe(join(folder, 'a'))
  expect(await pathOf({ XDG_STATE_HOME: folder, HOME: folder })).toBe(
    join(folder, 'hookline'),
  )
  expect(await pathOf({ HOME: folder })).toBe(
    join(folder, '.local', 'state', 'hookline'),
  )
  expect(findHome({ env: { HOME: join(folder, 'nobody') } })).toBeUndefined()
})
