import { posix } from 'node:path'
import { expect, test } from 'vitest'
import { checkImports } from './import-rules.mjs'
import { temporaryTree } from './temporary-tree.ts'

const engine = 'packages/core/src/engine'

function problemsOf(files: Record<string, string>): string[] {
  const root = temporaryTree({ 'packages/core/package.json': '{}', ...files })
  return checkImports(root).problems.map(
    ({ file, line, message }) => `${file}:${line}: ${message}`,
  )
}

test('sources that keep the rules give no problem', () => {
  const problems = problemsOf({
    [`${engine}/run.ts`]: "import { plan } from './plan.ts'\nexport { plan }",
    [`${engine}/plan.ts`]: 'export const plan = 1',
    'packages/core/src/lifecycle/map.ts':
      "export { plan } from '../engine/plan.ts'",
    'packages/core/src/testing/index.ts':
      "export { plan } from '../lifecycle/map.ts'",
    'packages/core/src/index.ts': "export { plan } from './engine/plan.ts'",
    'examples/src/first.ts': "import { plan } from 'hookline/testing'\nplan",
  })
  expect(problems).toEqual([])
})

test('the engine imports nothing outside itself, whatever the form', () => {
  const problems = problemsOf({
    [`${engine}/run.ts`]: [
      "import { map } from '../lifecycle/map.ts'",
      "import type { Map } from '../lifecycle/map.ts'",
      "type Lazy = import('../lifecycle/map.ts').Map",
      "const later = import('../lifecycle/map.ts')",
      "export { map } from '../index.ts'",
      "import 'zod'",
      "import 'node:fs'",
    ].join('\n'),
    'packages/core/src/lifecycle/map.ts': 'export const map = 1',
    'packages/core/src/index.ts': 'export const map = 1',
  })
  expect(problems).toHaveLength(7)
  expect(problems[0]).toBe(
    `${engine}/run.ts:1: imports ../lifecycle/map.ts, but ${engine} may import only from: ${engine}.`,
  )
  expect(problems[6]).toBe(
    `${engine}/run.ts:7: imports node:fs, but ${engine} may import only these packages: none.`,
  )
})

test('the lifecycle does not import the testing folder, nor does the index', () => {
  const problems = problemsOf({
    'packages/core/src/lifecycle/map.ts': "import '../testing/index.ts'",
    'packages/core/src/index.ts': "import './testing/index.ts'",
    'packages/core/src/testing/index.ts': 'export const fake = 1',
  })
  expect(problems).toHaveLength(2)
})

test('a test may import Node, vitest and its own package, and no other', () => {
  const problems = problemsOf({
    [`${engine}/run.test.ts`]: [
      "import 'node:fs'",
      "import 'vitest'",
      "import '../lifecycle/map.ts'",
      "import 'tapable'",
      "import '../../../agent/src/loop.ts'",
    ].join('\n'),
    'packages/core/src/lifecycle/map.ts': 'export const map = 1',
  })
  expect(problems.map((problem) => problem.split(': ')[0])).toEqual([
    `${engine}/run.test.ts:4`,
    `${engine}/run.test.ts:5`,
  ])
})

test('a cycle of value imports is reported once, with its files', () => {
  const problems = problemsOf({
    [`${engine}/a.ts`]: "import { b } from './b.ts'\nexport const a = b",
    [`${engine}/b.ts`]: "\nimport { c } from './c.ts'\nexport const b = c",
    [`${engine}/c.ts`]: "import { a } from './a.ts'\nexport const c = a",
  })
  const [a, b, c] = ['a', 'b', 'c'].map((name) => `${engine}/${name}.ts`)
  expect(problems).toEqual([
    `${c}:1: closes a cycle: ${a} → ${b} → ${c} → ${a}`,
  ])
})

test('a cycle of type imports is allowed', () => {
  const problems = problemsOf({
    [`${engine}/a.ts`]: "import type { B } from './b.ts'\nexport type A = B",
    [`${engine}/b.ts`]: "import { A } from './a.ts'\nexport type B = A",
  })
  expect(problems).toEqual([])
})

test('`export *` and default exports are refused', () => {
  const problems = problemsOf({
    [`${engine}/a.ts`]: "export * from './b.ts'\nexport default 1",
    [`${engine}/b.ts`]: 'const b = 1\nexport { b as default }',
  })
  expect(problems.map((problem) => problem.split(': ')[0])).toEqual([
    `${engine}/a.ts:1`,
    `${engine}/a.ts:2`,
    `${engine}/b.ts:2`,
  ])
})

test('built files are imported by the name of their package only', () => {
  const problems = problemsOf({
    'examples/src/first.ts': "import '../../packages/core/dist/index.js'",
    'scripts/job.mjs': "import '../packages/core/dist/index.js'",
  })
  expect(problems).toHaveLength(2)
})

test('the core names no dependency', () => {
  const problems = problemsOf({
    'packages/core/package.json': '{"dependencies":{"zod":"4.0.0"}}',
  })
  expect(problems).toEqual([
    'packages/core/package.json:1: names dependencies, but packages/core has none.',
  ])
})

test('a package without a row in the table is refused', () => {
  const problems = problemsOf({ 'packages/new/src/a.ts': 'export const a = 1' })
  expect(problems).toEqual([
    'packages/new/src/a.ts:1: No row of the import table covers this file; add one.',
  ])
})

const agent = 'packages/agent/src'
const daemon = 'packages/daemon/src'

test.each([
  ...['plugins/os/a.ts', 'hooks/a.ts', 'handlers/a.ts', 'store/a.ts'].map(
    (to) => [`${agent}/loop/b.ts`, `${agent}/${to}`],
  ),
  ...['plugins/os/a.ts', 'hooks/a.ts', 'handlers/a.ts'].map((to) => [
    `${agent}/runtime/b.ts`,
    `${agent}/${to}`,
  ]),
  [`${agent}/plugins/memory/b.ts`, `${agent}/plugins/os/a.ts`],
  [`${agent}/hooks/retry.ts`, `${agent}/loop/a.ts`],
  [`${daemon}/cli/b.ts`, `${daemon}/sessions/a.ts`],
  [`${daemon}/cli/b.ts`, `${daemon}/operations/a.ts`],
])('%s may not import %s', (from, to) => {
  const specifier = posix.relative(posix.dirname(from), to)
  const path = specifier.startsWith('.') ? specifier : `./${specifier}`
  const problems = problemsOf({
    [from]: `import { a } from '${path}'\na`,
    [to]: 'export const a = 1',
  })
  expect(problems).toEqual([
    expect.stringContaining(`${from}:1: imports ${path}, but`),
  ])
})

test.each([
  [`${agent}/loop/b.ts`, '@hookline/daemon'],
  [`${agent}/runtime/b.ts`, '@modelcontextprotocol/client'],
  ['packages/core/src/table/b.ts', '@hookline/agent'],
])('%s may not import the package %s', (from, name) => {
  expect(problemsOf({ [from]: `import '${name}'` })).toEqual([
    expect.stringContaining(`${from}:1: imports ${name}, but`),
  ])
})
