import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:net'
import { homedir, tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import {
  afterEach,
  beforeAll,
  beforeEach,
  describe,
  expect,
  onTestFinished,
  test,
} from 'vitest'
import type { CommandRunner } from './command-runner.ts'
import { createCommandRunner } from './create-command-runner.ts'
import { needBubblewrap } from './fixtures/bubblewrap.ts'
import { processesWith, until } from './fixtures/leaks.ts'
import { bash } from './fixtures/run-spec.ts'
import { listPids } from './process-list.ts'
import { sandboxArguments } from './sandbox.ts'

let runner: CommandRunner
let folder: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'hookline-sandbox-'))
  runner = createCommandRunner({ spawnHelper: 'never' })
})

afterEach(async () => {
  await runner.close()
  rmSync(folder, { recursive: true, force: true })
})

function isRunning(commandLine: string): boolean {
  return listPids().some((pid) => {
    try {
      const line = readFileSync(`/proc/${pid}/cmdline`, 'utf8')
      return line.startsWith(commandLine)
    } catch {
      return false
    }
  })
}

test('T34 a sandbox that is missing fails the command, which does not run', async () => {
  const mark = join(folder, 'ran')
  const options = { sandboxProgram: join(folder, 'no-bwrap') }
  const without = createCommandRunner(options)
  const run = without.run(bash(`touch ${mark}`, { sandbox: {} }))
  await expect(run).rejects.toMatchObject({
    code: 'no-sandbox',
    message: expect.stringContaining('install bubblewrap'),
  })
  expect(existsSync(mark)).toBe(false)
  await without.close()
})

test('T34 a sandbox that does not work fails the command, which does not run', async () => {
  const mark = join(folder, 'ran')
  const broken = createCommandRunner({ sandboxProgram: 'false' })
  const run = broken.run(bash(`touch ${mark}`, { sandbox: {} }))
  await expect(run).rejects.toMatchObject({
    code: 'no-sandbox',
    message: expect.stringContaining('cannot make a sandbox'),
  })
  expect(existsSync(mark)).toBe(false)
  await broken.close()
})

test('the network is there only if it is allowed', () => {
  const options = { visible: [], writable: [], readOnly: [], hidden: [] }
  const closed = sandboxArguments('/', { sandbox: {}, ...options })
  expect(closed).toContain('--unshare-net')
  const sandbox = { network: true }
  const open = sandboxArguments('/', { sandbox, ...options })
  expect(open).not.toContain('--unshare-net')
})

