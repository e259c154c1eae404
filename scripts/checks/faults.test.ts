import { expect, test } from 'vitest'
import { checkFaults, type Shown } from './faults.mjs'
import { temporaryTree } from './temporary-tree.ts'

const tests = 'packages/core/src/engine/run.test.ts'
const agentTests = 'packages/agent/src/loop/loop.test.ts'

function table(...rows: string[]): string {
  return ['| id | what | layer |', '|---|---|---|', ...rows].join('\n')
}

function check(files: Record<string, string>, shown: Shown = { core: 'all' }) {
  const root = temporaryTree({ 'packages/core/package.json': '{}', ...files })
  const { problems, summary } = checkFaults(root, shown)
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
    '4 rows, 3 rows that have to be shown, 2 tests carrying ids',
  )
})

test('a fault of a finished layer that no test carries is a problem', () => {
  const { lines } = check({
    'docs/faults.md': table('| F001 | a | agent, core |'),
    [agentTests]: "test('F001 ends', () => {})",
  })
  expect(lines).toEqual([
    'docs/faults.md:3: No test of core carries F001 in its name.',
  ])
})

test('a layer with a list has to show what is listed, and nothing else', () => {
  const { lines, summary } = check(
    {
      'docs/faults.md': table(
        '| F001 | a | agent |',
        '| F002 | b | agent |',
        '| F003 | c | agent, store |',
      ),
      [agentTests]: "test('F001 ends', () => {})",
    },
    { core: 'all', agent: ['F001', 'F002'] },
  )
  expect(lines).toEqual([
    'docs/faults.md:4: No test of agent carries F002 in its name.',
  ])
  expect(summary).toMatch(/^3 rows, 2 rows that have to be shown,/)
})

test('a test that carries what its layer does not list is a problem', () => {
  const { lines } = check(
    {
      'docs/faults.md': table('| F001 | a | agent |'),
      [agentTests]: "test('F001 ends', () => {})",
    },
    { agent: [] },
  )
  expect(lines).toEqual([
    `${agentTests}:1: F001 is carried by a test, but not in the list of what agent shows.`,
  ])
})

test.each([
  { shown: { agent: 'all' } as const },
  { shown: { agent: ['F002'] } },
])(
  'a test that carries a row of other layers is a problem: %j',
  ({ shown }) => {
    const { lines } = check(
      {
        'docs/faults.md': table('| F001 | a | store |', '| F002 | b | agent |'),
        [agentTests]: "test('F001 and F002', () => {})",
      },
      shown,
    )
    expect(lines).toEqual([
      `${agentTests}:1: F001 is carried by a test of agent, but its row does not name that layer.`,
    ])
  },
)

test('a list that has what is no row of its layer is a problem', () => {
  const { lines } = check(
    { 'docs/faults.md': table('| F001 | a | store |') },
    { agent: ['F001', 'F009'] },
  )
  expect(lines).toEqual([
    'docs/faults.md:1: F001 is listed for agent, but no row of that layer has it.',
    'docs/faults.md:1: F009 is listed for agent, but no row of that layer has it.',
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
