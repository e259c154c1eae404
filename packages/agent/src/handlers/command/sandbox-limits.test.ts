import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  afterEach,
  beforeAll,
  beforeEach,
  describe,
  expect,
  test,
} from 'vitest'
import type { SandboxDefinition } from '../definition.ts'
import type { CommandRunner } from './command-runner.ts'
import { createCommandRunner } from './create-command-runner.ts'
import { askCommand } from './fixtures/ask-hook.ts'
import { needBubblewrap } from './fixtures/bubblewrap.ts'
import { processesWith, until } from './fixtures/leaks.ts'
import { bash } from './fixtures/run-spec.ts'
import { sandboxArguments } from './sandbox.ts'
import { limitedArgv } from './sandbox-limits.ts'

let runner: CommandRunner
let folder: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'hookline-limits-'))
  runner = createCommandRunner({ spawnHelper: 'never' })
})

afterEach(async () => {
  await runner.close()
  rmSync(folder, { recursive: true, force: true })
})

test('T32 limits are set inside of the sandbox, before the command is there', () => {
  const sandbox = { maxProcesses: 8, maxMemoryMb: 100, maxDiskMb: 10 }
  const parts = { visible: [], writable: [], readOnly: [], hidden: [], sandbox }
  const args = sandboxArguments('/', parts).join(' ')
  expect(args).toContain(`--size ${10 * 1_048_576} --tmpfs /tmp`)
  expect(args).toContain(`--size ${10 * 1_048_576} --tmpfs /dev/shm`)
  const inside = limitedArgv(['true'], sandbox).join(' ')
  expect(inside).toMatch(/^prlimit --core=0:0 .* -- true$/)
  expect(inside).toContain(`--data=${100 * 1_048_576}`)
  expect(inside).toContain(`--fsize=${10 * 1_048_576}`)
  expect(inside).toContain('--nproc=8')
})

