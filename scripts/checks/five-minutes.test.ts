import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { fencedBlocks } from './markdown.mjs'

const root = resolve(import.meta.dirname, '../..')

/** Types what a page says, and gives what came of it and what it shows. */
function typeOut(path: string) {
  const home = mkdtempSync(join(tmpdir(), 'hookline-start-'))
  const blocks = fencedBlocks(readFileSync(`${root}/${path}`, 'utf8'))
  const codeIn = (wanted: string) =>
    blocks.filter(({ language }) => language === wanted).map(({ code }) => code)
  const typed = codeIn('bash')
  const script = ['shopt -s expand_aliases', ...typed].join('\n')
  const { PATH } = process.env
  try {
    // Only what somebody has who has just logged in.
    const { stdout, stderr } = spawnSync('bash', ['-c', script], {
      cwd: root,
      env: { PATH, HOME: home, LANG: 'C.UTF-8' },
      encoding: 'utf8',
    })
    return { typed, shown: codeIn('text'), printed: `${stdout}${stderr}` }
  } finally {
    rmSync(home, { recursive: true, force: true })
  }
}

test('what "start in five minutes" says, typed as it stands, gives what it shows', {
  // Nine programs start, one after the other.
  timeout: 180_000,
}, () => {
  const { typed, shown, printed } = typeOut('docs/guide/start.md')
  expect(typed.length).toBeGreaterThan(4)
  expect(shown.length).toBeGreaterThan(2)
  for (const line of shown.flatMap((code) => code.split('\n'))) {
    expect(printed).toContain(line)
  }
})

test('the tour of the README, typed as it stands, gives what it shows', {
  timeout: 180_000,
}, () => {
  const { typed, shown, printed } = typeOut('README.md')
  expect(typed.length).toBe(3)
  expect(shown.length).toBe(3)
  for (const line of shown.flatMap((code) => code.split('\n'))) {
    expect(printed).toContain(line)
  }
})
