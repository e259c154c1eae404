import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { fencedBlocks } from './markdown.mjs'

const root = resolve(import.meta.dirname, '../..')
const page = readFileSync(`${root}/docs/guide/start.md`, 'utf8')

test('what "start in five minutes" says, typed as it stands, gives what it shows', {
  // Nine programs start, one after the other.
  timeout: 180_000,
}, () => {
  const home = mkdtempSync(join(tmpdir(), 'hookline-start-'))
  const blocks = fencedBlocks(page)
  const typed = blocks.filter(({ language }) => language === 'bash')
  const script = ['shopt -s expand_aliases', ...typed.map(({ code }) => code)]
  const { PATH } = process.env
  try {
    // Only what somebody has who has just logged in.
    const { stdout, stderr } = spawnSync('bash', ['-c', script.join('\n')], {
      cwd: root,
      env: { PATH, HOME: home, LANG: 'C.UTF-8' },
      encoding: 'utf8',
    })
    const shown = blocks.filter(({ language }) => language === 'text')
    expect(typed.length).toBeGreaterThan(4)
    expect(shown.length).toBeGreaterThan(2)
    for (const line of shown.flatMap(({ code }) => code.split('\n'))) {
      expect(`${stdout}${stderr}`).toContain(line)
    }
  } finally {
    rmSync(home, { recursive: true, force: true })
  }
})
