import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { stageWithDaemon } from '../../fixtures/stage.ts'

/** A reason that would colour, beep, and turn the writing round. */
const hostile = '\\u001b[31mred\\u0007 \\u202eback\\u202c\\u009b2J'

const config = `
policy: { mode: open }
store: { content: { runs: full } }
plugins: { skills: false, memory: false, delegate: false }
hooks:
  - name: no-push
    on: tool.pre_call
    match: { tool: shell, args: { command: '*push*' } }
    handler: { type: command, shell: 'echo "Do not push." >&2; exit 2' }
  - name: hostile
    on: tool.guard
    match: { tool: shell, args: { command: '*hostile*' } }
    handler:
      type: command
      argv: [node, -e, 'console.error(JSON.parse(process.argv[1])); process.exit(2)', '"${hostile}"']
  - name: watcher
    on: tool.guard
    priority: 10
    handler: { type: command, shell: 'exit 0' }
  - { use: call-limit, name: many, options: { toolCalls: 99, modelCalls: 99 } }
`

const script = `
- calls: [{ id: one, tool: shell, args: { command: git push } }]
- text: First.
- calls: [{ id: two, tool: shell, args: { command: echo hostile } }]
- text: Second.
- calls: [{ id: three, tool: shell, args: { command: echo ok } }]
- text: Third.
`

const stage = stageWithDaemon({
  config,
  script,
  async before() {
    for (const said of ['one', 'two', 'three']) {
      expect((await stage.cli('run', said)).code).toBe(0)
    }
  },
})
const ask = (...words: string[]) => stage.ask(...words)
const asJson = (...words: string[]) => stage.asJson(...words)

const controls =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: They are what it is about.
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e]/

test('hooks are listed in order, in a pipe and as JSON', async () => {
  const { code, stdout } = await ask('hooks', 'list', '--point', 'tool.guard')
  expect(code).toBe(0)
  const rows = stdout
    .trim()
    .split('\n')
    .map((line) => line.split('\t'))
  expect(rows.map((row) => row.slice(0, 6))).toEqual([
    ['tool.guard', '1', 'watcher', 'command', 'enforce', 'on'],
    ['tool.guard', '2', 'hostile', 'command', 'enforce', 'on'],
    ['tool.guard', '3', 'many:tools', 'use', 'enforce', 'on'],
  ])
  expect(rows[0]?.[6]).toMatch(/hookline\.config\.yaml:\d+ \(user\)$/)
  const { items } = await asJson('hooks')
  const names = items.map(({ name }: { name: string }) => name)
  expect(names).toEqual(expect.arrayContaining(['no-push', 'watcher']))
})

test('a terminal shows the plan of a call; colours can be turned off', async () => {
  const args = '{"command":"git push"}'
  const words = ['hooks', 'explain', 'tool.pre_call', '--tool', 'shell']
  const bright = stage.start(...words, '--args', args)
  const plain = stage.open(words, { env: { NO_COLOR: '1' } })
  await bright.see('1. no-push')
  await bright.see('runs for this')
  await bright.see('tool is "shell", and args.command is like "*push*"')
  await bright.see('It counts as a refusal: This call is denied')
  expect(await bright.ended).toBe(0)
  expect(bright.raw).toContain('\x1b[1m')
  await plain.see('runs if its matcher wants the call')
  expect(await plain.ended).toBe(0)
  expect(plain.raw).not.toContain('\x1b')
  const unknown = await ask('hooks', 'explain', 'tool.never')
  expect(unknown.code).toBe(5)
  expect(unknown.stderr).toContain('tool.pre_call')
})

test('what hooks say reaches no terminal as more than text', async () => {
  const tested = stage.open(
    [
      'hooks',
      'test',
      'hostile',
      '--tool',
      'shell',
      '--args',
      '{"command":"hostile"}',
    ],
    // Nothing is drawn there, however long it takes.
    { env: { NO_COLOR: '1', TERM: 'dumb' } },
  )
  await tested.see('red')
  expect(await tested.ended).toBe(4)
  expect(tested.raw.replaceAll('\r\n', '\n')).not.toMatch(controls)
  for (const words of [
    [
      'hooks',
      'test',
      'hostile',
      '--tool',
      'shell',
      '--args',
      '{"command":"hostile"}',
    ],
    ['hooks', 'test', '\x1b[31mno\x07ne', '--tool', 'shell'],
    ['hooks', 'enable', '\x1b[31mno\u009bne'],
    ['runs', 'why', 'two'],
    ['runs', 'list'],
    ['audit', 'list'],
  ]) {
    const { stdout, stderr } = await ask(...words)
    expect(stdout + stderr).not.toBe('')
    expect(stdout + stderr).not.toMatch(controls)
    const json = await ask(...words, '--json')
    expect(json.stdout + json.stderr).not.toMatch(controls)
  }
})

