import type { JsonObject } from 'hookline/lifecycle'
import { expect, test } from 'vitest'
import { judged } from '../../fixtures/judged.ts'
import { pathGuard } from '../../path-guard/path-guard.ts'
import { shellGuard } from '../../shell-guard/shell-guard.ts'
import { toolPolicy } from '../../tool-policy/tool-policy.ts'

const here = '/srv/app'

const calls = (all: readonly JsonObject[]) =>
  all.map((args) => ({ tool: 'shell', args }))
const guarded = (...all: readonly JsonObject[]) =>
  judged(shellGuard({}), calls(all), here)

/** What a `cd` in front of the command is denied for. */
const denied = [
  ['.ssh', 'cat id_ed25519'],
  ['.aws', 'cat credentials'],
  ['.git/hooks', 'echo x > pre-commit'],
  ['/', 'rm -rf home'],
  ['sub/../.ssh/', 'cat ./id_ed25519'],
] as const

test.each(['cwd', 'workdir', 'working_directory', 'dir_path', 'directory'])(
  'a folder in the argument %s is where the command runs, as after a cd',
  async (key) => {
    for (const [folder, command] of denied) {
      const after = { command: `cd ${folder} && ${command}` }
      const [told, same] = await guarded({ command, [key]: folder }, after)
      expect([folder, told], command).toEqual([folder, 'deny'])
      expect(same, command).not.toBe('allow')
    }
  },
)

test('a start folder is told from here, however it is written', async () => {
  const command = 'echo x > pre-commit'
  expect(
    await guarded(
      { command, cwd: '/srv/app/.git/hooks' },
      { command, cwd: `${'./'.repeat(200)}.git/hooks` },
      { command: `cd ${'./'.repeat(200)}.git/hooks && ${command}` },
    ),
  ).toEqual(['deny', 'deny', 'deny'])
})

test('what a command of a start folder is told to run is read from there', async () => {
  expect(
    await guarded(
      { command: 'bash -c "cat id_ed25519"', cwd: '.ssh' },
      { command: 'x=$PWD/id_ed25519; cat "$x"', cwd: '.ssh' },
      { command: 'frobnicate "cat id_ed25519 | tee"', cwd: '.ssh' },
      { command: 'cd .. && cat README.md', cwd: '.ssh' },
    ),
  ).toEqual(['deny', 'deny', 'ask', 'allow'])
})

test('a start folder that is no text is not known', async () => {
  const command = 'ls'
  expect(
    await guarded(
      { command, cwd: ['.ssh'] },
      { command, cwd: null },
      { command, cwd: '.ssh\0' },
      { command, cwd: '' },
      { command, cwd: '.' },
      { command, cwd: here },
      { command, cwd: 'packages/core' },
    ),
  ).toEqual(['ask', 'ask', 'ask', 'allow', 'allow', 'allow', 'allow'])
})

test('of several start folders each can be the one', async () => {
  const command = 'cat id_ed25519'
  expect(
    await guarded(
      { command, cwd: '.ssh', workdir: 'src' },
      { command, cwd: 'src', workdir: '.ssh' },
    ),
  ).toEqual(['deny', 'ask'])
})

const policy = (decision: 'allow' | 'deny', ...is: readonly string[]) =>
  toolPolicy({
    rules: [{ decision, command: { is } }],
    otherwise: decision === 'allow' ? 'deny' : 'allow',
  })

test('rules about commands know the start folder: a denial, and a permission', async () => {
  const all = calls([
    { command: 'cat id_ed25519', cwd: '.ssh' },
    { command: 'cat src/x' },
    { command: 'cat src/x', cwd: '/etc' },
    { command: 'cat src/x', cwd: 7 },
    { command: 'cat src/x', cwd: here },
  ])
  expect(await judged(policy('deny', 'cat {secret}'), all, here)).toEqual([
    ...['deny', 'allow', 'allow', 'deny', 'allow'],
  ])
  expect(await judged(policy('allow', 'cat src/*'), all, here)).toEqual([
    ...['deny', 'allow', 'deny', 'deny', 'allow'],
  ])
  const both = policy('allow', 'cat src/*', 'cd *')
  expect((await judged(both, all, here))[2]).toBe('allow')
})

test('what is allowed without a start folder is not with one, unless cd is, too', async () => {
  const all = calls([
    { command: 'git status' },
    { command: 'git status', cwd: 'sub' },
  ])
  const strict = shellGuard({ allow: ['git status'] })
  expect(await judged(strict, all, here)).toEqual(['allow', 'ask'])
  const wide = shellGuard({ allow: ['git status', 'cd *'] })
  expect(await judged(wide, all, here)).toEqual(['allow', 'allow'])
})

test('so do guards of paths: what is named from there is judged as it is there', async () => {
  const tool = 'fetch_part'
  const guard = pathGuard({
    tools: { [tool]: { read: ['path', 'directory'] } },
  })
  const all: readonly JsonObject[] = [
    { path: 'id_part' },
    { path: 'id_part', cwd: '.ssh' },
    { path: 'lib/a.txt', cwd: 'src' },
    // From here it would lead out: which of both is up to the tool.
    { path: '../README.md', cwd: 'src' },
    { path: 'a.txt', cwd: '/etc' },
    { path: `${here}/a.txt`, cwd: '/etc' },
    { path: 'a.txt', cwd: 7 },
    // It is a path that is judged itself.
    { path: 'a.txt', directory: 'src' },
  ]
  const made = all.map((args) => ({ tool, args }))
  expect(await judged(guard, made, here)).toEqual([
    ...['allow', 'deny', 'allow', 'deny'],
    ...['deny', 'allow', 'deny', 'allow'],
  ])
  const within = toolPolicy({
    rules: [{ decision: 'allow', path: { argument: 'path', within: ['.'] } }],
    otherwise: 'deny',
  })
  expect(await judged(within, made, here)).toEqual([
    ...['allow', 'allow', 'allow', 'deny'],
    ...['deny', 'allow', 'deny', 'allow'],
  ])
})
