import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { CommandRunner } from './command-runner.ts'
import { createCommandRunner } from './create-command-runner.ts'
import { askCommand } from './fixtures/ask-hook.ts'
import { tellingLine } from './telling-line.ts'

const folder = mkdtempSync(join(tmpdir(), 'hookline-telling-'))
let runner: CommandRunner

beforeAll(() => {
  runner = createCommandRunner()
})
afterAll(async () => {
  await runner.close()
  rmSync(folder, { recursive: true })
})

function written(lines: readonly string[]): string {
  const path = join(folder, 'hook')
  writeFileSync(path, lines.join('\n'))
  return path
}

const programs: readonly (readonly [string, string, string[], string])[] = [
  [
    'raises',
    'python3',
    ['import json', 'def f(m):', '  return m["x"]', 'f({})'],
    "KeyError: 'x'",
  ],
  [
    'raises from another',
    'python3',
    [
      'try:',
      '  1/0',
      'except ZeroDivisionError as e:',
      '  raise ValueError("two\\nlines") from e',
    ],
    'ValueError: two',
  ],
  [
    'cannot import',
    'python3',
    ['import no_such_thing'],
    "ModuleNotFoundError: No module named 'no_such_thing'",
  ],
  [
    'has a slip',
    'python3',
    ['def f(:', '  pass'],
    'SyntaxError: invalid syntax',
  ],
  [
    'raises its own',
    'python3',
    ['class NotToday(Exception):', '  pass', 'raise NotToday("no")'],
    'NotToday: no',
  ],
  [
    'throws',
    'node',
    ['const f = (m) => m.x.split(",")', 'f({})'],
    "TypeError: Cannot read properties of undefined (reading 'split')",
  ],
  [
    'has a slip',
    'node',
    ['const a = 1', 'foo(1 2)'],
    'SyntaxError: missing ) after argument list',
  ],
  [
    'throws with more lines',
    'node',
    ["require('node:assert').strictEqual(1, 2)"],
    'AssertionError [ERR_ASSERTION]: Expected values to be strictly equal:',
  ],
  [
    'throws what has properties',
    'node',
    ["require('node:fs').readFileSync('/nope')"],
    "Error: ENOENT: no such file or directory, open '/nope'",
  ],
  ['throws a text', 'node', ["throw 'No luck.'"], 'No luck.'],
  [
    'misses a program',
    'bash',
    ['set -e', 'echo starting >&2', 'no_such_program'],
    'line 3: no_such_program: command not found',
  ],
  [
    'misses a variable',
    'bash',
    ['set -u', 'echo starting >&2', 'echo $nope'],
    'line 3: nope: unbound variable',
  ],
]

test.each(programs)(
  'of a program that %s (%s), the line that helps is told',
  async (_, program, lines, expected) => {
    const argv = [program, written(lines)]
    const policy = 'closed'
    const { record, type } = await askCommand({ argv }, { runner, policy })
    const [note] = record.diagnostics
    expect(type).toBe('reject')
    expect(note?.code).toBe('handler.bad-exit')
    expect(note?.message).toMatch(/exited with code \d+\. It said: /)
    expect(note?.message.endsWith(expected)).toBe(true)
  },
)

test('what a resident program dies of is told the same way', async () => {
  const argv = ['node', written(['null.x'])]
  const asked = { runner, policy: 'closed' } as const
  const { record } = await askCommand({ argv, mode: 'resident' }, asked)
  expect(record.diagnostics[0]?.message).toContain(
    'It said: TypeError: Cannot read properties of null',
  )
})

test.each([
  ['', ''],
  [' \n\n', ''],
  ['  indented\n', 'indented'],
  ['one\ntwo\n', 'two'],
  [
    'Exception in thread "main" a.B: no\n\tat A.main(A.java:3)',
    /^Exception in/,
  ],
  ["x.rb:1:in 'f': no (RuntimeError)\n\tfrom x.rb:3", /^x.rb:1/],
  ["thread 'main' panicked at a.rs:2:5:\nboom\nnote: run with", 'boom'],
  ['3 Errors found\nfatal: no\n', 'fatal: no'],
])('of %j it takes the line that says most', (stderr, expected) => {
  expect(tellingLine(stderr)).toMatch(expected)
})
