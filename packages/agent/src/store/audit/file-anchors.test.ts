import { appendFile, chmod, mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createFileAnchors, readFileAnchors } from './file-anchors.ts'

let folder: string
let file: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hookline-anchors-'))
  file = join(folder, 'anchors')
})
afterEach(() => rm(folder, { recursive: true }))

test('anchors are appended to a file that only its owner can read', async () => {
  const anchor = createFileAnchors(file)
  await anchor({ seq: 1, hash: 'a' })
  await anchor({ seq: 2, hash: 'b' })
  expect((await stat(file)).mode & 0o777).toBe(0o600)
  expect(await readFileAnchors(file)).toEqual([
    { seq: 1, hash: 'a' },
    { seq: 2, hash: 'b' },
  ])
})

test('a line that a crash cut short spoils no other', async () => {
  const anchor = createFileAnchors(file)
  await anchor({ seq: 1, hash: 'a' })
  await appendFile(file, '{"seq":2,"ha')
  await anchor({ seq: 3, hash: 'c' })
  expect(await readFileAnchors(file)).toEqual([
    { seq: 1, hash: 'a' },
    { seq: 3, hash: 'c' },
  ])
})

test('a file that others can read or write is refused', async () => {
  const anchor = createFileAnchors(file)
  await anchor({ seq: 1, hash: 'a' })
  await chmod(file, 0o644)
  await expect(anchor({ seq: 2, hash: 'b' })).rejects.toMatchObject({
    code: 'unsafe-file',
  })
})
