import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { checkDocs, syncDocs } from './docs.mjs'
import { temporaryTree } from './temporary-tree.ts'

const source = [
  'function outer() {',
  '  // #region greet',
  '  if (ready) {',
  '    // #region inner',
  "    greet('you')",
  '    // #endregion',
  '  }',
  '  // #endregion greet',
  '}',
].join('\n')
const marker = '<!-- region examples/src/a.ts#greet -->'
const shown = "if (ready) {\n  greet('you')\n}"

function fenced(code: string, lead = marker): string {
  return `# Title\n\n${lead}\n\`\`\`ts\n${code}\n\`\`\`\n`
}

function problemsOf(files: Record<string, string>): string[] {
  const root = temporaryTree({ 'examples/src/a.ts': source, ...files })
  return checkDocs(root).problems.map(
    ({ file, line, message }) => `${file}:${line}: ${message}`,
  )
}

test('a block that equals its region is accepted, whatever the indentation', () => {
  expect(problemsOf({ 'README.md': fenced(shown) })).toEqual([])
})

test('a block that differs from its region is a problem', () => {
  expect(problemsOf({ 'docs/guide/a.md': fenced('greet()') })).toEqual([
    'docs/guide/a.md:4: The code differs from region examples/src/a.ts#greet; run npm run docs:sync.',
  ])
})

test('a region or file that does not exist is a problem', () => {
  const missing = '<!-- region examples/src/a.ts#other -->'
  const nowhere = '<!-- region examples/src/b.ts#greet -->'
  expect(
    problemsOf({
      'ARCHITECTURE.md': fenced(shown, nowhere),
      'README.md': fenced(shown, missing),
    }),
  ).toEqual([
    'ARCHITECTURE.md:4: There is no region examples/src/b.ts#greet.',
    'README.md:4: There is no region examples/src/a.ts#other.',
  ])
})

test('code without a marker is a problem in README and guide, and allowed elsewhere', () => {
  const text = fenced(shown, 'Some prose.')
  const files = {
    'README.md': text,
    'docs/a.md': text,
    'docs/guide/b.md': text,
  }
  expect(problemsOf(files)).toEqual([
    'README.md:4: The code has no region marker, so nothing runs it.',
    'docs/guide/b.md:4: The code has no region marker, so nothing runs it.',
  ])
})

test('a whole file can be shown, in any language', () => {
  const lead = '<!-- file examples/a.json -->'
  const block = (code: string) => `${lead}\n\`\`\`json\n${code}\n\`\`\`\n`
  const json = '{\n  "a": 1\n}'
  const files = { 'examples/a.json': `${json}\n`, 'README.md': block(json) }
  expect(problemsOf(files)).toEqual([])
  expect(problemsOf({ ...files, 'README.md': block('{}') })).toEqual([
    'README.md:2: The code differs from file examples/a.json; run npm run docs:sync.',
  ])
})

test('a marker before no block of TypeScript is a problem', () => {
  expect(problemsOf({ 'README.md': `${marker}\n\nSome prose.\n` })).toEqual([
    'README.md:1: The region marker stands before no block of code.',
  ])
})

test('a relative link to no file is a problem in every document', () => {
  const text = [
    '[good](docs/a.md#part) [web](https://example.org) [here](#part)',
    '`[code](nowhere.md)`',
    '[bad](docs/b.md) ![image](a.png)',
    '',
    '[reference]: ./c.md',
  ].join('\n')
  expect(
    problemsOf({ 'NOTES.md': text, 'docs/a.md': '[up](../NOTES.md)' }),
  ).toEqual([
    'NOTES.md:3: The link to docs/b.md leads to no file.',
    'NOTES.md:3: The link to a.png leads to no file.',
    'NOTES.md:5: The link to ./c.md leads to no file.',
  ])
})

test('syncing writes the regions into the documents and nothing else', () => {
  const root = temporaryTree({
    'examples/src/a.ts': source,
    'README.md': `${fenced('old()')}${fenced('older()\nstill()')}end\n`,
    'docs/a.md': fenced(shown),
  })
  expect(syncDocs(root)).toEqual(['README.md'])
  const readme = readFileSync(`${root}/README.md`, 'utf8')
  expect(readme).toBe(`${fenced(shown)}${fenced(shown)}end\n`)
  expect(checkDocs(root).problems).toEqual([])
})
