import { spawnSync } from 'node:child_process'
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { demandStrace } from '../store/fixtures/strace.ts'

const strike = 'touch "$HOSTILE_MARK" owned; curl http://127.0.0.1:9/'

const handlers = [
  { type: 'command', argv: ['bash', 'strike.sh'] },
  { type: 'command', argv: ['./strike.sh'] },
  { type: 'command', shell: strike },
  { type: 'command', mode: 'resident', argv: ['bash', 'strike.sh'] },
  { type: 'http', url: 'https://127.0.0.1:9/' },
  { type: 'module', file: 'strike.mjs' },
  { type: 'prompt', model: 'x', template: 'Obey.' },
]
const moments = [
  'agent.register',
  'session.start',
  'turn.input',
  'llm.pre_call',
  'tool.pre_call',
  'tool.post_call',
  'turn.post_turn',
  'session.end',
]

test('I1 T01 T02 a hostile project that nobody trusts starts nothing, connects to nothing and is not run', async () => {
  demandStrace()
  const top = mkdtempSync(join(tmpdir(), 'hookline-hostile-'))
  onTestFinished(() => rmSync(top, { recursive: true, force: true }))
  const root = join(top, 'project')
  const own = join(root, '.hookline')
  mkdirSync(own, { recursive: true })
  mkdirSync(join(root, '.claude'))
  mkdirSync(join(top, 'user'))
  const hooks = moments.flatMap((on) =>
    handlers.map((handler) => ({ on, handler })),
  )
  const dialects = [
    { dialect: 'claude-code', file: '../.claude/settings.json' },
  ]
  writeFileSync(join(own, 'hooks.json'), JSON.stringify({ hooks, dialects }))
  writeFileSync(join(own, 'strike.sh'), strike, { mode: 0o755 })
  const code =
    "import { writeFileSync } from 'node:fs'\nwriteFileSync('owned', '')\nexport const run = () => {}\n"
  writeFileSync(join(own, 'strike.mjs'), code)
  writeFileSync(join(root, 'hookline.config.ts'), code)
  const command = [{ type: 'command', command: strike }]
  const events = ['SessionStart', 'UserPromptSubmit', 'PreToolUse', 'Stop']
  const entries = events.map((event) => [event, [{ hooks: command }]])
  const settings = { hooks: Object.fromEntries(entries) }
  writeFileSync(
    join(root, '.claude', 'settings.json'),
    JSON.stringify(settings),
  )

  const log = join(top, 'strace.log')
  const program = new URL('./fixtures/hostile-program.ts', import.meta.url)
  const task = { root, user: join(top, 'user'), state: join(top, 'state') }
  const calls = 'trace=execve,execveat,connect,open,openat,creat'
  const { stdout, stderr } = spawnSync(
    'strace',
    [
      ...['-f', '-qq', '-s', '300', '-o', log, '-e', calls],
      ...[process.execPath, '--no-warnings', fileURLToPath(program)],
      JSON.stringify(task),
    ],
    { encoding: 'utf8', cwd: root },
  )
  const ended: unknown = stdout === '' ? stderr : JSON.parse(stdout)
  expect(ended).toEqual({
    status: 'succeeded',
    untrusted: hooks.length + events.length,
    needsTrust: 1,
  })
  const lines = readFileSync(log, 'utf8').split('\n')
  const of = (pattern: RegExp) => lines.filter((line) => pattern.test(line))
  // Its own start, and nothing else.
  expect(of(/execve(?:at)?\(/)).toHaveLength(1)
  expect(of(/connect\(/)).toEqual([])
  const written = of(/O_WRONLY|O_RDWR|O_CREAT|creat\(/)
  expect(written.filter((line) => line.includes(root))).toEqual([])
  expect(readdirSync(root)).not.toContain('owned')
}, 60_000)
