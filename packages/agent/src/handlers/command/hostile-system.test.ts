import {
  type ChildProcess,
  execFile,
  spawn,
  spawnSync,
} from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { createCommandRunner } from './create-command-runner.ts'
import { processesWith, until } from './fixtures/leaks.ts'
import { bash, specOf } from './fixtures/run-spec.ts'
import { isAlive, readProcess, readVariable } from './process-list.ts'
import { endProcess, endSurvivors, findSurvivors } from './process-tree.ts'
import { isOrphanTag, newRunTag, runTagVariable } from './run-tag.ts'

const run = promisify(execFile)
const program = new URL('./fixtures/runner-program.ts', import.meta.url)

interface RunnerProgram {
  readonly child: ChildProcess
  readonly lines: AsyncIterator<string>
}

/** A program that has a runner of its own, and does as it is told. */
function startProgram(
  task: string,
  { before = [], mark = '' }: { before?: string[]; mark?: string } = {},
): RunnerProgram {
  const [command = '', ...args] = [
    ...before,
    process.execPath,
    program.pathname,
    task,
    mark,
  ]
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  const lines = createInterface({ input: child.stdout })
  return { child, lines: lines[Symbol.asyncIterator]() }
}

test('F066 without a descriptor to spare a program is not started, and once there are some it is', async () => {
  const limit = ['bash', '-c', 'ulimit -n 64; exec "$@"', 'bash']
  const { child, lines } = startProgram('starve', { before: limit })
  const starved = JSON.parse((await lines.next()).value)
  expect(starved).toMatchObject({ code: 'not-started' })
  expect(starved.message).toContain('too many files open')
  const freed = JSON.parse((await lines.next()).value)
  expect(freed).toMatchObject({ exitCode: 0, stdout: 'back\n' })
  const retried = JSON.parse((await lines.next()).value)
  expect(retried).toMatchObject({ exitCode: 0, stdout: 'second try\n' })
  await once(child, 'exit')
})

test('F075 a program that cannot be ended is given up, and its place is free again', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'hookline-hanging-'))
  const script = new URL('./fixtures/hanging-disk.py', import.meta.url)
  const disk = spawn('python3', [script.pathname, folder], {
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const lines = createInterface({ input: disk.stdout })
  const { value } = await lines[Symbol.asyncIterator]().next()
  if (value !== 'mounted') {
    const why =
      'F075 is not shown: to mount with FUSE takes root and /dev/fuse.'
    // Not everybody is root; whoever decides what lands has to be.
    if (process.env['CI'] !== undefined) throw new Error(why)
    console.warn(why)
    return
  }
  const runner = createCommandRunner({ concurrency: 1, spawnHelper: 'never' })
  try {
    const argv = ['cat', join(folder, 'file')]
    const end = await runner.run(specOf(argv, { timeoutMs: 3_000 }))
    expect(end).toMatchObject({ isTimedOut: true, isUnkillable: true })
    expect(end.exitCode).toBeUndefined()
    expect(end.elapsedMs).toBeLessThan(5 * (3_000 + 200 + 500))
    const [pid = 0] = end.survivors
    expect(readProcess(pid)?.state).toBe('D')
    expect(await runner.run(bash('echo next'))).toMatchObject({
      stdout: 'next\n',
    })
    disk.kill('SIGKILL')
    await until(() => {
      const facts = readProcess(pid)
      return facts === undefined || !isAlive(facts)
    })
  } finally {
    disk.kill('SIGKILL')
    spawnSync('umount', ['-l', folder])
    rmdirSync(folder)
    await runner.close()
  }
})

test('F076 a zombie is not taken for a process that runs', async () => {
  // A shell would ask after its child: it ends when there is no shell any more.
  const child = 'until [ "$(cat /proc/$$/comm)" = sleep ]; do :; done'
  const script = `{ ${child}; } & echo $!; exec sleep 60`
  const parent = spawn('bash', ['-c', script])
  const line = await once(createInterface({ input: parent.stdout }), 'line')
  const pid = Number(line[0])
  await until(() => readProcess(pid)?.state === 'Z')
  expect(() => process.kill(pid, 0)).not.toThrow()
  const facts = readProcess(pid)
  expect(facts && isAlive(facts)).toBe(false)
  parent.kill('SIGKILL')
  await once(parent, 'exit')
})

test('F076 what was killed is known to be ending for as long as it is there', () => {
  const isOver = (pid: number) => {
    const facts = readProcess(pid)
    return facts === undefined || !isAlive(facts) || facts.isEnding
  }
  for (let round = 0; round < 20; round++) {
    const { pid = 0 } = spawn('sleep', ['60'])
    expect(isOver(pid)).toBe(false)
    process.kill(pid, 'SIGKILL')
    // Between the signal and the end there is a moment with neither.
    expect(isOver(pid) || isOver(pid)).toBe(true)
  }
})

