import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { stageForEach } from './fixtures/stage.ts'

const stage = stageForEach()
const cli = (...words: string[]) => stage.cli(...words)

const guard = (on: string) =>
  `hooks:\n  - { name: guard, on: ${on}, handler: { type: command, shell: 'exit 2' } }\n`
const typo = guard('tool.gaurd')
const dialects = (file: string) =>
  `dialects:\n  - { dialect: claude-code, file: ${file} }\n`

beforeEach(() => {
  stage.project.configure('policy: { mode: open }\n')
  stage.project.script(
    '- calls: [{ id: one, tool: write, args: { path: note.txt, content: x } }]\n- text: Done.\n',
  )
})

test.each([
  ['a hook at no point', '.hookline/hooks.yaml', typo],
  ['a wrong indent', '.hookline/hooks.yaml', 'hooks:\n- a: 1\n  - b\n'],
  ['a configuration', 'hookline.config.yaml', 'hokks: []\n'],
  ['a file of the local layer', '.hookline/local.yaml', typo],
])(
  'T15 %s of a project that nobody trusts ends a run as hooks that nobody trusts do',
  async (_, path, text) => {
    const file = stage.project.write(path, text)
    const { code, stdout, stderr } = await cli('run', 'hi')
    expect({ code, stdout }).toEqual({ code: 7, stdout: '' })
    expect(stderr).toMatch(new RegExp(`${file}:\\d+:\\d+: .`))
    expect(stderr).toContain('hookline hooks lint')
    expect(existsSync(join(stage.project.root, 'note.txt'))).toBe(false)
  },
)

test.each([
  ['is not there', undefined],
  ['is no JSON', '{ "hooks": { '],
])('T15 a hook file of another product that %s ends a run', async (_, text) => {
  const path = '.claude/settings.json'
  stage.project.write('.hookline/hooks.yaml', dialects(`../${path}`))
  if (text !== undefined) stage.project.write(path, text)
  const { code, stderr } = await cli('run', 'hi')
  expect(code).toBe(7)
  expect(stderr).toMatch(/settings\.json:1:\d+: The /)
})

test('what goes on with a turn does not without a file that is wrong', async () => {
  stage.project.write('.hookline/hooks.yaml', typo)
  expect(await cli('sessions', 'resume', 'any')).toMatchObject({ code: 7 })
})

test('a chat does not begin without a file that is wrong', async () => {
  stage.project.write('.hookline/hooks.yaml', typo)
  const chat = stage.open(['chat'], { columns: 300 })
  await chat.see(/hooks\.yaml:2:\d+: .*tool\.gaurd/)
  expect(await chat.ended).toBe(7)
})

test('a chat says what nobody trusts, and goes on without it', async () => {
  stage.project.write('.hookline/hooks.yaml', guard('tool.guard'))
  const chat = stage.open(['chat'], { columns: 300 })
  await chat.see('Nobody trusts what came with this project: guard')
  await chat.see('› ')
  chat.type('/exit\r')
  expect(await chat.ended).toBe(0)
})

test.each([
  ['listed', ['hooks', 'list']],
  ['explained', ['hooks', 'explain', 'tool.guard']],
])('where hooks are %s, a file that is wrong is told', async (_, words) => {
  stage.project.write('.hookline/hooks.yaml', typo)
  const { code, stderr } = await cli(...words)
  expect(code).toBe(0)
  expect(stderr).toMatch(
    /Nothing of this file is used: .*hooks\.yaml:2:\d+: .*tool\.gaurd/,
  )
})

test('whoever tests a hook that is in no file hears of one that is wrong', async () => {
  stage.project.write('.hookline/hooks.yaml', typo)
  const { code, stderr } = await cli('hooks', 'test', 'guard')
  expect(code).toBe(5)
  expect(stderr).toMatch(/There is no hook .*hooks\.yaml:2:\d+/s)
})

test.each([
  ['all that is there', ['--all', '--yes']],
  ['what somebody is asked about', []],
])(
  'of a project with a file that is wrong nothing is trusted: %s',
  async (_, words) => {
    stage.project.write('.hookline/hooks.yaml', typo)
    stage.project.write('hookline.config.yaml', guard('tool.guard'))
    const { code, stdout, stderr } = await cli('hooks', 'trust', ...words)
    expect(code).toBe(1)
    expect(stderr).toMatch(/hooks\.yaml:2:\d+: .*tool\.gaurd/)
    expect(stdout).toContain('guard')
    expect(existsSync(join(stage.project.home, 'trust.json'))).toBe(false)
  },
)

test('whoever trusts hears whether all is trusted or nothing is there', async () => {
  const nothing = await cli('hooks', 'trust', '--all', '--yes')
  expect(nothing).toMatchObject({ code: 0 })
  expect(nothing.stderr).toBe('Nothing came with this project.\n')
  stage.project.write('.hookline/hooks.yaml', guard('tool.guard'))
  expect(await cli('hooks', 'trust', '--all', '--yes')).toMatchObject({
    code: 0,
    stderr: '',
  })
  const { stderr } = await cli('hooks', 'trust')
  expect(stderr).toBe('All that came with this project is trusted already.\n')
})

test('a daemon goes on without a file that is wrong in a project that nobody trusts, and says so', async () => {
  stage.project.write('.hookline/hooks.yaml', typo)
  const daemon = stage.open(['up'], { columns: 300 })
  await daemon.see('daemon.sock')
  await daemon.see(/Nothing of this file is used: .*hooks\.yaml:2:\d+/)
  expect(await stage.ask('status')).toMatchObject({ code: 0 })
  const { stderr } = await stage.ask('hooks', 'list')
  expect(stderr).toMatch(/hooks\.yaml:2:\d+: .*tool\.gaurd/)
})

test.each([
  ['of ours', typo, /hooks\.yaml:2:\d+: .*tool\.gaurd/g],
  ['of another product', dialects('gone.json'), /gone\.json:1:1: The hook/g],
])('a doctor tells of a file %s that is wrong, once', async (_, text, told) => {
  stage.project.write('.hookline/hooks.yaml', text)
  const { code, stdout } = await cli('doctor')
  expect(code).toBe(1)
  expect(stdout.match(told)).toHaveLength(1)
})
