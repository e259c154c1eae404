import {
  appendFile,
  chmod,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rm,
  stat,
  writeFile,
} from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createLogFile } from './log-file.ts'

let folder: string
let file: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hookline-audit-'))
  file = join(folder, 'deep', 'audit.jsonl')
})
afterEach(() => rm(folder, { recursive: true, force: true }))

const textsOf = async (path = file) =>
  (await readFile(path, 'utf8')).trimEnd().split('\n')

const openLog = (
  more: { readonly maxBytes?: number; maxFiles?: number } = {},
) =>
  createLogFile({
    ...{ file, maxBytes: 4096, maxFiles: 3, syncs: false, ...more },
    lostLine: (count) => JSON.stringify({ lost: count }),
  })

test('it begins anew when it is full, and keeps so many', async () => {
  const log = openLog()
  const line = 'x'.repeat(999)
  await Promise.all(Array.from({ length: 30 }, () => log.append(line)))
  const names = await readdir(join(folder, 'deep'))
  expect(names.toSorted()).toEqual([
    ...['audit.jsonl', 'audit.jsonl.1', 'audit.jsonl.2'],
  ])
  for (const name of names) {
    const { size } = await stat(join(folder, 'deep', name))
    expect(size).toBeLessThanOrEqual(4096)
  }
})

test('it says how many were lost while it could not be written', async () => {
  await mkdir(file, { recursive: true })
  const log = openLog()
  const lost = await Promise.allSettled(
    ['a', 'b'].map((line) => log.append(line)),
  )
  expect(lost.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  await rm(file, { recursive: true })
  await log.append('"c"')
  expect(await textsOf()).toEqual(['{"lost":2}', '"c"'])
})

test('lines that were written before one that could not be are not lost', async () => {
  // There is no way to begin anew: something is in the place of the next file.
  await mkdir(join(`${file}.1`, 'full'), { recursive: true })
  const log = openLog({ maxFiles: 2 })
  const lines = Array.from({ length: 10 }, (_, at) => `${at}`.repeat(999))
  const ends = await Promise.allSettled(lines.map((line) => log.append(line)))
  const written = ends.filter(({ status }) => status === 'fulfilled').length
  expect(written).toBe(4)
  expect(await textsOf()).toEqual(lines.slice(0, 4))
  await rm(`${file}.1`, { recursive: true })
  await log.append('"last"')
  expect((await textsOf()).slice(4)).toEqual(['{"lost":6}', '"last"'])
})

test('a line that was cut, as by a full disk or a kill, spoils no other', async () => {
  await mkdir(join(folder, 'deep'))
  await writeFile(file, '"whole"\n{"cut":')
  await openLog().append('"next"')
  expect(await textsOf()).toEqual(['"whole"', '{"cut":', '"next"'])
})

test('a file that is moved away or removed is made again', async () => {
  const log = openLog()
  await log.append('"a"')
  await rm(join(folder, 'deep'), { recursive: true })
  await log.append('"b"')
  expect(await textsOf()).toEqual(['"b"'])
})

test('several that write to one file break no line of each other', async () => {
  const logs = [0, 1, 2].map(() => openLog({ maxBytes: 1e9 }))
  const lineOf = (at: number) => JSON.stringify(`${at}`.repeat(30_000))
  const writes = logs.flatMap((log, at) =>
    Array.from({ length: 100 }, () => log.append(lineOf(at))),
  )
  await Promise.all(writes)
  const texts = await textsOf()
  expect(texts).toHaveLength(300)
  expect(new Set(texts)).toEqual(new Set([0, 1, 2].map(lineOf)))
})

test('others who can read it no longer can', async () => {
  const log = openLog()
  await log.append('"a"')
  await chmod(file, 0o644)
  await appendFile(file, '')
  await log.append('"b"')
  expect((await stat(file)).mode & 0o777).toBe(0o600)
})
