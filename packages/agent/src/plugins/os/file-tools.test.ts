import { execFileSync, spawn } from 'node:child_process'
import { constants } from 'node:fs'
import {
  mkdir,
  open,
  readdir,
  readFile,
  symlink,
  writeFile,
} from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { confineTo } from './confine.ts'
import { openOs } from './fixtures/open-os.ts'
import { openFile } from './open-file.ts'
import { OsError } from './os-error.ts'

const outside = 'outside of the folders'

describe('files', () => {
  test('are read with the numbers of their lines', async () => {
    const { work, call } = await openOs()
    await writeFile(join(work, 'a.txt'), 'one\ntwo\nthree\n')
    expect((await call('read', { path: 'a.txt' })).text).toBe(
      '1\tone\n2\ttwo\n3\tthree',
    )
    const part = { path: join(work, 'a.txt'), offset: 2, limit: 1 }
    expect((await call('read', part)).text).toBe(
      '2\ttwo\n(1 more lines; read on with offset.)',
    )
    expect((await call('read', { path: 'a.txt', offset: 9 })).text).toBe(
      '(The file has 3 lines.)',
    )
  })

  test('are made with the folders on their way', async () => {
    const { work, call } = await openOs()
    const args = { path: 'a/b/c.txt', content: 'Hello.' }
    expect((await call('write', args)).isError).toBe(false)
    expect(await readFile(join(work, 'a/b/c.txt'), 'utf8')).toBe('Hello.')
  })

  test('are changed only by who has seen them as they are', async () => {
    const { work, call, callElsewhere } = await openOs()
    const file = join(work, 'a.txt')
    await writeFile(file, 'one two')
    const edit = { path: 'a.txt', old: 'two', new: 'three' }
    const write = { path: 'a.txt', content: 'all new' }
    expect((await call('edit', edit)).text).toContain('Read "')
    expect((await call('write', write)).text).toContain('Read "')
    await callElsewhere('read', { path: 'a.txt' })
    expect((await call('edit', edit)).text).toContain('Read "')
    await call('read', { path: 'a.txt' })
    await writeFile(file, 'one two, and more')
    expect((await call('edit', edit)).text).toContain('has changed since')
    expect((await call('write', write)).text).toContain('has changed since')
    await call('read', { path: 'a.txt' })
    expect((await call('edit', edit)).isError).toBe(false)
    // What it has written it has seen.
    expect((await call('write', write)).isError).toBe(false)
    expect(await readFile(file, 'utf8')).toBe('all new')
  })

  test('are edited where the text is there once', async () => {
    const { work, call } = await openOs()
    await writeFile(join(work, 'a.txt'), 'x y x $& \n')
    await call('read', { path: 'a.txt' })
    const edit = { path: 'a.txt', old: 'x', new: 'z' }
    expect((await call('edit', edit)).text).toContain('2 times')
    expect((await call('edit', { ...edit, old: 'q' })).text).toContain('not in')
    const odd = { path: 'a.txt', old: 'y', new: '$& $1 \\n' }
    expect((await call('edit', odd)).isError).toBe(false)
    expect((await call('edit', { ...edit, all: true })).isError).toBe(false)
    const now = await readFile(join(work, 'a.txt'), 'utf8')
    expect(now).toBe('z $& $1 \\n z $& \n')
  })

  test('that are huge or no text are not read', async () => {
    const { work, call } = await openOs()
    const huge = await open(join(work, 'huge.txt'), 'w')
    await huge.truncate(11 * 1_024 * 1_024)
    await huge.close()
    await writeFile(join(work, 'binary'), Buffer.from([1, 0, 2]))
    expect((await call('read', { path: 'huge.txt' })).text).toContain(
      'too much',
    )
    expect((await call('read', { path: 'binary' })).text).toContain('no text')
  })

  test('that are pipes, devices or folders are not opened, and nobody waits', async () => {
    const { work, call } = await openOs({}, { roots: ['.', '/dev'] })
    execFileSync('mkfifo', [join(work, 'pipe')])
    for (const tool of ['read', 'write']) {
      for (const path of ['pipe', '/dev/zero', '.']) {
        const told = await call(tool, {
          path,
          ...(tool === 'write' && { content: '' }),
        })
        expect(told.isError, `${tool} ${path}`).toBe(true)
      }
    }
  })
})