describe('in a sandbox', () => {
  beforeAll(needBubblewrap)

  test('a command reads the system and writes to its own folders alone', async () => {
    const file = join(homedir(), `.hookline-${process.pid}`)
    const script = `
      test -r /etc/passwd && echo reads
      touch ${file} 2> /dev/null && echo wrote-home
      mount -o remount,rw / 2> /dev/null && echo remounted
      touch ${folder}/kept && echo wrote-folder
      ls /tmp | grep -v hookline-sandbox && echo sees-tmp
      touch /tmp/private && echo wrote-tmp
      cat
    `
    const sandbox = { writable: [folder] }
    const options = { sandbox, cwd: folder, stdin: 'input\n' }
    const end = await runner.run(bash(script, options))
    const lines = ['reads', 'wrote-folder', 'wrote-tmp', 'input']
    expect(end.stdout.trim().split('\n')).toEqual(lines)
    expect(existsSync(join(folder, 'kept'))).toBe(true)
    expect(existsSync('/tmp/private')).toBe(false)
    expect(existsSync(file)).toBe(false)
  })

  test('T33 a command sees no other process and none of our environment', async () => {
    const script = `ls /proc | grep -c '^[0-9]'; cat /proc/${process.pid}/environ`
    const end = await runner.run(bash(script, { sandbox: {} }))
    const [count = '', ...rest] = end.stdout.split('\n')
    expect(Number(count)).toBeLessThan(8)
    expect(rest.join('')).toBe('')
  })

  test('a command reaches the network only if it may', async () => {
    const server = createServer((socket) => socket.end()).listen(0, '127.0.0.1')
    await new Promise((resolve) => server.once('listening', resolve))
    const address = server.address()
    const port = typeof address === 'object' ? address?.port : 0
    const script = `exec 3<> /dev/tcp/127.0.0.1/${port} && echo connected`
    const closed = await runner.run(bash(script, { sandbox: {} }))
    expect(closed.stdout).toBe('')
    const sandbox = { network: true }
    const open = await runner.run(bash(script, { sandbox }))
    expect(open.stdout).toBe('connected\n')
    server.close()
  })

  test('T31 a command that hangs is ended with all that left its group', async () => {
    const mark = `sandboxed-${process.pid}`
    const env = { PATH: process.env['PATH'] ?? '', MARK: mark }
    const napSeconds = `60.${process.pid}`
    const script = `env -i setsid sleep ${napSeconds} & setsid sleep 60 & sleep 60; true`
    const options = { sandbox: {}, env, timeoutMs: 1_000 }
    const end = await runner.run(bash(script, options))
    expect(end.isTimedOut).toBe(true)
    await until(() => processesWith('MARK', mark).length === 0)
    // This one had thrown its environment away as well.
    await until(() => !isRunning(`sleep\0${napSeconds}`))
  })

  test('T31 a command that leaves a daemon behind takes it along', async () => {
    const mark = `daemon-${process.pid}`
    const env = { PATH: process.env['PATH'] ?? '', MARK: mark }
    const script = 'setsid sleep 60 > /dev/null 2>&1 < /dev/null & echo done'
    const end = await runner.run(bash(script, { sandbox: {}, env }))
    expect(end).toMatchObject({ exitCode: 0, stdout: 'done\n' })
    await until(() => processesWith('MARK', mark).length === 0)
  })

  test('what is missing is told as it is outside', async () => {
    const missing = { argv: ['no-such-program-anywhere'], sandbox: {} }
    await expect(runner.run(bash('', missing))).rejects.toMatchObject({
      code: 'not-started',
    })
    const sandbox = { writable: [join(folder, 'nowhere')] }
    await expect(runner.run(bash('true', { sandbox }))).rejects.toMatchObject({
      code: 'not-started',
      message: expect.stringContaining('is to be writable, and is not there'),
    })
  })

  test('T08 what is read-only within a folder that it may write to stays as it is', async () => {
    const kept = join(folder, 'config.json')
    writeFileSync(kept, 'kept')
    const script = `
      echo changed > ${kept}; rm ${kept}; mv ${kept} ${folder}/other
      echo new > ${folder}/new; cat ${kept} ${folder}/new`
    const sandbox = { writable: [folder], readOnly: [kept] }
    const end = await runner.run(bash(script, { sandbox }))
    expect(end.stdout).toBe('keptnew\n')
    expect(readFileSync(kept, 'utf8')).toBe('kept')
    const missing = { writable: [folder], readOnly: [join(folder, 'gone')] }
    const refused = runner.run(bash('true', { sandbox: missing }))
    await expect(refused).rejects.toMatchObject({ code: 'not-started' })
  })

  test('T08 a folder that it may write to stays as it is where the one around it is read-only', async () => {
    const inner = join(folder, 'inner')
    mkdirSync(inner)
    const script = `touch ${inner}/new ${folder}/new; ls ${inner}`
    const sandbox = { writable: [inner], readOnly: [folder] }
    const end = await runner.run(bash(script, { sandbox }))
    expect(end).toMatchObject({ exitCode: 0, stdout: '' })
    expect(existsSync(join(inner, 'new'))).toBe(false)
  })

  test('T34 a link in a folder that others write to brings nothing back that is hidden', async () => {
    const outside = mkdtempSync(join(tmpdir(), 'hookline-sandbox-outside-'))
    onTestFinished(() => rmSync(outside, { recursive: true, force: true }))
    writeFileSync(join(outside, 'secret'), 'seen')
    const link = join(folder, 'link')
    symlinkSync(join('..', basename(outside)), link)
    const script = `cat ${outside}/secret ${link}/secret; true`
    for (const readOnly of [link, join(link, 'secret')]) {
      const sandbox = { writable: [folder], readOnly: [readOnly] }
      await expect(runner.run(bash(script, { sandbox }))).rejects.toMatchObject(
        {
          code: 'not-started',
          message: expect.stringContaining('leads out'),
        },
      )
    }
  })

  test('T34 what is hidden is named by its whole path, or nothing runs', async () => {
    const secret = join(folder, 'secret')
    writeFileSync(secret, 'seen')
    const read = async (hidden: string) => {
      const sandbox = { writable: [folder], hidden: [hidden] }
      return await runner.run(bash(`cat ${secret}; true`, { sandbox }))
    }
    expect((await read(secret)).stdout).toBe('')
    await expect(read('secret')).rejects.toMatchObject({
      code: 'not-started',
      message: expect.stringContaining('give its whole path'),
    })
  })

  test('a script in the hidden /tmp is found all the same', async () => {
    const script = join(folder, 'script.sh')
    writeFileSync(script, '#!/bin/sh\npwd\n', { mode: 0o755 })
    const options = { argv: [script], sandbox: {}, cwd: folder }
    const end = await runner.run(bash('', options))
    expect(end).toMatchObject({ exitCode: 0, stdout: `${folder}\n` })
  })
})
