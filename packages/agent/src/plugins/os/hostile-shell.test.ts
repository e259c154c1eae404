import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import {
  mkdir,
  readdir,
  readFile,
  rm,
  symlink,
  writeFile,
} from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { needBubblewrap } from '../../handlers/command/fixtures/bubblewrap.ts'
import { openOs } from './fixtures/open-os.ts'

async function openRepository() {
  const os = await openOs({}, { sandbox: 'workspace' })
  execFileSync('git', ['init', '-q', os.work])
  return os
}

describe('a hostile command in a sandbox', () => {
  beforeAll(needBubblewrap)

  test('T08 gets at no git hook by moving what it is in', async () => {
    const { work, call } = await openRepository()
    const command =
      'mv .git g; mkdir -p .git/hooks; cp -r g/. .git; echo x > .git/hooks/pre-commit'
    await call('shell', { command })
    expect(existsSync(join(work, 'g'))).toBe(false)
    expect(existsSync(join(work, '.git/hooks/pre-commit'))).toBe(false)
  })

  test.each([
    'git config core.fsmonitor evil',
    'echo ../evil > .git/commondir',
    'mkdir -p .git/modules/x/hooks; echo x > .git/modules/x/hooks/pre-commit',
    'echo x > hookline.config.ts',
  ])('T08 does not have git or hookline run things: %s', async (command) => {
    const { work, call } = await openRepository()
    await writeFile(join(work, 'hookline.config.ts'), 'mine')
    const config = await readFile(join(work, '.git/config'), 'utf8')
    expect((await call('shell', { command })).isError).toBe(true)
    expect(await readFile(join(work, '.git/config'), 'utf8')).toBe(config)
    const own = await readFile(join(work, 'hookline.config.ts'), 'utf8')
    expect(own).toBe('mine')
    expect(existsSync(join(work, '.git/commondir'))).toBe(false)
    expect(existsSync(join(work, '.git/modules'))).toBe(false)
  })

  test('git can still be worked with', async () => {
    const { call } = await openRepository()
    const command =
      'echo a > a && git add a && git -c user.name=a -c user.email=b commit -qm x && git checkout -qb other'
    expect((await call('shell', { command })).isError).toBe(false)
  })

  test.each([
    ['.envrc', 'echo x > .envrc'],
    ['.hookline', 'mkdir .hookline; echo x > .hookline/hooks.yaml'],
    ['hookline.config.ts', 'echo x > hookline.config.ts'],
    ['.ENVRC', 'echo x > .ENVRC'],
    ['.vscode', 'ln -s / .vscode'],
    ['.git', 'git init -q .'],
    // Before it ends, and after, as long as it can.
    [
      '.envrc',
      'env -i setsid -f sh -c "while :; do echo x > .envrc; done" > /dev/null 2>&1; until [ -e .envrc ]; do sleep 0.01; done; exit 1',
    ],
  ])('T08 leaves no %s that was not there: %s', async (name, command) => {
    const { work, call } = await openOs({}, { sandbox: 'workspace' })
    const told = await call('shell', { command })
    expect(told.isError).toBe(true)
    expect(told.text).toContain(`${name}" is protected`)
    expect(await readdir(work)).toEqual([
      expect.stringMatching(/^[.\w]+\.refused-\w+$/),
    ])
  })

  test('T08 leaves none in place of a link', async () => {
    const { work, call } = await openOs({}, { sandbox: 'workspace' })
    await writeFile(join(work, 'env.txt'), 'mine')
    await symlink('env.txt', join(work, '.envrc'))
    const replaced = await call('shell', {
      command: 'rm .envrc; echo x > .envrc',
    })
    expect(replaced.text).toContain('.envrc" is protected')
    expect(existsSync(join(work, '.envrc'))).toBe(false)
  })

  test('a link at a protected name shows nothing that is hidden', async () => {
    const { work, away, call } = await openOs({}, { sandbox: 'workspace' })
    const socket = join(away, 'socket')
    const server = createServer().listen(socket)
    onTestFinished(() => void server.close())
    await symlink(socket, join(work, '.envrc'))
    const told = await call('shell', { command: 'cat .envrc; ls .envrc -L' })
    expect(told.text).toContain('No such file')
  })

  test('sets nothing that the system would run outside', async () => {
    const { call } = await openOs({}, { sandbox: 'workspace' })
    const told = await call('shell', {
      command:
        'for f in /proc/sys/vm/drop_caches /proc/sys/kernel/core_pattern; do test -w $f && echo writable; done; true',
    })
    expect(told.text).toBe('(It printed nothing.)')
  })

  test('does not run where all of the system may be written', async () => {
    const options = { sandbox: 'workspace', roots: ['/'] } as const
    const { call } = await openOs({}, options)
    const told = await call('shell', { command: 'true' })
    expect(told.text).toContain('is none')
  })
})

