import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryTree } from './temporary-tree.ts'

test.each([
  ['check-imports.mjs', 'packages/core/src/engine/a.ts:1: imports node:fs'],
  ['check-docs.mjs', 'README.md:1: The link to nowhere.md leads to no file.'],
  ['check-faults.mjs', 'docs/faults.md:1: The catalogue of faults is missing.'],
])('%s ends with exit code 1 and names what it found', (script, found) => {
  const root = temporaryTree({
    'README.md': '[bad](nowhere.md)',
    'packages/core/package.json': '{}',
    'packages/core/src/engine/a.ts': "import 'node:fs'",
  })
  const { status, stderr } = spawnSync(
    process.execPath,
    [join(import.meta.dirname, '..', script)],
    { cwd: root, encoding: 'utf8' },
  )
  expect(status).toBe(1)
  expect(stderr).toContain(found)
})