test('a hook is asked about a call that never happened; the exit code says what it answers', async () => {
  const words = ['hooks', 'test', 'no-push', '--tool', 'shell', '--args']
  const { answer } = await asJson(...words, '{"command":"git push"}')
  expect(answer).toMatchObject({ answer: 'reject', reason: 'Do not push.' })
  expect((await ask(...words, '{"command":"git push"}')).code).toBe(4)
  const other = await ask(...words, '{"command":"ls"}')
  expect(other).toMatchObject({ code: 0 })
  expect(other.stdout).toContain('does not want this')
  const lacks = await ask('hooks', 'test', 'no-push')
  expect(lacks.code).toBe(2)
  expect(lacks.stderr).toContain('--tool shell')
  const wrong = await ask(...words, '[1]')
  expect(wrong.code).toBe(2)
  const none = await ask('hooks', 'test', 'nobody', '--tool', 'shell')
  expect(none.code).toBe(5)
  // Nobody heard of any of it.
  const { items } = await asJson('runs', '--hook', 'no-push')
  expect(items).toHaveLength(1)
})

test('what a hook would change is shown, and why it failed', async () => {
  const file = join(stage.project.root, '..', 'tried.yaml')
  const hook = (name: string, code: string) =>
    `  - name: ${name}
    on: tool.pre_call
    writes: true
    handler: { type: command, argv: [node, -e, '${code}'] }
`
  const answer = '{type:"transform",value:{command:"ls -l"}}'
  const changes = `console.log(JSON.stringify(${answer}))`
  const breaks = 'console.error("No such table."); process.exit(1)'
  writeFileSync(
    file,
    `hooks:\n${hook('changes', changes)}${hook('breaks', breaks)}`,
  )
  const words = ['hooks', 'test', file, '--tool', 'shell', '--args', '{}']
  const changed = await ask(...words, '--hook', 'changes')
  expect(changed).toMatchObject({ code: 0 })
  expect(changed.stdout).toContain('result  {"command":"ls -l"}')
  const broken = await ask(...words, '--hook', 'breaks')
  expect(broken).toMatchObject({ code: 1 })
  expect(broken.stdout).toMatch(/^note +.*No such table\./m)
})

test('the daemon that runs is asked itself; without one, or alone, the hook is loaded', async () => {
  const file = join(stage.project.root, '..', 'who.yaml')
  // A process that is large has a small one start its commands.
  const parents = 'echo $PPID $(grep PPid: /proc/$PPID/status)'
  writeFileSync(
    file,
    `hooks:
  - name: who
    on: tool.guard
    handler: { type: command, shell: '${parents} >&2; exit 2' }
`,
  )
  const word = (pid: number | undefined) => new RegExp(`\\b${pid}\\b`)
  const words = ['hooks', 'test', file, '--tool', 'shell']
  const { answer } = await asJson(...words)
  expect(answer.reason).toMatch(word(stage.daemon.pid))
  const alone = await asJson(...words, '--alone')
  expect(alone.answer.reason).toMatch(word(process.pid))
  expect(alone.answer.reason).not.toMatch(word(stage.daemon.pid))
  const guest = await stage.cli('principals', 'create', 'g', '--rights', 'run')
  const token = stage.project.write('guest.token', guest.stdout)
  const refused = await ask(...words, '--token-file', token)
  expect(refused.code).toBe(4)
  expect(refused.stderr).toContain('admin')
})

test('a hook of a file is tried on what happened, and what would be different is shown', async () => {
  const file = join(stage.project.root, '..', 'new.yaml')
  writeFileSync(
    file,
    `hooks:
  - name: no-echo
    on: tool.guard
    match: { tool: shell, args: { command: 'echo*' } }
    handler: { type: command, shell: 'echo "No echo." >&2; exit 2' }
  - name: elsewhere
    on: compaction.pre
    handler: { type: command, shell: 'exit 0' }
`,
  )
  const unsure = await ask('hooks', 'backtest', file)
  expect(unsure.code).toBe(2)
  expect(unsure.stderr).toContain('no-echo, elsewhere')
  const words = ['hooks', 'backtest', file, '--hook', 'no-echo']
  const report = await asJson(...words, '--since', '1h')
  expect(report).toMatchObject({ looked: 2, changed: 1, lackingCount: 0 })
  const { stdout, stderr } = await ask(...words, '--since', '1h')
  expect(stdout.trim().split('\n')).toHaveLength(1)
  expect(stdout).toContain(
    'proceed\treject\tNo echo.\tshell {"command":"echo ok"}',
  )
  expect(stderr).toContain('1 would have been different')
  const none = ['hooks', 'backtest', file, '--hook', 'elsewhere']
  const { stderr: said } = await ask(...none)
  expect(said).toContain('sees only dispatches in which some hook ran')
  const gone = await ask('hooks', 'backtest', 'not/there.yaml')
  expect(gone.code).toBe(5)
})