describe('paths', () => {
  test.each(['read', 'write', 'edit'])(
    '%s stays inside, by whatever name',
    async (tool) => {
      const { work, away, call } = await openOs()
      await writeFile(join(away, 'secret'), 'secret')
      await symlink(away, join(work, 'out'))
      await symlink(join(away, 'secret'), join(work, 'link'))
      await symlink('link', join(work, 'link-to-link'))
      await symlink('loop', join(work, 'loop'))
      const paths = [
        join(away, 'secret'),
        '../away/secret',
        'sub/../../away/secret',
        'out/secret',
        './out/../../away/secret',
        'link',
        'link-to-link',
        'loop',
        '/proc/self/root/etc/passwd',
        '/etc/passwd',
        '',
        'a\0b',
      ]
      for (const path of paths) {
        const rest = { content: 'x', old: 'secret', new: 'x' }
        const args =
          tool === 'read'
            ? { path }
            : tool === 'write'
              ? { path, content: rest.content }
              : { path, old: rest.old, new: rest.new }
        const told = await call(tool, args)
        expect(told.isError, path).toBe(true)
        expect(told.text, path).not.toContain('1\tsecret')
      }
      expect(await readFile(join(away, 'secret'), 'utf8')).toBe('secret')
    },
  )

  test('a link that stays inside is followed', async () => {
    const { work, call } = await openOs()
    await mkdir(join(work, 'real'))
    await writeFile(join(work, 'real', 'a.txt'), 'here')
    await symlink('real', join(work, 'linked'))
    await symlink('real/a.txt', join(work, 'a.txt'))
    for (const path of ['linked/a.txt', 'a.txt']) {
      expect((await call('read', { path })).text).toBe('1\there')
    }
  })

  test('a folder whose name only begins like a root is outside', async () => {
    const { work, call } = await openOs()
    await mkdir(`${work}-other`)
    await writeFile(`${work}-other/a.txt`, 'x')
    expect(
      (await call('read', { path: `${work}-other/a.txt` })).text,
    ).toContain(outside)
  })

  test('without a root there is no file at all', async () => {
    const { work, call } = await openOs({}, { roots: [] })
    await writeFile(join(work, 'a.txt'), 'x')
    expect((await call('read', { path: 'a.txt' })).text).toContain(outside)
  })

  test('a folder that is swapped for a link between look and use leads nowhere else', async () => {
    const { work, away } = await openOs()
    await writeFile(join(away, 'a.txt'), 'secret')
    const inside = join(work, 'dir')
    await mkdir(inside)
    await writeFile(join(inside, 'a.txt'), 'mine')
    const confinement = await confineTo(['.'], work)
    // As fast as it can, in a process of its own.
    const script = `const { renameSync, symlinkSync, rmSync } = require('node:fs')
      symlinkSync(${JSON.stringify(away)}, ${JSON.stringify(`${inside}.link`)})
      const [dir, old, link] = ['', '.old', '.link'].map((end) => ${JSON.stringify(inside)} + end)
      for (;;) {
        renameSync(dir, old); renameSync(link, dir)
        renameSync(dir, link); renameSync(old, dir)
      }`
    const swapper = spawn(process.execPath, ['-e', script], { stdio: 'ignore' })
    let reads = 0

    try {
      for (let attempt = 0; attempt < 4_000 || reads === 0; attempt++) {
        try {
          const flags = constants.O_RDONLY
          const file = await openFile(confinement, 'dir/a.txt', { flags })
          const content = await file.handle.readFile('utf8')
          await file.handle.close()
          if (content !== 'mine') throw new TypeError(content)
          reads++
        } catch (error) {
          expect(error).toBeInstanceOf(OsError)
        }
      }
    } finally {
      swapper.kill('SIGKILL')
    }
  })
})

describe('T08 T09 what would be run later is not written', () => {
  test.each([
    '.git/hooks/pre-commit',
    '.git/config',
    '.GIT/hooks/x',
    '.envrc',
    'sub/.envrc',
    'sub/.ENVRC',
    '.husky/pre-push',
    '.vscode/tasks.json',
    '.hookline/hooks.yaml',
    'hookline.config.ts',
    'Hookline.Config.yaml',
    '.claude/settings.json',
    'pyvenv.cfg',
    '.npmrc',
    '.bashrc',
  ])('%s', async (path) => {
    const { work, call } = await openOs()
    const told = await call('write', { path, content: 'rm -rf /' })
    expect(told.isError).toBe(true)
    expect(told.text).toContain('is protected')
    expect(await readdir(work)).toEqual([])
  })

  test('not even through a link, nor by an edit', async () => {
    const { work, call } = await openOs()
    await mkdir(join(work, '.git', 'hooks'), { recursive: true })
    await writeFile(join(work, '.git', 'config'), 'a = 1')
    await symlink('.git', join(work, 'plain'))
    const write = { path: 'plain/hooks/x', content: 'x' }
    expect((await call('write', write)).text).toContain('is protected')
    expect((await call('read', { path: '.git/config' })).isError).toBe(false)
    const edit = { path: 'plain/config', old: '1', new: '2' }
    expect((await call('edit', edit)).text).toContain('is protected')
  })

  test('the scripts of a package, but the rest of it is', async () => {
    const { work, call } = await openOs()
    const text = (scripts: object, version = '1') =>
      JSON.stringify({ version, scripts })
    await writeFile(join(work, 'package.json'), text({ test: 'vitest' }))
    await call('read', { path: 'package.json' })
    const path = 'package.json'
    const evil = { path, content: text({ test: 'rm -rf /' }) }
    expect((await call('write', evil)).text).toContain('scripts')
    expect(
      (await call('write', { path, content: '{"scripts": ' })).text,
    ).toContain('scripts')
    const fine = { path, content: text({ test: 'vitest' }, '2') }
    expect((await call('write', fine)).isError).toBe(false)
    const fresh = { path: 'new/package.json', content: text({ a: 'b' }) }
    expect((await call('write', fresh)).text).toContain('scripts')
  })

  test('paths of our own, also before they are there', async () => {
    const options = { protectedPaths: [] as string[] }
    const { work, call } = await openOs(options)
    expect(
      (await call('write', { path: 'store.db', content: 'x' })).isError,
    ).toBe(false)
    options.protectedPaths.push(join(work, 'state'))
    const second = await openOs(
      { protectedPaths: [join(work, 'state')] },
      { roots: [work] },
    )
    const told = await second.call('write', {
      path: join(work, 'state/trust.json'),
      content: '{}',
    })
    expect(told.text).toContain('is protected')
  })

  test('unless it is allowed', async () => {
    const { call } = await openOs({ allowProtected: ['.vscode'] })
    const write = { path: '.vscode/settings.json', content: '{}' }
    expect((await call('write', write)).isError).toBe(false)
  })
})
