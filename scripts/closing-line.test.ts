import { spawnSync } from 'node:child_process'
import { resolve } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryTree } from './checks/temporary-tree.ts'

const root = resolve(import.meta.dirname, '..')
const reporter = resolve(import.meta.dirname, 'closing-line.mjs')

const config = `import { ClosingLine } from ${JSON.stringify(reporter)}
export default {
  test: { globals: true, reporters: [new ClosingLine()] },
}
`

/** A run of its own over one file, as `npm test` makes one over all. */
function runTests(file: string, ...words: readonly string[]) {
  const tree = temporaryTree({
    'vitest.config.mjs': config,
    'song.test.mjs': file,
  })
  const vitest = resolve(root, 'node_modules/vitest/vitest.mjs')
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [vitest, 'run', '--root', tree, ...words],
    { cwd: tree, encoding: 'utf8' },
  )
  return { status, output: `${stdout}${stderr}`.trim().split('\n') }
}

test('a run in which every test ran ends with what came of it', () => {
  const { status, output } = runTests("test('sings', () => {})")
  expect({ status, output }).toEqual({
    status: 0,
    output: ['1 passed, 0 failed, 0 skipped'],
  })
})

test('a run fails that skipped a test, and names it', () => {
  const { status, output } = runTests(`
    test('sings', () => {})
    test.skip('hums', () => {})
    test.todo('dances')
    describe.runIf(false)('with a drum', () => { test('beats', () => {}) })
    test('plays', ({ skip }) => skip('There is no string.'))`)
  expect({ status, output }).toEqual({
    status: 1,
    output: [
      'A run without a name filter skips nothing; these tests did not run:',
      '  song.test.mjs: hums',
      '  song.test.mjs: dances',
      '  song.test.mjs: with a drum > beats',
      '  song.test.mjs: plays (There is no string.)',
      '1 passed, 0 failed, 4 skipped',
    ],
  })
})

test('what a name filter leaves out is no failure', () => {
  const file = "test('sings', () => {})\ntest('hums', () => {})"
  const { status, output } = runTests(file, '-t', 'sings')
  expect({ status, output }).toEqual({
    status: 0,
    output: ['1 passed, 0 failed, 1 skipped'],
  })
})
