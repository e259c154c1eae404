import { expect, test } from 'vitest'
import { checkDocs } from './docs.mjs'
import { temporaryTree } from './temporary-tree.ts'

const suite = [
  "describe('a door', () => {",
  "  test('opens once', () => {})",
  "  test('holds [what] it must | may', () => {})",
  "  test.each([[1]])('%s is a key', () => {})",
  "  test.skip('sings', () => {})",
  '})',
].join('\n')

function problemsOf(documents: Record<string, string>): string[] {
  const root = temporaryTree({
    'src/door.test.ts': suite,
    'src/door.ts': '',
    'docs/decisions/0001-doors.md': '# 1. Doors',
    ...documents,
  })
  return checkDocs(root).problems.map(
    ({ file, line, message }) => `${file}:${line}: ${message}`,
  )
}

test('a link to a file of tests is called by the file, or by a test in it', () => {
  const text = [
    '[door.test.ts](src/door.test.ts) [opens once](src/door.test.ts)',
    '[%s is a key](src/door.test.ts) [a door](src/door.test.ts)',
    '[holds \\[what\\] it must \\| may](src/door.test.ts)',
    '[anything](src/door.ts)',
  ].join('\n')
  expect(problemsOf({ 'NOTES.md': text })).toEqual([])
})

test('a test that is not there, or is skipped, is a problem', () => {
  const text = [
    '[opens](src/door.test.ts)',
    '[sings](src/door.test.ts#L5)',
    '[gone](src/gone.test.ts)',
    '```md',
    '[opens](src/door.test.ts)',
    '```',
  ].join('\n')
  expect(problemsOf({ 'NOTES.md': text })).toEqual([
    'NOTES.md:3: The link to src/gone.test.ts leads to no file.',
    'NOTES.md:1: There is no test "opens" in src/door.test.ts.',
    'NOTES.md:2: There is no test "sings" in src/door.test.ts.',
  ])
})

const code = '[door.ts](../src/door.ts)'
const proof = '[opens once](../src/door.test.ts)'
const decision = '[1](decisions/0001-doors.md)'

function statements(...rows: string[]): Record<string, string> {
  const head = ['| | Statement | Where | Shown by |', '|---|---|---|---|']
  return { 'docs/seeds.md': [...head, ...rows].join('\n') }
}

test('a statement has code and a test, or a decision', () => {
  const rows = [
    `| S0.1 | A door opens | ${code} | ${proof} |`,
    `| S0.2 | A door sings | ${code} | ${decision} |`,
    `| S1.1 | A door is | | ${decision} |`,
    `| L1 | A door closes | ${code} | ${proof} |`,
  ]
  expect(problemsOf(statements(...rows))).toEqual([])
})

test('a statement that nothing shows is a problem', () => {
  const rows = [
    `| S0.1 | A door opens | ${code} | |`,
    `| S0.2 | A door opens | | ${proof} |`,
  ]
  expect(problemsOf(statements(...rows))).toEqual([
    'docs/seeds.md:3: S0.1 names neither a test nor a decision.',
    'docs/seeds.md:4: S0.2 names neither code nor a decision.',
  ])
})

test('the numbers of statements follow each other', () => {
  const rest = `| A door opens | ${code} | ${proof} |`
  const rows = ['S0.1', 'S0.3', 'S1.1', 'S1.1', 'S2.2', 'L1'].map(
    (number) => `| ${number} ${rest}`,
  )
  expect(problemsOf(statements(...rows))).toEqual([
    'docs/seeds.md:4: S0.3 should be S0.2.',
    'docs/seeds.md:6: S1.1 should be S1.2.',
    'docs/seeds.md:7: S2.2 should be S2.1.',
  ])
})
