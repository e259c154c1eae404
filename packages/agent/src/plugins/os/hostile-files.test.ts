import {
  link,
  mkdir,
  readdir,
  readFile,
  symlink,
  writeFile,
} from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { leastRatio, linear } from '../../../../core/fixtures/time-ratio.ts'
import { openOs } from './fixtures/open-os.ts'

describe('an edit', () => {
  test.each([
    [
      'no UTF-8',
      'caf\xe9 one\r\n\xff\xfe two\n',
      'caf\xe9 uno\r\n\xff\xfe two\n',
    ],
    ['a mark of order', '\xef\xbb\xbfone\r\n', '\xef\xbb\xbfuno\r\n'],
  ])('leaves bytes around it alone: %s', async (_, before, after) => {
    const { work, call } = await openOs()
    const file = join(work, 'a.txt')
    await writeFile(file, Buffer.from(before, 'latin1'))
    await call('read', { path: 'a.txt' })
    await call('edit', { path: 'a.txt', old: 'one', new: 'uno' })
    expect((await readFile(file)).toString('latin1')).toBe(after)
  })

  test('of text that overlaps itself is refused, unless it is of all', async () => {
    const { work, call } = await openOs()
    const file = join(work, 'a.txt')
    await writeFile(file, 'xababay')
    await call('read', { path: 'a.txt' })
    const edit = { path: 'a.txt', old: 'aba', new: '-' }
    expect((await call('edit', edit)).text).toContain('more than once')
    expect((await call('edit', { ...edit, all: true })).isError).toBe(false)
    expect(await readFile(file, 'utf8')).toBe('x-bay')
  })

  test('that would make a file huge is refused before it is made', async () => {
    const { work, call } = await openOs()
    await writeFile(join(work, 'a.txt'), 'a'.repeat(1_000_000))
    await call('read', { path: 'a.txt', limit: 1 })
    const edit = { path: 'a.txt', old: 'a', new: 'x'.repeat(10_000), all: true }
    expect((await call('edit', edit)).text).toContain('is not written')
  })
})

describe('a refused write', () => {
  test('leaves no file and no folder behind', async () => {
    const { work, call } = await openOs()
    const content = '{"scripts":{"postinstall":"evil"}}'
    for (const path of ['package.json', 'sub/package.json']) {
      expect((await call('write', { path, content })).isError).toBe(true)
    }
    expect(await readdir(work)).toEqual([])
  })

  test('is one of a file that was not shown, because it is no text', async () => {
    const { work, call } = await openOs()
    await writeFile(join(work, 'binary'), Buffer.from([1, 0, 2]))
    await call('read', { path: 'binary' })
    const told = await call('write', { path: 'binary', content: 'x' })
    expect(told.text).toContain('Read "')
  })

  test('is one of a file with another name, outside or protected', async () => {
    const { work, away, call } = await openOs()
    await writeFile(join(work, '.envrc'), 'mine')
    await writeFile(join(away, 'secret'), 'mine')
    await link(join(work, '.envrc'), join(work, 'a.txt'))
    await link(join(away, 'secret'), join(work, 'b.txt'))
    for (const path of ['a.txt', 'b.txt']) {
      await call('read', { path })
      const told = await call('write', { path, content: 'x' })
      expect(told.text, path).toContain('has other names')
      const edit = { path, old: 'mine', new: 'x' }
      expect((await call('edit', edit)).isError, path).toBe(true)
    }
    expect(await readFile(join(away, 'secret'), 'utf8')).toBe('mine')
  })

  test('is one by a protected name that is a link to another', async () => {
    const { work, call } = await openOs()
    await writeFile(join(work, 'env.txt'), 'mine')
    await symlink('env.txt', join(work, '.envrc'))
    await symlink('.envrc', join(work, 'plain'))
    for (const path of ['.envrc', 'plain']) {
      await call('read', { path })
      const edit = { path, old: 'mine', new: 'x' }
      expect((await call('edit', edit)).text, path).toContain('protected')
    }
    await mkdir(join(work, 'real', 'hooks'), { recursive: true })
    await symlink('real', join(work, '.git'))
    await symlink('.git/hooks/pre-commit', join(work, 'hook'))
    const told = await call('write', { path: 'hook', content: 'x' })
    expect(told.text).toContain('protected')
    expect(await readdir(join(work, 'real', 'hooks'))).toEqual([])
  })

  test.each([
    '.ENVRC',
    '.ba\u017fhrc',
    '.hu\u200bsky/x',
    '\uff0eenvrc',
    '.envrc ',
    '.envrc.',
    '.git./config',
    '.git /config',
    '.mcp.json',
    '.ssh/authorized_keys',
    '.yarn/releases/yarn.cjs',
    'binding.gyp',
    'package.yaml',
  ])('T08 is one of what some system takes for protected: %j', async (path) => {
    const { work, call } = await openOs()
    const told = await call('write', { path, content: 'x' })
    expect(told.text).toContain('protected')
    expect(await readdir(work)).toEqual([])
  })

  test('T08 is one of the store, by whatever way, and of what is beside it', async () => {
    const { work, away } = await openOs()
    await symlink(work, join(away, 'link'))
    const store = join(away, 'link', 'data', 'store.db')
    const { call } = await openOs(
      { protectedPaths: [store] },
      { roots: [work] },
    )
    for (const name of ['store.db', 'store.db-wal', 'store.db/x']) {
      const path = join(work, 'data', name)
      const told = await call('write', { path, content: 'x' })
      expect(told.text, name).toContain('protected')
    }
    expect(await readdir(work)).toEqual([])
  })
})

