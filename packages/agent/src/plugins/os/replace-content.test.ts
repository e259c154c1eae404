import { mkdtemp, open, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { replaceContent } from './replace-content.ts'

const before = 'what it held'
const after = 'what it is to hold, which is more'
const contents = { before: Buffer.from(before), after: Buffer.from(after) }

async function openOne() {
  const folder = await mkdtemp(join(tmpdir(), 'hookline-replace-'))
  const path = join(folder, 'a.txt')
  await writeFile(path, before)
  const handle = await open(path, 'r+')
  onTestFinished(async () => {
    await handle.close()
    await rm(folder, { recursive: true })
  })
  return { handle, path }
}

/** A disk that takes some bytes, and then no more for so many tries. */
function fill({ handle }: Awaited<ReturnType<typeof openOne>>, tries: number) {
  const full = new Error('ENOSPC: no space left on device')
  const write = handle.write.bind(handle)
  const some = async (): Promise<never> => {
    await write(contents.after, 0, 20, 0)
    throw full
  }
  const spy = vi.spyOn(handle, 'write').mockImplementationOnce(some)
  for (let left = tries - 1; left > 0; left--) spy.mockRejectedValueOnce(full)
}

test('content is replaced, whatever was longer', async () => {
  const file = await openOne()
  await replaceContent(file, contents)
  expect(await readFile(file.path, 'utf8')).toBe(after)
  const back = { before: contents.after, after: contents.before }
  await replaceContent(file, back)
  expect(await readFile(file.path, 'utf8')).toBe(before)
})

test('a file that can be written only in part is as it was', async () => {
  const file = await openOne()
  fill(file, 1)
  const replaced = replaceContent(file, contents)
  await expect(replaced).rejects.toThrow(
    'could not be written, and is as it was',
  )
  expect(await readFile(file.path, 'utf8')).toBe(before)
})

test('a file that cannot be put back either is said to be neither', async () => {
  const file = await openOne()
  fill(file, 2)
  const replaced = replaceContent(file, contents)
  await expect(replaced).rejects.toThrow('in part what it was')
})
