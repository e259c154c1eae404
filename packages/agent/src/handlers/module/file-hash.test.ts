import { spawnSync } from 'node:child_process'
import {
  mkdirSync,
  mkdtempSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { sha256 } from '../../seal/sha256.ts'
import { FileHash } from './file-hash.ts'

let folder: string
let path: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'hookline-hash-'))
  path = join(folder, 'file')
})

afterEach(() => {
  vi.restoreAllMocks()
  rmSync(folder, { recursive: true })
})

/** Files that were just written count as old from now on. */
function letTimePass(): void {
  const real = Date.now
  vi.spyOn(Date, 'now').mockImplementation(() => real() + 10_000)
}

test('changes that come faster than the clock of the disk ticks are all seen', () => {
  const file = new FileHash(path)
  for (let change = 1_000; change < 1_500; change++) {
    writeFileSync(path, String(change))
    expect(file.read().hash).toBe(sha256(String(change)))
  }
})

test('a change that leaves time, size and file as they were is seen', () => {
  writeFileSync(path, 'one')
  utimesSync(path, 1_000, 1_000)
  letTimePass()
  const file = new FileHash(path)
  expect(file.read().hash).toBe(sha256('one'))
  writeFileSync(path, 'two')
  utimesSync(path, 1_000, 1_000)
  expect(file.read().hash).toBe(sha256('two'))
})

test('another file in its place is seen, and a link is followed', () => {
  writeFileSync(path, 'one')
  letTimePass()
  const file = new FileHash(path)
  file.read()
  writeFileSync(join(folder, 'two'), 'two')
  renameSync(join(folder, 'two'), path)
  expect(file.read().hash).toBe(sha256('two'))
  writeFileSync(join(folder, 'three'), 'three')
  rmSync(path)
  symlinkSync('three', path)
  expect(file.read().hash).toBe(sha256('three'))
})

test('what is not there, or is no file, or is too large, is said; nothing waits for it', () => {
  const file = new FileHash(path, 10)
  expect(file.read()).toEqual({ problem: 'does not exist', isAbsent: true })
  mkdirSync(path)
  expect(file.read()).toEqual({ problem: 'is not a file', isAbsent: true })
  rmSync(path, { recursive: true })
  // To open a pipe that nobody writes to would last for ever.
  expect(spawnSync('mkfifo', [path]).status).toBe(0)
  expect(file.read()).toEqual({ problem: 'is not a file', isAbsent: true })
  rmSync(path)
  symlinkSync('/dev/zero', path)
  expect(file.read()).toEqual({ problem: 'is not a file', isAbsent: true })
  rmSync(path)
  symlinkSync('file', path)
  expect(file.read()).toMatchObject({ isAbsent: false })
  rmSync(path)
  writeFileSync(path, '')
  truncateSync(path, 11)
  expect(file.read()).toMatchObject({ isAbsent: false })
  truncateSync(path, 10)
  expect(file.read().hash).toBe(sha256('\0'.repeat(10)))
})
