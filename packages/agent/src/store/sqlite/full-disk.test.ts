import { expect, test } from 'vitest'
import { startChild } from '../fixtures/child.ts'
import { diskFolder } from '../fixtures/disk-folder.ts'
import type { FullDiskReport } from '../fixtures/full-disk-program.ts'
import { smallDisk } from '../fixtures/small-disk.ts'

const program = new URL('../fixtures/full-disk-program.ts', import.meta.url)

test('F147 on a full disk writing is refused, reading and closing records go on, and it resumes by itself', async () => {
  const folder = diskFolder()
  const before = smallDisk(folder, 4)
  const child = startChild(program, folder, { before })
  expect(await child.ended).toEqual({ code: 0, signal: null, errors: '' })
  const reports: FullDiskReport[] = JSON.parse(child.lines[0] ?? '[]')
  expect(reports).toHaveLength(2)
  for (const report of reports) {
    const done = report.refused.filter((outcome) => outcome === 'done').length
    expect(report).toEqual({
      refused: [...Array(done).fill('done'), ...Array(6).fill('full')],
      readable: 20,
      closing: Array(10).fill('done'),
      ballastBytes: -1,
      attemptsUntilBack: 1,
      ballastBytesAfterwards: 256 * 1_024,
      lost: [],
      check: 'ok',
    })
  }
})
