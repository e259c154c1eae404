import { mkdir, symlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { growthOf, linear } from '../../../../core/fixtures/time-ratio.ts'
import { openOs } from './fixtures/open-os.ts'
import { compilePathGlob } from './path-glob.ts'

async function filled() {
  const os = await openOs()
  const files = {
    'a.ts': 'const tea = 1\nconst soup = 2\n',
    'src/b.ts': 'tea again\n',
    'src/deep/c.js': 'TEA\n',
    'node_modules/x/d.ts': 'tea\n',
    '.git/e.ts': 'tea\n',
    'bin.ts': 'tea\0tea\n',
  }
  for (const [name, content] of Object.entries(files)) {
    await mkdir(dirname(join(os.work, name)), { recursive: true })
    await writeFile(join(os.work, name), content)
  }
  await writeFile(join(os.away, 'f.ts'), 'tea\n')
  await symlink(os.away, join(os.work, 'out'))
  return os
}

describe('a pattern over paths', () => {
  test.each([
    ['*.ts', 'a.ts', true],
    ['*.ts', 'src/a.ts', true],
    ['src/*.ts', 'src/a.ts', true],
    ['src/*.ts', 'src/b/a.ts', false],
    ['src/**/*.ts', 'src/a.ts', true],
    ['src/**/*.ts', 'src/b/c/a.ts', true],
    ['**', 'src/b/c/a.ts', true],
    ['**/c/**', 'src/b/c/a.ts', true],
    ['./src/*', 'src/a.ts', true],
    ['src/{a,b}.ts', 'src/b.ts', true],
    ['src/?.ts', 'src/ab.ts', false],
    ['src', 'src/a.ts', false],
    ['**/a/**/b', 'a/a/a/c/b', true],
  ])('%s %s', (pattern, path, expected) => {
    expect(compilePathGlob(pattern)(path)).toBe(expected)
  })

  test('T59 takes linear time on any path', async () => {
    const fits = compilePathGlob(`${'**/a/'.repeat(30)}b`)
    const growth = await growthOf(4_000, (depth) =>
      expect(fits(`${'a/'.repeat(depth)}c`)).toBe(false),
    )
    expect(growth).toBeLessThan(linear)
  })
})

describe('glob', () => {
  test('lists what fits, without what others made, and inside', async () => {
    const { call } = await filled()
    const { text } = await call('glob', { pattern: '**/*.ts' })
    expect(text.split('\n')).toEqual(['a.ts', 'bin.ts', 'src/b.ts'])
    const below = await call('glob', { pattern: '*', path: 'src' })
    expect(below.text.split('\n')).toEqual(['b.ts', 'deep/c.js'])
    expect((await call('glob', { pattern: '*.py' })).text).toBe('No file fits.')
    expect((await call('glob', { pattern: '*', path: 'out' })).isError).toBe(
      true,
    )
    expect((await call('glob', { pattern: '*', path: '..' })).isError).toBe(
      true,
    )
  })
})

describe('grep', () => {
  test('finds lines of text files, with their places', async () => {
    const { call } = await filled()
    expect((await call('grep', { pattern: '\\btea\\b' })).text).toBe(
      'a.ts:1:const tea = 1\nsrc/b.ts:1:tea again',
    )
    const loud = { pattern: 'tea', ignoreCase: true, glob: '*.js' }
    expect((await call('grep', loud)).text).toBe('src/deep/c.js:1:TEA')
    expect((await call('grep', { pattern: 'nope' })).text).toBe('No line fits.')
  })

  test('T59 F123 takes patterns of linear time alone', async () => {
    const { work, call } = await filled()
    const growth = await growthOf(80_000, async (length) => {
      await writeFile(join(work, 'long.txt'), `${'a'.repeat(length)}!`)
      expect((await call('grep', { pattern: '^(a+)+$' })).isError).toBe(false)
    })
    expect(growth).toBeLessThan(linear)
    const back = await call('grep', { pattern: '(a)\\1' })
    expect(back.text).toContain('no regular expression of RE2')
  })

  test('says when there is more', async () => {
    const { work, call } = await openOs()
    await writeFile(join(work, 'a.txt'), 'tea\n'.repeat(600))
    const lines = (await call('grep', { pattern: 'tea' })).text.split('\n')
    expect(lines).toHaveLength(501)
    expect(lines.at(-1)).toBe('(There are more than 500.)')
  })
})
