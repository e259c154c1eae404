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
import type { JsonObject } from 'hookline/lifecycle'
import { describe, expect, onTestFinished, test } from 'vitest'
import { createPolicy, createRuntime } from '../../index.ts'
import { scriptedModel } from '../../testing/index.ts'
import { judged } from '../fixtures/judged.ts'
import { echoTool } from '../fixtures/play.ts'
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

describe('in a session with no folder', () => {
  /** Why a call is refused; empty if it is not. */
  async function told(
    tool: string,
    args: JsonObject,
    options: PathGuardOptions = {},
  ): Promise<string> {
    const model = scriptedModel([
      { calls: [{ tool, args }] },
      { text: 'Done.' },
    ])
    const runtime = createRuntime({
      models: { resolve: () => model },
      policy: createPolicy({ mode: 'open' }),
      plugins: [pathGuard(options)],
      tools: [echoTool(tool)],
    })
    onTestFinished(() => runtime.close())
    await runtime.register({ name: 'main', model: 'x', instructions: '' })
    const session = await runtime.openSession({ agent: 'main' })
    await session.send('Go.').result
    const [result] = model.requests.at(-1)?.messages.at(-1)?.content ?? []
    const isRefused = result?.type === 'tool_result' && result.isError
    return isRefused ? JSON.stringify(result.content) : ''
  }

  test.each<readonly [string, JsonObject]>([
    ['grep', { pattern: 'x' }],
    ['glob', { pattern: 'x' }],
    ['read', { path: 'src/a.ts' }],
    ['write', { path: './a' }],
  ])('%s %j is refused for want of one', async (tool, args) => {
    const why = await told(tool, args)
    expect(why).toContain('The session has no folder')
    expect(why).toContain('cwd')
  })

  test('what leads nowhere is not refused for want of one', async () => {
    const why = await told('read', { path: 'a\0b' }, { roots: ['/'] })
    expect(why).toContain('cannot be told')
  })

  test('the folder of the process is not taken for it', async () => {
    const path = join(process.cwd(), 'package.json')
    expect(await told('read', { path })).toContain('has no folder')
    const options = { roots: [process.cwd()] }
    expect(await told('read', { path }, options)).toBe('')
    expect(await told('read', { path: '/etc/x' }, options)).toContain('outside')
  })
})

test.each([
  [{ roots: '.' }, 'roots'],
  [{ root: ['.'] }, 'roots'],
  [{ tools: { read: ['path'] } }, 'tools'],
])('options that do not fit are refused: %j', (options, word) => {
  expect(() => pathGuard(options as unknown as PathGuardOptions)).toThrow(word)
})
