import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { needBubblewrap } from '../../handlers/command/fixtures/bubblewrap.ts'
import { findNamed } from './find-named.ts'
import { openOs } from './fixtures/open-os.ts'

async function put(folder: string, name: string, content = 'mine') {
  const file = join(folder, name)
  await mkdir(dirname(file), { recursive: true })
  await writeFile(file, content)
  return file
}

const scripts = '{"scripts":{"postinstall":"evil"}}'

describe('T09 the scripts of a package behind a link', () => {
  test('are kept, whichever name is written to', async () => {
    const { work, call } = await openOs()
    const data = await put(work, 'data.json', '{}')
    await symlink('data.json', join(work, 'package.json'))
    await symlink('package.json', join(work, 'other.json'))
    for (const path of ['package.json', 'data.json', 'other.json']) {
      await call('read', { path })
      const told = await call('write', { path, content: scripts })
      expect(told.text).toContain('scripts')
      expect(told.isError).toBe(true)
      const edit = { path, old: '{}', new: scripts }
      expect((await call('edit', edit)).isError).toBe(true)
    }
    expect(await readFile(data, 'utf8')).toBe('{}')
    const harmless = { path: 'data.json', content: '{"name":"a"}' }
    expect((await call('write', harmless)).isError).toBe(false)
  })

  test('are not made by way of a link to nothing', async () => {
    const { work, call } = await openOs()
    await symlink('new.json', join(work, 'package.json'))
    for (const path of ['package.json', 'new.json']) {
      const told = await call('write', { path, content: scripts })
      expect(told.isError).toBe(true)
    }
    expect(await readdir(work)).toEqual(['package.json'])
  })
})

test('T08 what is protected is found wherever it is, but in what packages bring', async () => {
  const { work } = await openOs()
  await put(work, 'a/b/.envrc')
  await put(work, 'a/.vscode/tasks.json')
  await put(work, 'node_modules/x/.envrc')
  await put(work, 'a/node_modules/y/.vscode/z')
  await symlink('/', join(work, 'a/everything'))
  const isWanted = (name: string) => name === '.envrc' || name === '.vscode'
  const found = await findNamed([work], isWanted)
  const names = ['a/.vscode', 'a/b/.envrc'].map((name) => join(work, name))
  expect([...found].sort()).toEqual(names)
})

test('T08 so many files that nobody can look at all of them are refused', async () => {
  const { work } = await openOs()
  for (const name of ['a', 'b', 'c']) await put(work, name)
  const search = findNamed([work], () => false, { maxEntries: 2 })
  await expect(search).rejects.toThrow('too many files to be guarded')
  const all = findNamed([work], () => true, { maxFound: 2 })
  await expect(all).rejects.toThrow('too many protected files')
})

describe('in a sandbox', () => {
  beforeAll(needBubblewrap)

  const sandboxed = () => openOs({}, { sandbox: 'workspace' })

  test('T08 T09 a command changes nothing protected in any folder', async () => {
    const { work, call } = await sandboxed()
    const kept = ['sub/.envrc', 'a/b/.vscode/tasks.json', 'lib/.git/config']
    for (const name of kept) await put(work, name)
    const command = `${kept
      .map((name) => `echo x > ${name}; rm -rf ${name}`)
      .join('; ')}; mkdir -p lib/.git/hooks; mv sub moved; echo y > sub/other`
    await call('shell', { command })
    for (const name of kept) {
      expect(await readFile(join(work, name), 'utf8')).toBe('mine')
    }
    expect(await readFile(join(work, 'sub/other'), 'utf8')).toBe('y\n')
    expect(existsSync(join(work, 'lib/.git/hooks'))).toBe(false)
  })

  test('T08 a command leaves nothing protected in a folder that it made', async () => {
    const { work, call } = await sandboxed()
    const command =
      'mkdir -p new/deep; echo x > new/deep/.envrc; echo y > new/y'
    const told = await call('shell', { command })
    expect(told.text).toContain('.envrc" is protected')
    expect(existsSync(join(work, 'new/deep/.envrc'))).toBe(false)
    expect(existsSync(join(work, 'new/y'))).toBe(true)
  })
})