describe('a path', () => {
  test('of thousands of folders is made fast, or refused', async () => {
    const { call } = await openOs()
    const deep = `${'y/'.repeat(1_500)}z`
    expect((await call('write', { path: deep, content: 'x' })).isError).toBe(
      false,
    )
    const deeper = `${'y/'.repeat(3_000)}z`
    const told = await call('write', { path: deeper, content: 'x' })
    expect(told.text).toContain('too long')
  })
})

describe('grep', () => {
  test('lets others work, however much there is to look at', async () => {
    const { work, call } = await openOs()
    const pauseMs = async (count: number, chars: number) => {
      const lines = Array.from({ length: count }, () => 'ab'.repeat(chars / 2))
      await writeFile(join(work, 'a.txt'), lines.join('\n'))
      let longestMs = 0
      let last = performance.now()
      const look = () => {
        longestMs = Math.max(longestMs, performance.now() - last)
        last = performance.now()
      }
      const timer = setInterval(look, 1)
      const told = await call('grep', { pattern: '([ab]{1,30}){1,30}[^ab]' })
      clearInterval(timer)
      look()
      expect(told.text).toContain('No line fits')
      return longestMs
    }
    // Others wait for one line, of which only so much is looked at.
    const ratio = await leastRatio(
      () => pauseMs(8, 20_000),
      () => pauseMs(1, 1_100),
      linear,
    )
    expect(ratio).toBeLessThan(linear)
  }, 240_000)

  test('refuses a pattern that is too large for any line', async () => {
    const { work, call } = await openOs()
    await writeFile(join(work, 'a.txt'), 'ab')
    const pattern = `(${'[ab]{1,999}'.repeat(40)})[^ab]`
    const told = await call('grep', { pattern })
    expect(told.text).toContain('too large')
  })

  test('shows names with line breaks on one line', async () => {
    const { work, call } = await openOs()
    await writeFile(join(work, 'a\nb.txt'), 'word\n')
    const lines = (await call('grep', { pattern: 'word' })).text.split('\n')
    expect(lines).toEqual(['"a\\nb.txt":1:word'])
    expect((await call('glob', { pattern: '*' })).text).toBe('"a\\nb.txt"')
  })
})
