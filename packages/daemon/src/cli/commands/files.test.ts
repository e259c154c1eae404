import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { loadConfig } from '@hookline/agent/config'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { makeProject, type Project } from '../fixtures/project.ts'
import { runCommand } from '../fixtures/terminal.ts'

vi.setConfig({ testTimeout: 240_000 })

let project: Project

beforeEach(() => {
  project = makeProject()
})

afterEach(() => project.remove())

const cli = (...words: string[]) => runCommand(project, words)

const claude = JSON.stringify({
  hooks: {
    PreToolUse: [
      {
        matcher: 'Bash',
        hooks: [{ type: 'command', command: 'exit 2' }],
      },
    ],
    WorktreeCreate: [
      { hooks: [{ type: 'command', command: 'echo \u001b[31m' }] },
    ],
  },
})

test('a configuration is checked without a daemon, and every problem has its place', async () => {
  const good = await cli('config', 'check')
  expect(good).toMatchObject({ code: 0, stdout: '' })
  const file = project.configure(
    'hooks:\n  - name: x\n    on: nowhere\n    handlr: {}\n',
  )
  const { code, stdout } = await cli('config', 'check')
  expect(code).toBe(1)
  expect(stdout).toContain(`${file}:3:`)
  expect(stdout).toContain(`${file}:4:`)
  const json = await cli('config', 'check', '--json')
  expect(json.code).toBe(1)
  const { problems, refusal } = JSON.parse(json.stdout)
  expect(problems).toContainEqual(
    expect.objectContaining({ file, line: 3, severity: 'error' }),
  )
  expect(refusal).toContain(file)
})

test('what files come to is shown, with defaults and without secrets', async () => {
  project.configure(
    'agents: [{ name: helper, instructions: "Use token-7f3a9c1e5b." }]',
  )
  const { code, stdout } = await runCommand(
    project,
    ['config', 'show', '--json'],
    { env: { MY_API_KEY: 'token-7f3a9c1e5b' } },
  )
  expect(code).toBe(0)
  const { settings } = JSON.parse(stdout)
  expect(settings.agents).toMatchObject([{ name: 'helper' }])
  expect(settings.daemon.graceMs).toBeGreaterThan(0)
  expect(stdout).not.toContain('token-7f3a9c1e5b')
})

test('hook files of products and of ours are linted by their places', async () => {
  const file = project.write('.claude/settings.json', claude)
  const { code, stdout } = await cli('hooks', 'lint', file)
  expect(code).toBe(0)
  expect(stdout).toMatch(/settings\.json:1:\d+: warning: .*"WorktreeCreate"/)
  expect(stdout).not.toContain('\x1b')
  const odd = project.write('odd.json', '{ "hooks": { "PreToolUse": 7 } }')
  const unsure = await cli('hooks', 'lint', odd)
  expect(unsure.code).toBe(2)
  expect(unsure.stderr).toContain('--dialect')
  const wrong = await cli('hooks', 'lint', odd, '--dialect', 'claude-code')
  expect(wrong.code).toBe(1)
  const ours = project.write('hookline.config.yaml', 'hooks: [{ on: nowhere }]')
  const own = await cli('hooks', 'lint', ours, '--json')
  expect(own.code).toBe(1)
  expect(JSON.parse(own.stdout)).toMatchObject({
    dialect: 'hookline',
    findings: expect.arrayContaining([
      expect.objectContaining({ file: ours, severity: 'error' }),
    ]),
  })
  expect((await cli('hooks', 'lint', 'gone.json')).code).toBe(5)
})

test.each([
  ['a program', 'argv: [python9, x]', 'python9'],
  ['a script', 'argv: [sh, guard.sh], cwd: .', 'guard.sh'],
  ['a folder', 'argv: [sh, -c, x], cwd: gone', 'gone'],
  ['a program with a path', 'argv: [./guard.sh]', 'guard.sh'],
])(
  '%s that is not there is told before its hook is needed, once',
  async (_, command, missing) => {
    const hook = `  - { on: tool.guard, handler: { type: command, ${command} } }\n`
    const file = project.write('.hookline/hooks.yaml', `hooks:\n${hook}`)
    // It is looked for where the hook would run it.
    project.write('guard.sh', '')
    const { code, stdout } = await cli('hooks', 'lint', file, '--json')
    expect(code).toBe(0)
    expect(JSON.parse(stdout).findings).toEqual([
      expect.objectContaining({
        code: 'missing-program',
        severity: 'warning',
        place: expect.objectContaining({ line: 2 }),
        message: expect.stringContaining(missing),
      }),
    ])
  },
)

