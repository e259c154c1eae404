import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'

let folder: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'hookline-temporary-'))
  mkdirSync(join(folder, 'tmp'))
})

afterEach(() => rmSync(folder, { recursive: true, force: true }))

const program = new URL('./fixtures/temporary-program.ts', import.meta.url)

/** Runs the program where temporary files are on a disk of its own. */
function runOn(options: string) {
  const own = process.getuid?.() === 0 ? ['-m'] : ['-r', '-m']
  // The memory that is used in its place is mounted the same way.
  const script = `
    mount -t tmpfs -o size=64k,mode=0700,${options} none "$0" &&
    mount -t tmpfs -o size=64k,ro none /dev/shm && exec "$@"`
  const tmp = join(folder, 'tmp')
  const command = [process.execPath, program.pathname]
  const words = [...own, 'sh', '-c', script, tmp, ...command]
  const { PATH = '' } = process.env
  const env = { PATH, HOME: folder, TMPDIR: tmp }
  const { stdout, stderr } = spawnSync('unshare', words, {
    env,
    encoding: 'utf8',
  })
  return { tmp, told: stdout === '' ? stderr : JSON.parse(stdout) }
}

const asEver = { exitCode: 0, read: 100_000, stderr: 'warned\n' }
const state = () => join(folder, '.local', 'state', 'hookline', 'data-')

test('F209 a temporary folder that is read-only: commands run, data are with our state', () => {
  const { told } = runOn('ro')
  const dataDir = expect.stringContaining(state())
  expect(told).toEqual({ ...asEver, dataDir })
})

test('F209 a temporary folder that is full: commands run, data are with our state', () => {
  const { told } = runOn('nr_inodes=1')
  const dataDir = expect.stringContaining(state())
  expect(told).toEqual({ ...asEver, dataDir })
})

test('F209 a temporary folder where nothing may be executed: all is as ever', () => {
  const { tmp, told } = runOn('noexec')
  expect(told).toEqual({ ...asEver, dataDir: expect.stringContaining(tmp) })
})