describe('protected paths of the runtime', () => {
  beforeAll(needBubblewrap)

  test('T08 cannot be replaced by moving the folder that they are in', async () => {
    const top = await openOs()
    const data = join(top.work, 'data')
    const store = join(data, 'store.db')
    await mkdir(data)
    await writeFile(store, 'mine')
    const { call } = await openOs(
      { protectedPaths: [store] },
      { sandbox: 'workspace', roots: [top.work] },
    )
    const command = `cd ${top.work}; mv data d; mkdir data; echo x > data/store.db; echo x > ${store}`
    const told = await call('shell', { command, cwd: top.work })
    expect(told.isError).toBe(true)
    expect(await readFile(store, 'utf8')).toBe('mine')
    await rm(data, { recursive: true })
  })

  const sidecars = ['store.db-wal', 'store.db-shm', 'store.db-journal']

  /** A store in a folder, what is beside it, and a command that changes all. */
  async function overwrite(beside: readonly string[]) {
    const { work } = await openOs()
    const data = join(work, 'data')
    await mkdir(data)
    for (const name of ['store.db', ...beside]) {
      await writeFile(join(data, name), 'mine')
    }
    const { call } = await openOs(
      { protectedPaths: [join(data, 'store.db')] },
      { sandbox: 'workspace', roots: [work] },
    )
    const changes = ['store.db', ...sidecars].map(
      (name) =>
        `echo x > data/${name}; rm -f data/${name}; echo y > y; mv -f y data/${name}`,
    )
    const command = `cd ${work}; ${changes.join('; ')}; echo x > other; mv data d`
    await call('shell', { command, cwd: work })
    const names = await readdir(data)
    const kept = await Promise.all(
      names.map((name) => readFile(join(data, name), 'utf8')),
    )
    expect(await readFile(join(work, 'other'), 'utf8')).toBe('x\n')
    return Object.fromEntries(names.map((name, at) => [name, kept[at]]))
  }

  test('T08 are not changed by way of what a store keeps beside its file', async () => {
    const all = [...sidecars, 'notes.txt']
    const names = ['store.db', ...all]
    const mine = Object.fromEntries(names.map((name) => [name, 'mine']))
    expect(await overwrite(all)).toEqual(mine)
  })

  test('T08 get nothing beside them in a folder of their own', async () => {
    expect(await overwrite([])).toEqual({ 'store.db': 'mine' })
    const both = { 'store.db': 'mine', 'store.db-wal': 'mine' }
    expect(await overwrite(['store.db-wal'])).toEqual(both)
  })

  test('T08 have nothing but themselves kept where they are folders', async () => {
    const { work } = await openOs()
    const own = join(work, 'state', 'own')
    await mkdir(own, { recursive: true })
    const { call } = await openOs(
      { protectedPaths: [own] },
      { sandbox: 'workspace', roots: [work] },
    )
    const command = `cd ${work}; echo x > state/other; echo x > state/own/new`
    await call('shell', { command, cwd: work })
    const names = await readdir(join(work, 'state'))
    expect(names.sort()).toEqual(['other', 'own'])
    expect(await readdir(own)).toEqual([])
  })

  test('T08 leave to the host what it keeps beside them', async () => {
    const { work } = await openOs()
    const store = join(work, 'store.db')
    const log = `${store}-wal`
    await writeFile(store, 'mine')
    const { call } = await openOs(
      { protectedPaths: [store] },
      { sandbox: 'workspace', roots: [work] },
    )
    const command = `until test -e ${log}; do sleep 0.05; done; cat ${log}`
    const running = call('shell', { command, cwd: work })
    await writeFile(log, 'the host')
    expect(await running).toEqual({ text: 'the host', isError: false })
    expect(await readFile(log, 'utf8')).toBe('the host')
  })

  test('T08 are kept as a whole, also where they are called .git', async () => {
    const { work } = await openOs()
    const own = join(work, '.git')
    await mkdir(own)
    await writeFile(join(own, 'HEAD'), 'mine')
    const { call } = await openOs(
      { protectedPaths: [own] },
      { sandbox: 'workspace', roots: [work] },
    )
    const command = `cd ${work}; echo x > .git/HEAD; echo x > .git/new; true`
    await call('shell', { command, cwd: work })
    expect(await readdir(own)).toEqual(['HEAD'])
    expect(await readFile(join(own, 'HEAD'), 'utf8')).toBe('mine')
  })
})

describe('a command', () => {
  test('does not run in a folder that is gone', async () => {
    const { work, call } = await openOs()
    const missing = await call('shell', { command: 'true', cwd: 'nope' })
    expect(missing.text).toBe('There is no "nope".')
    await rm(work, { recursive: true })
    const gone = await call('shell', { command: 'true' })
    expect(gone.text).toContain('is gone')
  })
})
