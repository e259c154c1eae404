import {
  mkdir,
  mkdtemp,
  realpath,
  rm,
  symlink,
  writeFile,
} from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { judged } from '../fixtures/judged.ts'
import { type PathGuardOptions, pathGuard } from './path-guard.ts'

/** A working folder, one beside it, and links between them. */
async function makeFolders(): Promise<string> {
  const top = await realpath(await mkdtemp(join(tmpdir(), 'hookline-path-')))
  onTestFinished(() => rm(top, { recursive: true, force: true }))
  const work = join(top, 'work')
  await mkdir(join(work, 'src', 'deep'), { recursive: true })
  await mkdir(join(top, 'away', 'inner'), { recursive: true })
  await writeFile(join(work, '.env'), 'KEY=1')
  await writeFile(join(work, 'src', 'a.ts'), '')
  await symlink(join(top, 'away'), join(work, 'out'))
  await symlink(join(top, 'away', 'inner'), join(work, 'far'))
  await symlink(join(work, '.env'), join(work, 'settings'))
  await symlink(join(top, 'away', 'not-yet'), join(work, 'dangling'))
  await symlink('loop', join(work, 'loop'))
  await symlink(join(work, 'src'), join(work, 'inside'))
  return work
}

async function fates(
  options: PathGuardOptions,
  tool: string,
  paths: readonly unknown[],
) {
  const work = await makeFolders()
  // What a model writes can be anything that JSON has.
  const calls = paths.map((path) => ({ tool, args: { path: path as string } }))
  return await judged(pathGuard(options), calls, work)
}

test('paths lead into the working folder, by whatever way', async () => {
  const inside = ['src/a.ts', './src/../src/a.ts', 'new/file.ts', 'inside/a.ts']
  expect(await fates({}, 'read', inside)).toEqual(inside.map(() => 'allow'))
  const outside = [
    ...['../away/x', '/etc/passwd', 'src/../../away', 'out/x', 'out', '~/x'],
    ...['far/../x', 'dangling', 'loop/x', '', 'a\0b', 'https://x/y', '~bob/x'],
    ...['file:///etc/passwd', 7, null, { a: 1 }, ['src/a.ts', '/etc/passwd']],
  ]
  expect(await fates({}, 'read', outside)).toEqual(outside.map(() => 'deny'))
})

test('secrets are not read, under any of their names', async () => {
  const paths = [
    ...['.env', './src/../.env', 'settings', '.ENV', 'a/.ssh/x', 'key.pem'],
    ...['.env.local', '.e\u200bnv', '.aws/credentials', 'x/id_rsa'],
    ...['.env.', '.env ', '.env.bak', '.ENV..', 'file:.env', 'file:/x/.env'],
  ]
  expect(await fates({}, 'read', paths)).toEqual(paths.map(() => 'deny'))
  const fine = ['.env.example', 'environment.ts', 'keys.ts']
  expect(await fates({}, 'read', fine)).toEqual(fine.map(() => 'allow'))
})

test('what is run later on is read, but not written', async () => {
  const paths = ['.git/config', '.husky/pre-commit', '.vscode/tasks.json']
  expect(await fates({}, 'read', paths)).toEqual(paths.map(() => 'allow'))
  expect(await fates({}, 'write', paths)).toEqual(paths.map(() => 'deny'))
})

test('a pattern that begins with no slash is about the working folder', async () => {
  const paths = ['conf/key', './conf/a/key', 'src/conf/key', 'src/a.ts']
  const fate = await fates({ deny: ['conf/**'] }, 'read', paths)
  expect(fate).toEqual(['deny', 'deny', 'allow', 'allow'])
  const deny = ['./src/*.ts', '../away/x']
  const roots = ['..']
  const others = [
    'src/a.ts',
    'src/deep/a.ts',
    '../away/x',
    '../away/y',
    'out/x',
  ]
  const fateOfOthers = await fates({ deny, roots }, 'read', others)
  expect(fateOfOthers).toEqual(['deny', 'allow', 'deny', 'allow', 'deny'])
})

test('what a tool may decode cannot be told', async () => {
  const work = await makeFolders()
  const paths = [`file://${work}/src/a.ts`, `file://${work}/src/%2e%2e/.env`]
  const calls = paths.map((path) => ({ tool: 'read', args: { path } }))
  expect(await judged(pathGuard({}), calls, work)).toEqual(['allow', 'deny'])
})

test('some folders are only read', async () => {
  const options = { roots: ['src'], readOnly: ['.'] }
  expect(await fates(options, 'read', ['a.md', 'src/a.ts'])).toEqual([
    ...['allow', 'allow'],
  ])
  expect(await fates(options, 'edit', ['a.md', 'src/a.ts'])).toEqual([
    ...['deny', 'allow'],
  ])
})

test('other tools and arguments are none of its business', async () => {
  const work = await makeFolders()
  const calls = [
    { tool: 'look', args: { path: '/etc/passwd' } },
    { tool: 'read', args: { other: '/etc/passwd' } },
    { tool: 'move', args: { from: 'src/a.ts', to: '.git/hooks/x' } },
  ]
  const tools = {
    move: { read: ['from'], write: ['to'] },
    read: { read: ['path'] },
  }
  const all = await judged(pathGuard({ tools }), calls, work)
  expect(all).toEqual(['allow', 'allow', 'deny'])
})

test.each([
  [{ roots: '.' }, 'roots'],
  [{ root: ['.'] }, 'roots'],
  [{ tools: { read: ['path'] } }, 'tools'],
])('options that do not fit are refused: %j', (options, word) => {
  expect(() => pathGuard(options as unknown as PathGuardOptions)).toThrow(word)
})
