import { utimes, writeFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { createConfigWorld } from './fixtures/config-world.ts'
import { readSettled } from './read-file.ts'

const longMs = 600_000

test('F117 a file that is being written is read when it is whole', async () => {
  const world = await createConfigWorld()
  const file = await world.write('user/hooks.yaml', 'hooks:\n')
  // Every piece of it would be right by itself.
  const pieces = ['- a\n', '- b\n', '- c\n']
  let written = 'hooks:\n'
  const wait = async () => {
    written += pieces.shift() ?? ''
    await writeFile(file, written)
  }
  const read = await readSettled(file, { settleMs: longMs, wait })
  expect(read).toMatchObject({ type: 'bytes' })
  expect(read.type === 'bytes' && read.bytes.toString()).toBe(
    'hooks:\n- a\n- b\n- c\n',
  )
})

test('F117 a file that changes all the time is not read at all', async () => {
  const world = await createConfigWorld()
  const file = await world.write('user/hooks.yaml', 'hooks:\n')
  let waits = 0
  const wait = () => writeFile(file, `hooks: [${waits++}]`)
  const read = await readSettled(file, { settleMs: longMs, wait })
  expect(read).toMatchObject({ type: 'problem', code: 'unsettled' })
  expect(waits).toBeLessThan(10)
})

test('a file that has been there for a while is read at once', async () => {
  const world = await createConfigWorld()
  const file = await world.write('user/hooks.yaml', 'hooks: []')
  const before = new Date(Date.now() - longMs * 2)
  await utimes(file, before, before)
  const wait = () => Promise.reject(new Error('It waits.'))
  const read = await readSettled(file, { settleMs: longMs, wait })
  expect(read).toMatchObject({ type: 'bytes' })
})