describe('in a sandbox with limits', () => {
  beforeAll(needBubblewrap)

  // Each of them would go on for ever; none could harm the machine if it did.
  const bomb = 'i=0; while [ $i -lt 400 ]; do sleep 30 & i=$((i+1)); done; wait'
  const hog = `python3 -c "
import time
held = []
while sum(map(len, held)) < 1500000000:
    held.append(bytearray(20000000))
    time.sleep(0.01)
time.sleep(30)"`
  const family = `for i in 1 2 3 4 5 6; do python3 -c "
import time
held = bytearray(60000000)
time.sleep(30)" & done; wait`

  async function runMarked(script: string, sandbox: SandboxDefinition) {
    const mark = `limits-${process.pid}-${Math.random()}`
    const env = { PATH: process.env['PATH'] ?? '', MARK: mark }
    const options = { sandbox, env, timeoutMs: 25_000 }
    const end = await runner.run(bash(script, options))
    await until(() => processesWith('MARK', mark).length === 0)
    return end
  }

  test('T32 a command that multiplies is ended with all it has made', async () => {
    const end = await runMarked(bomb, { maxProcesses: 40 })
    expect(end).toMatchObject({ isTimedOut: false, exceeded: 'processes' })
    expect(end.elapsedMs).toBeLessThan(15_000)
  })

  test('T32 to whom is not root the system itself gives no more processes', () => {
    const script = `
import os, time
count = 0
try:
    while count < 100:
        if os.fork() == 0:
            time.sleep(5)
            os._exit(0)
        count += 1
except BlockingIOError:
    pass
os.write(1, str(count).encode())
os._exit(0)`
    const nothing = { visible: [], writable: [], readOnly: [], hidden: [] }
    const sandbox = { maxProcesses: 20 }
    const confined = sandboxArguments('/', { sandbox, ...nothing })
    const argv = limitedArgv(['python3', '-c', script], sandbox)
    const nobody = { uid: 65_534, gid: 65_534 }
    const { stdout } = spawnSync('bwrap', [...confined, '--', ...argv], {
      ...(process.getuid?.() === 0 && nobody),
      env: { PATH: process.env['PATH'] ?? '' },
      encoding: 'utf8',
    })
    expect(Number(stdout)).toBeGreaterThan(10)
    expect(Number(stdout)).toBeLessThan(20)
  })

  test('T32 a command that fills memory gets no more of it', async () => {
    const end = await runMarked(hog, { maxMemoryMb: 300 })
    expect(end.isTimedOut).toBe(false)
    expect(end.stderr).toContain('MemoryError')
  })

  test('T32 processes that fill memory together are ended together', async () => {
    const end = await runMarked(family, { maxMemoryMb: 200 })
    expect(end).toMatchObject({ isTimedOut: false, exceeded: 'memory' })
  })

  test('T32 many processes that share their memory are no breach', async () => {
    const script = `python3 -c "
import os, time
held = bytearray(60000000)
for child in range(8):
    if os.fork() == 0:
        time.sleep(0.6)
        os._exit(0)
for child in range(8):
    os.wait()
print(len(held))"`
    const end = await runMarked(script, { maxMemoryMb: 200 })
    expect(end).toMatchObject({ exitCode: 0, stdout: '60000000\n' })
  })

  test('T32 a command that fills a disk gets as much as it may', async () => {
    const script = `
      head -c 50000000 /dev/zero > ${folder}/file
      head -c 50000000 /dev/zero > /tmp/one; head -c 50000000 /dev/zero > /tmp/two
      head -c 50000000 /dev/zero > /dev/shm/one; head -c 1 /dev/zero > /dev/file
      du -xsm /tmp /dev/shm | cut -f1`
    const sandbox = { writable: [folder], maxDiskMb: 4 }
    const end = await runMarked(script, sandbox)
    const most = 4 * 1_048_576
    expect(statSync(join(folder, 'file')).size).toBeLessThanOrEqual(most)
    const sizes = end.stdout.trim().split('\n').map(Number)
    expect(sizes).toHaveLength(2)
    for (const size of sizes) expect(size).toBeLessThanOrEqual(4)
    expect(end.stderr).toContain('Read-only file system')
  })

  test.each([
    ['processes', 'closed', bomb, { maxProcesses: 40 }, 'crashed'],
    ['processes', 'open', bomb, { maxProcesses: 40 }, 'crashed'],
    ['memory', 'closed', family, { maxMemoryMb: 200 }, 'out-of-memory'],
  ] as const)(
    'T32 a gate that takes too many %s fails %s, and says so',
    async (what, policy, shell, sandbox, code) => {
      const asked = { runner, policy, timeoutMs: 25_000 }
      const heard = await askCommand({ shell, sandbox }, asked)
      expect(heard.type).toBe(policy === 'open' ? 'proceed' : 'reject')
      expect(heard.failure).toBe(code)
      const messages = heard.record.diagnostics.map(({ message }) => message)
      expect(messages).toContainEqual(
        expect.stringContaining(`more ${what} than it may`),
      )
    },
  )

  test('T32 a resident command that multiplies is ended as well', async () => {
    const shell = `read -r line; ${bomb}`
    const heard = await askCommand(
      { shell, mode: 'resident', sandbox: { maxProcesses: 40 } },
      { runner, policy: 'closed', timeoutMs: 25_000 },
    )
    expect(heard).toMatchObject({ type: 'reject', failure: 'crashed' })
  })

  test('T32 what the helper process starts is limited, too', async () => {
    await runner.close()
    runner = createCommandRunner({ spawnHelper: 'always' })
    const end = await runMarked(bomb, { maxProcesses: 40 })
    expect(end).toMatchObject({ exceeded: 'processes' })
  })

  test('T32 without limits of its own a sandboxed hook has the usual ones', async () => {
    const shell = `
      ulimit -d; ulimit -f; ulimit -c
      echo "$(ulimit -d) $(ulimit -f) $(ulimit -c)" >&2; exit 2`
    const heard = await askCommand(
      { shell, sandbox: {} },
      { runner, policy: 'closed' },
    )
    expect(heard.reason).toBe(`${2048 * 1024} ${1024 * 1024} 0`)
  })
})
