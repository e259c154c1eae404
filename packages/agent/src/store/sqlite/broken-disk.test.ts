import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { startChild } from '../fixtures/child.ts'
import { diskFolder } from '../fixtures/disk-folder.ts'

const program = new URL('../fixtures/broken-disk-program.ts', import.meta.url)

/**
 * Files that may not grow beyond a megabyte: what is written behind that
 * fails in the kernel, and SQLite calls it an error of the disk.
 */
const before = ['sh', '-c', 'ulimit -S -f 2048 && exec "$@"', 'sh']

test('F149 an error of the disk fails the unit, never says otherwise, and is over when the disk works again', async () => {
  const file = join(diskFolder(), 'store.db')
  const child = startChild(program, file, { before })
  await child.printed(2)
  const [failures, { readable }] = child.lines.map((line) => JSON.parse(line))
  expect(failures).toEqual(Array(5).fill('unavailable'))
  expect(readable).toBeGreaterThan(20)
  execFileSync('prlimit', [
    '--pid',
    `${child.process.pid}`,
    '--fsize=unlimited',
  ])
  child.process.stdin?.write('go on\n')
  expect(await child.ended).toEqual({ code: 0, signal: null, errors: '' })
  expect(JSON.parse(child.lines[2] ?? '{}')).toEqual({
    acknowledged: expect.any(Number),
    lost: [],
    again: 20,
    check: 'ok',
  })
})
