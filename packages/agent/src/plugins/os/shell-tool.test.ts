import { readFileSync } from 'node:fs'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { needBubblewrap } from '../../handlers/command/fixtures/bubblewrap.ts'
import { createCommandRunner } from '../../handlers.ts'
import { openOs } from './fixtures/open-os.ts'

describe('shell', () => {
  test('runs a command where the session works, and tells what it printed', async () => {
    const { work, call } = await openOs()
    const told = await call('shell', { command: 'pwd; echo oops >&2' })
    expect(told).toEqual({
      isError: false,
      text: `${work}\n\n[stderr]\noops\n`,
    })
    const silent = await call('shell', { command: 'true' })
    expect(silent.text).toBe('(It printed nothing.)')
    const failed = await call('shell', { command: 'echo x; exit 3' })
    expect(failed).toEqual({ isError: true, text: 'x\n\n[exit 3]' })
  })

  test('in a folder below, and in no other', async () => {
    const { work, call } = await openOs()
    await mkdir(join(work, 'sub'))
    const below = await call('shell', { command: 'pwd', cwd: 'sub' })
    expect(below.text.trim()).toBe(join(work, 'sub'))
    const above = await call('shell', { command: 'pwd', cwd: '..' })
    expect(above.text).toContain('outside of the folders')
  })

  test('T30 knows nothing of our environment that it was not given', async () => {
    process.env['HOOKLINE_TEST_SECRET'] = 'hunter2'
    process.env['HOOKLINE_TEST_GIVEN'] = 'given'
    const { call } = await openOs({ env: ['HOOKLINE_TEST_GIVEN'] })
    const { text } = await call('shell', { command: 'env' })
    delete process.env['HOOKLINE_TEST_SECRET']
    delete process.env['HOOKLINE_TEST_GIVEN']
    expect(text).toContain('HOOKLINE_TEST_GIVEN=given')
    expect(text).not.toContain('hunter2')
    expect(text).toContain('PATH=')
  })

  test('is ended when its time is up, with all that it has started', async () => {
    // We decide when its time is up, which a helper would keep by itself.
    const runner = createCommandRunner({ spawnHelper: 'never' })
    onTestFinished(() => runner.close())
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    onTestFinished(() => void vi.useRealTimers())
    const { work, call } = await openOs({ runner })
    const command = 'sleep 300 & echo $! > pid; sleep 300'
    let isOver = false
    const called = call('shell', { command, timeoutMs: 500 }).finally(() => {
      isOver = true
    })
    // Whoever polls lets fake time pass, too.
    const written = () => readFile(join(work, 'pid'), 'utf8').catch(() => '')
    while (!(await written()).endsWith('\n')) await nextTurn()
    expect(isOver).toBe(false)
    while (!isOver) {
      vi.advanceTimersByTime(500)
      await nextTurn()
    }
    const told = await called
    expect(told.isError).toBe(true)
    expect(told.text).toContain('It was ended')
    const pid = Number(await readFile(join(work, 'pid'), 'utf8'))
    expect(isRunning(pid)).toBe(false)
  })

  test('what prints without end is cut, and says so', async () => {
    const { call } = await openOs({}, { maxOutputBytes: 2_000 })
    const told = await call('shell', {
      command: 'head -c 1000000 /dev/zero | tr "\\0" x',
    })
    expect(told.text.length).toBeLessThan(2_000)
    expect(told.text).toContain('left out')
  })

  test('there is none where none is wanted', async () => {
    const { call } = await openOs({ hasShell: false })
    const told = await call('shell', { command: 'true' })
    expect(told.text).toContain('There is no tool "shell"')
  })

  test('T34 does not run where a sandbox is wanted and there is none', async () => {
    const runner = createCommandRunner({ sandboxProgram: 'no-such-bwrap' })
    const { work, call } = await openOs({ runner }, { sandbox: 'workspace' })
    const told = await call('shell', { command: 'touch ran' })
    expect(told.isError).toBe(true)
    await expect(readFile(join(work, 'ran'))).rejects.toThrow('ENOENT')
    await runner.close()
  })
})

describe('T08 T31 T33 a command in a sandbox', () => {
  beforeAll(needBubblewrap)

  const open = (sandbox: 'workspace' | 'read_only') => openOs({}, { sandbox })

  test('writes to its folders alone, and to nothing that would be run later', async () => {
    const { work, away, call } = await open('workspace')
    await mkdir(join(work, '.git', 'hooks'), { recursive: true })
    await mkdir(join(work, '.hookline'))
    await writeFile(join(work, '.envrc'), 'mine')
    const commands = [
      `echo x > ${join(away, 'a')}`,
      'echo x > .git/hooks/pre-commit',
      'echo x > .hookline/hooks.yaml',
      'echo x > .envrc',
      'rm .envrc',
      'mv .git/hooks elsewhere',
    ]
    for (const command of commands) {
      expect((await call('shell', { command })).isError, command).toBe(true)
    }
    expect(await readFile(join(work, '.envrc'), 'utf8')).toBe('mine')
    expect((await call('shell', { command: 'echo x > a' })).isError).toBe(false)
    expect(await readFile(join(work, 'a'), 'utf8')).toBe('x\n')
  })

  test('writes nothing at all where it may only read', async () => {
    const { call } = await open('read_only')
    const told = await call('shell', { command: 'echo x > a' })
    expect(told.isError).toBe(true)
    expect((await call('shell', { command: 'ls /' })).isError).toBe(false)
  })

  test('has no network, and sees no process of ours', async () => {
    const { call } = await open('workspace')
    const devices = await call('shell', { command: 'cat /proc/net/dev' })
    expect(devices.text).not.toMatch(/eth0|ens|wlan/)
    const ours = await call('shell', { command: `ls -d /proc/[0-9]* | wc -l` })
    expect(Number(ours.text.trim())).toBeLessThan(10)
  })
})

function isRunning(pid: number): boolean {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return !/\) Z /.test(stat)
  } catch {
    return false
  }
}