test('hooks are switched off and on, one or all, and only for some time where it is all', async () => {
  const off = await ask('hooks', 'disable', 'watcher', '--until', '2h')
  expect(off).toMatchObject({ code: 0 })
  expect(off.stdout).toContain('watcher is off: user:owner until')
  const listed = await ask('hooks', 'list', '--point', 'tool.guard')
  expect(listed.stdout).toMatch(/watcher\tcommand\tenforce\toff\t/)
  expect((await ask('hooks', 'enable', 'watcher')).stdout).toBe(
    'watcher decides.\n',
  )
  const mode = await ask('hooks', 'mode', 'watcher', 'evaluate')
  expect(mode.stdout).toContain('is evaluated')
  expect((await ask('hooks', 'mode', 'watcher', 'enforce')).code).toBe(0)
  expect((await ask('hooks', 'mode', 'watcher', 'loud')).code).toBe(2)
  const forever = await ask('hooks', 'disable', '--all')
  expect(forever.code).toBe(2)
  expect(forever.stderr).toContain('--until 30m')
  const all = await asJson('hooks', 'disable', '--all', '--until', '10m')
  expect(all.disabled).toBeGreaterThan(2)
  expect((await ask('hooks', 'enable', '--all')).code).toBe(0)
  expect((await ask('hooks', 'disable')).code).toBe(2)
  expect((await ask('hooks', 'disable', 'nobody')).code).toBe(5)
})

test('a use is switched as a whole by its name', async () => {
  const off = await ask('hooks', 'disable', 'many', '--reason', 'slow')
  expect(off.stdout).toBe(
    'many:models is off: user:owner (slow).\nmany:tools is off: user:owner (slow).\n',
  )
  const on = await asJson('hooks', 'enable', 'many')
  expect(on.items).toMatchObject([{ isEnabled: true }, { isEnabled: true }])
  const mode = await ask('hooks', 'mode', 'many', 'evaluate')
  expect(mode.stdout.trim().split('\n')).toHaveLength(2)
  expect((await ask('hooks', 'mode', 'many', 'enforce')).code).toBe(0)
})

test('what is trusted and cannot run is not said to run', async () => {
  const turning = (name: string, other: string) => `
  - name: ${name}
    on: tool.guard
    after: [${other}]
    handler: { type: command, shell: exit 0 }`
  stage.project.write(
    '.hookline/hooks.yaml',
    `hooks:${turning('round', 'about')}${turning('about', 'round')}\n`,
  )
  await ask('reload')
  const { code, stdout, stderr } = await ask('hooks', 'trust', '--all', '--yes')
  expect(code).toBe(1)
  expect(stdout).not.toContain('from now on')
  expect(stderr).toMatch(/does not run yet: .*about/)
  stage.project.write('.hookline/hooks.yaml', 'hooks: []\n')
  expect((await ask('reload')).code).toBe(0)
})

test('hooks of a project are shown whole before they are trusted, and asked about', async () => {
  stage.project.write(
    'hookline.config.yaml',
    `hooks:
  - name: theirs
    on: tool.guard
    handler: { type: command, shell: "exit 0 # \\e[31m\\u202e" }
  - name: other
    on: tool.guard
    handler: { type: command, shell: 'exit 0' }
`,
  )
  expect((await ask('reload')).code).toBe(0)
  const list = await ask('hooks', 'trust')
  expect(list.code).toBe(0)
  expect(list.stdout).toContain('exit 0 # ')
  expect(list.stdout).not.toMatch(controls)
  const { items } = await asJson('hooks', 'trust')
  expect(items).toHaveLength(2)
  const unsure = await ask('hooks', 'trust', '--all')
  expect(unsure.code).toBe(2)
  expect((await ask('hooks', 'trust', 'f'.repeat(64), '--yes')).code).toBe(5)
  expect((await asJson('hooks', 'trust')).items).toHaveLength(2)

  const terminal = stage.open(['hooks', 'trust'])
  await terminal.see('theirs')
  await terminal.see('Let "theirs" run?')
  terminal.type('y')
  await terminal.see('Let "other" run?')
  terminal.type('n')
  await terminal.see('1 is trusted')
  expect(await terminal.ended).toBe(0)
  const left = (await asJson('hooks', 'trust')).items
  expect(left).toMatchObject([{ name: 'other' }])
  const done = await ask('hooks', 'trust', left[0].hash, '--yes')
  expect(done.code).toBe(0)
  expect((await asJson('hooks', 'trust')).items).toEqual([])
})

test('figures count what hooks did', async () => {
  const { items } = await asJson('hooks', 'figures', '--since', '1d')
  expect(items).toContainEqual(
    expect.objectContaining({ hook: 'no-push', count: 1, failures: 0 }),
  )
  const { stdout } = await ask('hooks', 'figures', 'watcher')
  expect(stdout).toMatch(/^watcher\t2\t0\t0\t0\t/)
  const wrong = await ask('hooks', 'figures', '--since', 'yesterday')
  expect(wrong.code).toBe(2)
  expect(wrong.stderr).toContain('a time such as 30m')
})