test('a script of a hook that runs where the session does is looked for in the project', async () => {
  const hook =
    '{ on: tool.guard, handler: { type: command, argv: [sh, a.sh] } }'
  const file = project.write('.hookline/hooks.yaml', `hooks: [${hook}]\n`)
  const gone = await cli('hooks', 'lint', file)
  expect(gone.stdout).toContain('a.sh')
  project.write('a.sh', '')
  const { stderr } = await cli('hooks', 'lint', file)
  expect(stderr).toBe('Nothing is wrong with it.\n')
})

test('a hook file of another product is imported, runs, and overwrites nothing', async () => {
  const file = project.write('.claude/settings.json', claude)
  const printed = await cli('import', 'claude-code', file)
  // That is where the product has it.
  expect(await cli('import', 'claude-code')).toEqual(printed)
  const several = await cli('import', 'copilot')
  expect(several).toMatchObject({ code: 2 })
  expect(several.stderr).toContain('.github/hooks/<name>.json')
  expect((await cli('import', 'codex')).stderr).toContain('.codex/hooks.json')
  expect(printed).toMatchObject({ code: 0 })
  expect(printed.stdout).toContain('file: ".claude/settings.json"')
  expect(printed.stdout).toMatch(/^# - line 1: warning: .*WorktreeCreate/m)
  expect(printed.stderr).toContain('"WorktreeCreate" never happens here')
  const out = join(project.root, 'hookline.config.yaml')
  const words = ['import', 'claude-code', file, '--output', out, '--strict']
  expect((await cli(...words)).code).toBe(0)
  const text = readFileSync(out, 'utf8')
  const nowhere = join(project.root, 'nowhere')
  const load = { root: project.root, managed: nowhere, user: nowhere }
  const { dialects, problems } = await loadConfig(load)
  expect(problems).toEqual([])
  expect(dialects).toMatchObject([
    { dialect: 'claude-code', file, isStrict: true },
  ])
  const again = await cli(...words)
  expect(again.code).toBe(1)
  expect(again.stderr).toContain('already')
  expect(readFileSync(out, 'utf8')).toBe(text)
  const json = join(project.root, 'other.json')
  const told = await cli(
    'import',
    'claude-code',
    file,
    '--output',
    json,
    '--json',
  )
  expect(JSON.parse(told.stdout)).toMatchObject({
    out: json,
    hooks: [{ event: 'PreToolUse', points: ['tool.pre_call'] }, { points: [] }],
  })
  expect(JSON.parse(readFileSync(json, 'utf8'))).toEqual({
    version: 1,
    dialects: [{ dialect: 'claude-code', file: '.claude/settings.json' }],
  })
  const empty = project.write('empty.json', '{}')
  expect((await cli('import', 'codex', empty)).code).toBe(1)
})

test('a configuration that is code is checked by what it exports, and ends no command', async () => {
  const file = project.write(
    '../config/hookline/hookline.config.ts',
    'export default { agents: [{ name: "coded" }] }',
  )
  const good = await cli('config', 'show', '--json')
  expect(good.code).toBe(0)
  expect(JSON.parse(good.stdout).settings.agents).toMatchObject([
    { name: 'coded' },
  ])
  writeFileSync(file, '\nprocess.exit(0)\nexport default {}')
  const { code, stdout } = await cli('config', 'check')
  expect(code).toBe(1)
  expect(stdout).toContain(`${file}:2:`)
  for (const command of ['doctor', 'up']) {
    const said = await cli(command)
    expect(said.code, command).toBe(1)
    expect(said.stdout + said.stderr, command).toContain(`${file}:2:`)
  }
})

test('a hook that has a state for its turn is asked about what never happened, too', async () => {
  const words = ['hooks', 'test', 'skills:allowed-tools', '--tool', 'shell']
  const { code, stdout } = await cli(...words, '--json')
  expect(code).toBe(0)
  expect(JSON.parse(stdout)).toMatchObject({
    point: 'tool.guard',
    answer: { state: 'completed', answer: 'proceed' },
  })
})

test('a doctor says once what nobody trusts, and which command shows it', async () => {
  project.write(
    '.hookline/hooks.yaml',
    'hooks: [{ name: x, on: tool.guard, handler: { type: command, argv: [sh, x.sh] } }]',
  )
  project.write('.hookline/x.sh', 'exit 0')
  const { code, stdout } = await cli('doctor')
  expect(code).toBe(0)
  const lines = stdout.split('\n')
  expect(lines.filter((line) => line.includes('hook x:'))).toEqual([
    expect.stringContaining('does nothing until somebody trusts'),
  ])
  expect(stdout).toContain('"hookline hooks trust" shows')
})