test('F077 another process that has got the id is left alone', async () => {
  const other = spawn('sleep', ['60'], { detached: true })
  const pid = other.pid ?? 0
  const facts = readProcess(pid)
  if (facts === undefined) throw new Error('It has not started.')
  // As if it were the group of a run whose first process had this id before.
  const tree = { pid, tag: newRunTag(), isOld: true }
  expect(findSurvivors(tree)).toEqual([])
  endProcess({ ...facts, startTicks: facts.startTicks - 1 })
  // By the time another process has come and gone, it would have ended.
  spawnSync('true')
  const still = readProcess(pid)
  expect(still && isAlive(still)).toBe(true)
  endProcess(facts)
  await once(other, 'exit')
  expect(other.signalCode).toBe('SIGKILL')
})

test('T31 what becomes another program while it is looked for is ended, too', async () => {
  const { pid } = spawnSync('true')
  const tag = newRunTag()
  // Without variables it looks as it does on the way from one program to the next.
  const next = `exec /usr/bin/env ${runTagVariable}=${tag} /bin/sleep 60`
  const script = `echo ready; read -r; ${next}`
  const other = spawn('/bin/bash', ['-c', script], { env: {}, detached: true })
  await once(createInterface({ input: other.stdout }), 'line')
  const ended = endSurvivors({ pid, tag, isOld: false })
  other.stdin.write('go\n')
  expect(await ended).toEqual([other.pid])
  if (other.signalCode === null) await once(other, 'exit')
  expect(other.signalCode).toBe('SIGKILL')
})

test('F078 a program has no terminal although we have one', async () => {
  const open = ['bash', '-c', 'exec 3<> /dev/tty && echo yes || echo no']
  const python = `import pty, sys; pty.spawn(sys.argv[1:])`
  const pty = (argv: string[]) =>
    spawnSync('python3', ['-c', python, ...argv], {
      input: '',
      encoding: 'utf8',
    }).stdout
  expect(pty(open)).toContain('yes')
  const ours = pty([process.execPath, program.pathname, 'terminal', ''])
  expect(ours).toContain('"stdout":"no\\n"')
})

test('F080 what a program that was killed had started is found at the next start and ended', async () => {
  const script = new URL('./fixtures/orphan-program.ts', import.meta.url)
  const own = process.getuid?.() === 0 ? [] : ['-r']
  // Whatever else starts on this machine would end its orphans as well: here
  // it sees none of them.
  const apart = [...own, '-p', '-f', '--mount-proc']
  const argv = [...apart, process.execPath, script.pathname]
  const { stdout } = await run('unshare', argv)
  const { endedEarly, running, orphaned, ended } = JSON.parse(stdout)
  // While its program lives it is nobody's orphan.
  expect(endedEarly).toEqual([])
  expect(running.length).toBeGreaterThanOrEqual(2)
  expect(orphaned.length).toBeGreaterThanOrEqual(2)
  expect(ended).toEqual(expect.arrayContaining(running))
})

test('F080 the helper of a program that was killed ends what it had started', async () => {
  const mark = `helped-${process.pid}`
  const { child, lines } = startProgram('hang-helped', { mark })
  await lines.next()
  await until(() => processesWith('MARK', mark).length >= 2)
  child.kill('SIGKILL')
  await until(() => processesWith('MARK', mark).length === 0)
})

test('a tag of another namespace, or one that nobody can read, is no orphan', () => {
  const own = newRunTag()
  expect(isOrphanTag(own)).toBe(false)
  const [namespace, pid, started, name] = own.split('.')
  const dead = [namespace, pid, Number(started) + 1, name].join('.')
  expect(isOrphanTag(dead)).toBe(true)
  expect(isOrphanTag(['1', pid, Number(started) + 1, name].join('.'))).toBe(
    false,
  )
  expect(isOrphanTag('')).toBe(false)
  expect(isOrphanTag('0.1.2.3')).toBe(false)
})

test('a variable of another process is read exactly', async () => {
  const env = { A: '1', AB: '2', B: 'A=3', PATH: process.env['PATH'] ?? '' }
  const child = spawn('sleep', ['60'], { env })
  await once(child, 'spawn')
  // Its state is another one each time: while it waits for a disk, nothing is read.
  const read = (name: string) => {
    const facts = readProcess(child.pid ?? 0)
    return facts && readVariable(facts, name)
  }
  await until(() => read('A') !== undefined)
  expect(read('A')).toBe('1')
  expect(read('AB')).toBe('2')
  expect(read('B')).toBe('A=3')
  expect(read('C')).toBeUndefined()
  child.kill('SIGKILL')
  await once(child, 'exit')
})
