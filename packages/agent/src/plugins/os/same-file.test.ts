import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { openOs } from './fixtures/open-os.ts'

const edit = (path: string, old: string, next: string) =>
  ['edit', { path, old, new: next }] as const
const write = (path: string, content: string) =>
  ['write', { path, content }] as const

describe('calls of one step on one file', () => {
  test('are done one after the other: an edit finds what the one before it has left', async () => {
    const { work, call, callAll } = await openOs()
    const words = Array.from({ length: 8 }, (_, index) => `word${index};`)
    await writeFile(join(work, 'a.txt'), words.join('\n'))
    await call('read', { path: 'a.txt' })
    const told = await callAll([
      ...words.map((word) => edit('a.txt', word, `new ${word}`)),
      edit('a.txt', 'new word7;', 'newest'),
    ])
    expect(told.map(({ isError }) => isError)).not.toContain(true)
    const now = words.map((word) => `new ${word}`).with(7, 'newest')
    expect(await readFile(join(work, 'a.txt'), 'utf8')).toBe(now.join('\n'))
  })

  test('are so by whatever names they say', async () => {
    const { work, call, callAll } = await openOs()
    await mkdir(join(work, 'real'))
    await writeFile(join(work, 'real', 'a.txt'), 'one two three four')
    await symlink('real', join(work, 'linked'))
    await symlink('real/a.txt', join(work, 'b.txt'))
    await call('read', { path: 'real/a.txt' })
    const told = await callAll([
      edit('./real/../real/a.txt', 'one', '1'),
      edit('linked/a.txt', 'two', '2'),
      edit('b.txt', 'three', '3'),
      edit(join(work, 'real/a.txt'), 'four', '4'),
    ])
    expect(told.map(({ isError }) => isError)).not.toContain(true)
    const now = await readFile(join(work, 'real', 'a.txt'), 'utf8')
    expect(now).toBe('1 2 3 4')
  })

  test('leave it as the last of them wrote it, whatever was longer', async () => {
    const { work, callAll } = await openOs()
    const texts = [5_000_000, 1, 3_000_000, 10].map((length, index) =>
      String(index).repeat(length),
    )
    const told = await callAll(texts.map((text) => write('new.txt', text)))
    expect(told.map(({ isError }) => isError)).not.toContain(true)
    const now = await readFile(join(work, 'new.txt'), 'utf8')
    expect(now === texts.at(-1), `${now.length} characters`).toBe(true)
  })

  test('give whoever reads it the whole of what one of them wrote', async () => {
    const { work, call, callAll } = await openOs()
    await writeFile(join(work, 'a.txt'), 'a'.repeat(4_000_000))
    await call('read', { path: 'a.txt' })
    const [, read] = await callAll([
      write('a.txt', 'short'),
      ['read', { path: 'a.txt' }],
    ])
    expect(read?.text).toBe('1\tshort')
    const [told] = await callAll([edit('a.txt', 'short', 'shorter')])
    expect(told?.isError).toBe(false)
  })
})

test('of two sessions that change one file at once, the second has to read it again', async () => {
  const { work, call, callElsewhere } = await openOs()
  const file = join(work, 'a.txt')
  await writeFile(file, 'one two')
  await call('read', { path: 'a.txt' })
  await callElsewhere('read', { path: 'a.txt' })
  const told = await Promise.all([
    call(...edit('a.txt', 'one', '1')),
    callElsewhere(...edit('a.txt', 'two', '2')),
  ])
  const refused = told.filter(({ isError }) => isError)
  expect(refused).toHaveLength(1)
  expect(refused[0]?.text).toContain('has changed since')
  expect(['1 two', 'one 2']).toContain(await readFile(file, 'utf8'))
})
