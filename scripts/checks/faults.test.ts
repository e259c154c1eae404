import { expect, test } from 'vitest'
import { checkFaults } from './faults.mjs'
import { temporaryTree } from './temporary-tree.ts'

const tests = 'packages/core/src/engine/run.test.ts'

function table(...rows: string[]): string {
  return ['| id | what | layer |', '|---|---|---|', ...rows].join('\n')
}

function check(files: Record<string, string>) {
  const root = temporaryTree({ 'packages/core/package.json': '{}', ...files })
  const { problems, summary } = checkFaults(root, ['core'])
  const lines = problems.map(
    ({ file, line, message }) => `${file}:${line}: ${message}`,
  )
  return { lines, summary }
}

test('a catalogue and tests that agree give the counts', () => {
  const { lines, summary } = check({
    'docs/faults.md': table(
      '| F001 | a \\| b | core |',
      '| `T16` | c | core, agent |',
      '| F002 | d | agent |',
      '| F003 | e | core |',
    ),
    [tests]: [
      "describe('ends F001', () => {})",
      "test.each([1])('T16 and F003: %s', () => {})",
      "test('plain', () => {})",
    ].join('\n'),
  })
  expect(lines).toEqual([])
  expect(summary).toBe(
    '4 rows, 3 rows of finished layers, 2 tests carrying ids',
  )
})

test('a fault of a finished layer that no test carries is a problem', () => {
  const { lines } = check({
    'docs/faults.md': table('| F001 | a | agent, core |'),
    'packages/agent/src/loop.test.ts': "test('F001 ends', () => {})",
  })
  expect(lines).toEqual([
    'docs/faults.md:3: No test of packages/core carries F001 in its name.',
  ])
})

test('a test that is skipped carries nothing', () => {
  const { lines } = check({
    'docs/faults.md': table('| F001 | a | core |', '| F002 | b | core |'),
    [tests]:
      "describe.skip('later', () => { test('F001', () => {}) })\ntest.todo('F002')",
  })
  expect(lines).toHaveLength(2)
})

test('an id in a comment or a plain string carries nothing', () => {
  const { lines } = check({
    'docs/faults.md': table('| F001 | a | core |'),
    [tests]: "// F001\nconst id = 'F001'\ntest('runs', () => id)",
  })
  expect(lines).toHaveLength(1)
})

test('an id in a test name that the catalogue does not know is a problem', () => {
  const { lines } = check({
    'docs/faults.md': table('| F001 | a | core |'),
    [tests]: "test('F001 ends', () => {})\ntest(`ends F999`, () => {})",
  })
  expect(lines).toEqual([`${tests}:2: F999 is not in docs/faults.md.`])
})

test('a repeated id, a missing layer and a table without layers are problems', () => {
  const { lines } = check({
    'docs/faults.md': [
      table('| F001 | a | agent |', '| F001 | b | agent |', '| F002 | c | |'),
      '',
      '| id | what |',
      '|---|---|',
      '| F003 | d |',
    ].join('\n'),
  })
  expect(lines).toEqual([
    'docs/faults.md:4: F001 is there twice.',
    'docs/faults.md:5: F002 names no layer.',
    'docs/faults.md:9: The table of F003 has no last column "layer".',
  ])
})

test('a missing catalogue is a problem', () => {
  expect(check({}).lines).toEqual([
    'docs/faults.md:1: The catalogue of faults is missing.',
  ])
})
