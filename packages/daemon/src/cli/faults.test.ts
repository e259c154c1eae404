import { spawnSync } from 'node:child_process'
import { chmodSync, chownSync, existsSync, mkdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { stageForEach } from './fixtures/stage.ts'
import { cliFile, runCommand } from './fixtures/terminal.ts'

const stage = stageForEach()

/** Somebody who has no rights here: root may do anything. */
const nobody = 65_534

test('without permission to write, it says where, and what to do', async () => {
  const isRoot = process.getuid?.() === 0
  mkdirSync(stage.project.home, { mode: 0o700 })
  for (const folder of [dirname(stage.project.home), stage.project.root]) {
    chmodSync(folder, 0o755)
  }
  if (isRoot) chownSync(stage.project.home, nobody, nobody)
  chmodSync(stage.project.home, 0o500)
  const { code, stderr } = await runCommand(
    stage.project,
    ['up'],
    isRoot ? { uid: nobody } : {},
  )
  expect(code).toBe(1)
  expect(stderr).toMatch(/^error: .*cannot be (made|written)/)
  expect(stderr).toContain(stage.project.home)
  expect(stderr).toContain('There is no permission')
  expect(stderr).not.toContain('    at ')
})

test('a home that others can look into is refused', async () => {
  mkdirSync(stage.project.home, { mode: 0o777 })
  chmodSync(stage.project.home, 0o777)
  const { code, stderr } = await runCommand(stage.project, ['up'])
  expect(code).toBe(1)
  expect(stderr).toContain(stage.project.home)
  expect(existsSync(join(stage.project.home, 'token'))).toBe(false)
})

test('without room on the disk, it says so and does not hang', async () => {
  mkdirSync(stage.project.home, { mode: 0o700 })
  // A small disk of its own, all of it used.
  const own = process.getuid?.() === 0 ? ['-m'] : ['-r', '-m']
  const fill =
    'mount -t tmpfs -o size=64k,mode=0700 none "$0" && (head -c 1000000 /dev/zero > "$0/full" 2>/dev/null; exec "$@")'
  const { code, stderr } = await runCommand(stage.project, ['up'], {
    before: ['unshare', ...own, 'sh', '-c', fill, stage.project.home],
  })
  expect(code).toBe(1)
  expect(stderr).toMatch(/^error: /m)
  expect(stderr).toMatch(/no room left|disk has room/)
})

test('a broken file keeps a daemon from starting, and says which line', async () => {
  stage.project.configure('agents:\n  - nme: helper\n')
  const { code, stderr } = await runCommand(stage.project, ['up'])
  expect(code).toBe(1)
  expect(stderr).toMatch(/hookline\.config\.yaml:2:\d+: .*nme/)
})

test('a token that the daemon does not know is refused', async () => {
  await stage.up()
  const file = stage.project.write('token', `hkl_${'x'.repeat(43)}\n`)
  const words = ['status', '--token-file', file]
  const { code, stderr } = await stage.ask(...words)
  expect(code).toBe(4)
  expect(stderr).toContain('--token-file')
  expect(stderr).not.toContain('xxxx')
  const missing = await stage.ask('agents', 'show', 'nobody')
  expect(missing.code).toBe(5)
  const asJson = await stage.ask('agents', 'show', 'nobody', '--json')
  expect(JSON.parse(asJson.stderr)).toMatchObject({
    error: { code: 5, exit: 'not-found' },
  })
  expect(asJson.stdout).toBe('')
})

test.each([
  [['--url', 'ftp://x', 'status'], 'is no address'],
  [['--url', 'http://me:secret@127.0.0.1:1', 'status'], 'user or a password'],
  [['--url', 'http://127.0.0.1:1', 'status'], 'no token'],
  [['--token-file', '/nowhere', 'status'], 'cannot be read'],
])('what cannot work is said before it is tried: %j', async (words, text) => {
  const { code, stderr } = await stage.ask(...words)
  expect(code).toBe(2)
  expect(stderr).toContain(text)
  expect(stderr).not.toContain('secret')
})

test('a reader that has had enough ends a command quietly', () => {
  const line = `"${process.execPath}" "${cliFile}" completion bash | head -n 1`
  const { stdout, stderr } = spawnSync('bash', ['-c', line], {
    env: stage.project.env,
    encoding: 'utf8',
  })
  expect(stdout).toBe('# Completion of hookline for bash.\n')
  expect(stderr).toBe('')
})

test('words of others do not reach the terminal as they are', async () => {
  const { stderr } = await runCommand(stage.project, ['\x1b[2Jfoo'])
  expect(stderr).toContain('\\u{1b}[2Jfoo')
  expect(stderr).not.toContain('\x1b')
})

test('init writes what works at once, and never writes over anything', async () => {
  stage.project.write('.hookline/no-force-push.mjs', 'mine\n')
  const first = await runCommand(stage.project, ['init', '--yes'])
  expect(first.code).toBe(0)
  expect(first.stdout).toContain('stays as it is')
  const again = await runCommand(stage.project, ['init', '--yes'])
  expect(again.code).toBe(1)
  expect(again.stderr).toContain('There is a configuration already')
  const asked = await runCommand(stage.project, [
    'init',
    '--root',
    stage.project.home,
  ])
  expect(asked.code).toBe(2)
  expect(asked.stderr).toContain('--yes')
})

test('what init writes is trusted, passes the doctor, and denies what it should', async () => {
  expect((await runCommand(stage.project, ['init', '--yes'])).code).toBe(0)
  const doctor = await runCommand(stage.project, ['doctor', '--json'])
  const { checks } = JSON.parse(doctor.stdout)
  const levels = checks.map(({ level }: { level: string }) => level)
  expect(levels, doctor.stdout).not.toContain('error')
  expect(doctor.code).toBe(0)
  const names = checks.map(({ name }: { name: string }) => name)
  for (const name of ['node', 'home', 'disk', 'sqlite', 'config', 'store']) {
    expect(names).toContain(name)
  }
  expect(names).toContain('hook no-force-push')

  stage.project.configure('policy: { mode: open }\n')
  stage.project.script(`
- calls: [{ tool: shell, args: { command: "git push --force origin main" } }]
- text: As you wish.
`)
  const { stderr, stdout } = await runCommand(stage.project, ['run', 'push'])
  expect(stderr).toContain('✗ shell denied')
  expect(stderr).toContain('Do not force a push')
  expect(stdout).toBe('As you wish.\n')
})

test('the doctor finds a hook that cannot run, and a file that is wrong', async () => {
  stage.project.configure(
    'hooks:\n  - { name: gone, on: tool.guard, handler: { type: command, argv: [/nowhere/at-all] } }\n',
  )
  const { code, stdout } = await runCommand(stage.project, ['doctor'])
  expect(code).toBe(1)
  expect(stdout).toMatch(/✗ hook gone: .*nowhere/)
  stage.project.configure('hooks: nonsense\n')
  const broken = await runCommand(stage.project, ['doctor'])
  expect(broken.code).toBe(1)
  expect(broken.stdout).toMatch(/✗ config: .*hookline\.config\.yaml:1:\d+/)
})

test('somebody is let in, told a token once, and let in no more', async () => {
  const made = await stage.ask('principals', 'create', 'ann', '--rights', 'run')
  expect(made.stdout).toMatch(/^hkl_\S+\n$/)
  const file = stage.project.write('ann.token', made.stdout)
  await stage.up()
  const as = (...words: string[]) => stage.ask(...words, '--token-file', file)
  expect((await as('status')).stdout).toContain('ann (run)')
  const reload = await as('reload')
  expect(reload.code).toBe(4)
  const list = await stage.ask('principals')
  expect(list.stdout).toContain('ann\tuser\trun')
  expect(list.stdout).not.toContain('hkl_')
  await stage.ask('principals', 'revoke', 'ann')
  expect((await as('status')).code).toBe(4)
  const again = await stage.ask('principals', 'revoke', 'ann')
  expect(again.code).toBe(5)
})
