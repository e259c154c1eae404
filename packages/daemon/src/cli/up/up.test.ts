import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { expect, test, vi } from 'vitest'
import { stageForEach } from '../fixtures/stage.ts'
import { cliFile, runCommand } from '../fixtures/terminal.ts'

const stage = stageForEach()
const start = (...words: string[]) => stage.start(...words)

test('a daemon says where it is, is asked how it is, and stops when told', async () => {
  const daemon = start('up', '--tcp', '0')
  await daemon.see(`The daemon runs for ${stage.project.root}`)
  await daemon.see(join(stage.project.home, 'run', 'daemon.sock'))
  const url = await daemon.see(/address\s+(http:\/\/127\.0\.0\.1:\d+)/)

  const status = await stage.ask('status', '--json')
  expect(status.code).toBe(0)
  expect(JSON.parse(status.stdout)).toMatchObject({
    pid: daemon.pid,
    root: stage.project.root,
    isSafe: false,
    isReady: true,
  })

  const other = { HOOKLINE_HOME: '', HOOKLINE_URL: url }
  const token = join(stage.project.home, 'token')
  const byUrl = await runCommand(
    stage.project,
    ['status', '--token-file', token],
    {
      env: other,
    },
  )
  expect(byUrl.stdout).toContain(stage.project.root)

  const down = await stage.ask('down')
  expect(down).toMatchObject({ code: 0, stdout: 'The daemon has stopped.\n' })
  expect(await daemon.ended).toBe(0)
  const after = await stage.ask('status')
  expect(after.code).toBe(3)
  expect(after.stderr).toContain('start one with "hookline up"')
})

test('F197 a second daemon ends with a clear code, and the first goes on', async () => {
  const first = await stage.up()
  const second = start('up')
  await second.see(`process ${first.pid}`)
  expect(await second.ended).toBe(6)
  expect((await stage.ask('status')).code).toBe(0)
})

test('F198 what a killed daemon left behind keeps no other from starting', async () => {
  const first = await stage.up()
  first.kill('SIGKILL')
  await first.ended
  const socket = join(stage.project.home, 'run', 'daemon.sock')
  expect(existsSync(socket)).toBe(true)
  expect((await stage.ask('status')).code).toBe(3)
  const second = await stage.up()
  const { code, stdout } = await stage.ask('status', '--json')
  expect(code).toBe(0)
  expect(JSON.parse(stdout)).toMatchObject({ pid: second.pid })
})

test('F199 SIGTERM ends it well, and so does Ctrl-C', async () => {
  const daemon = await stage.up()
  process.kill(daemon.pid, 'SIGTERM')
  expect(await daemon.ended).toBe(0)
  const again = await stage.up()
  again.type('\x03')
  await again.see('The daemon has stopped.')
  expect(await again.ended).toBe(0)
  expect(existsSync(join(stage.project.home, 'run', 'daemon.sock'))).toBe(false)
})

test('F199 a turn holds up the first signal, and not the second; nothing is lost', async () => {
  stage.project.script('- text: Never said.\n  afterMs: 600000\n')
  const daemon = await stage.up('--grace', '10m')
  const turn = start('run', 'wait')
  // What is not written down yet is lost with the process, and was not promised.
  const kept = async () => {
    const [begun] = (await stage.asJson('sessions')).items
    return (await stage.asJson('sessions', 'show', begun.id)).list
  }
  await vi.waitFor(async () => expect(await kept()).toHaveLength(1), {
    timeout: 60_000,
    interval: 50,
  })
  process.kill(daemon.pid, 'SIGINT')
  await daemon.see('Turns may end first')
  expect(existsSync(`/proc/${daemon.pid}`)).toBe(true)
  process.kill(daemon.pid, 'SIGINT')
  expect(await daemon.ended).toBe(1)
  turn.kill()

  stage.project.script('- text: Said after all.\n')
  await stage.up()
  const [session] = (await stage.asJson('sessions')).items
  await vi.waitFor(
    async () => {
      const shown = await stage.ask(
        'sessions',
        'show',
        session.id,
        '--messages',
      )
      expect(shown.stdout).toContain('Said after all.')
    },
    { timeout: 60_000, interval: 50 },
  )
})

test('F199 SIGHUP reads the files again, and a broken one changes nothing', async () => {
  const daemon = await stage.up()
  stage.project.configure('agents:\n  - name: second\n')
  process.kill(daemon.pid, 'SIGHUP')
  await daemon.see('The configuration was read again.')
  const agents = async () => (await stage.ask('agents')).stdout.split('\t')[0]
  await vi.waitFor(async () => expect(await agents()).toBe('second'), {
    timeout: 60_000,
    interval: 50,
  })

  stage.project.configure('agents: [\n')
  const broken = await stage.ask('reload')
  expect(broken.code).toBe(1)
  expect(broken.stdout).toMatch(/hookline\.config\.yaml:\d+:\d+/)
  expect(broken.stdout).toContain('stays in force')
  expect(await agents()).toBe('second')
})

test('F199 a reader that goes away does not end a daemon', async () => {
  const child = spawn(process.execPath, [cliFile, 'up'], {
    cwd: stage.project.root,
    env: stage.project.env,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const exited = once(child, 'exit')
  try {
    const [first] = await once(createInterface(child.stdout), 'line')
    expect(String(first)).toContain('The daemon runs')
    child.stdout.destroy()
    child.stderr.destroy()
    process.kill(child.pid ?? 0, 'SIGPIPE')
    process.kill(child.pid ?? 0, 'SIGHUP')
    expect((await stage.ask('reload')).code).toBe(0)
    expect((await stage.ask('status')).code).toBe(0)
  } finally {
    child.kill('SIGKILL')
    await exited
  }
})

test('in safe mode it starts with files that are broken, and says so', async () => {
  stage.project.configure('hooks: nonsense\n')
  const daemon = start('up', '--safe')
  await daemon.see('Safe mode')
  const { stdout } = await stage.ask('status')
  expect(stdout).toContain('in safe mode')
})
