import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { claudeCode } from './dialects/claude-code/claude-code.ts'
import * as agent from './index.ts'
import * as testing from './testing/index.ts'

function read(path: string): string {
  return readFileSync(new URL(path, import.meta.url), 'utf8')
}

/** What stands in the one group of every match. */
function allOf(text: string, pattern: RegExp): string[] {
  return [...text.matchAll(pattern)].map(([, found]) => String(found))
}

function errorCodes(): string[] {
  return allOf(read('ports/agent-error.ts'), /^ {2}\| '([\w-]+)'$/gm)
}

function storeCodes(): string[] {
  return allOf(read('store/store-error.ts'), /^ {2}\| '([\w-]+)'$/gm)
}

/** The codes in the table under a heading. */
function explainedUnder(heading: string): string[] {
  const [, after = ''] = read('../../../docs/errors.md').split(`## ${heading}`)
  const [section = ''] = after.split('\n## ')
  return allOf(section, /^\| `([^`|]*)` \|/gm)
}

test('every error code is explained, and every explained code exists', () => {
  const codes = errorCodes()
  expect(codes.length).toBeGreaterThan(15)
  const explained = explainedUnder('Errors of the agent runtime')
  expect(explained.sort()).toEqual(codes.sort())
})

test('every code of a store is explained, and every explained code exists', () => {
  const codes = storeCodes()
  expect(codes.length).toBeGreaterThan(10)
  expect(explainedUnder('Errors of stores').sort()).toEqual(codes.sort())
})

test.each([
  ['Failures of handlers', 'handlers/handler-failure.ts'],
  ['Errors of trust', 'trust/trust-error.ts'],
  ['Problems of configuration', 'config/problem.ts'],
])(
  '%s: every code is explained, and every explained one exists',
  (heading, file) => {
    const codes = allOf(read(file), /^ {2}\| '([\w-]+)'$/gm)
    expect(codes.length).toBeGreaterThan(5)
    expect(explainedUnder(heading).sort()).toEqual(codes.sort())
  },
)

test('what the faults end with are codes and states that there are', () => {
  const rows = read('../../../docs/faults.md')
  const named = allOf(
    rows,
    /(?:goes? on|rejects|one fails)(?: with|[;,]) `([\w-]+)`/g,
  )
  expect(named.length).toBeGreaterThan(90)
  const codes = [
    'When a hook gives no valid answer',
    'Failures of handlers',
    'Errors of stores',
  ].flatMap(explainedUnder)
  const states = ['failed', 'timed_out']
  const odd = named.filter((name) => ![...codes, ...states].includes(name))
  expect(odd).toEqual([])
})

test('the guide knows every event of Claude Code, and its points', () => {
  const guide = read('../../../docs/guide/from-claude-code.md')
  const [, after = ''] = guide.split('## Where its events are')
  const [section = ''] = after.split('\n## ')
  const rows = [...section.matchAll(/^\| `(\w+)` \| (.*) \|$/gm)]
  const told = rows.map(([, event = '', where = '']) => {
    const points = allOf(where, /`(\w+\.\w+)`/g)
    return [event, points.sort()] as const
  })
  const never = allOf(section.split('Never here: ')[1] ?? '', /`(\w+)`/g)
  const known = Object.entries(claudeCode.events).map(
    ([event, points]) => [event, [...points].sort()] as const,
  )
  expect(
    Object.fromEntries([...told, ...never.map((one) => [one, []])]),
  ).toEqual(Object.fromEntries(known))
})

test('every error code is thrown by something', () => {
  const thrown = globSync('**/*.ts', { cwd: new URL('.', import.meta.url) })
    .filter((path) => !/\.test(-d)?\.ts$|fixtures/.test(path))
    .flatMap((path) => allOf(read(path), /new AgentError\(\s*'([\w-]+)'/g))
  expect([...new Set(thrown)].sort()).toEqual(errorCodes().sort())
})

test('the package exports these values and no others', () => {
  expect(Object.keys(agent).sort()).toMatchInlineSnapshot(`
    [
      "AgentError",
      "ModelFailure",
      "Suspension",
      "canonicalJson",
      "containStrayErrors",
      "costOf",
      "createAgent",
      "createAsyncScope",
      "createMemoryApprovals",
      "createMemoryStore",
      "createModelPreflight",
      "createModelRegistry",
      "createPolicy",
      "createRuntime",
      "createTransientMemories",
      "definePlugin",
      "defineTool",
      "explainPrompt",
      "fromAiSdk",
      "isContainedError",
      "lifecycleJudge",
      "narrowPolicy",
      "stepLoop",
    ]
  `)
  expect(Object.keys(testing).sort()).toMatchInlineSnapshot(`
    [
      "parseScript",
      "scriptedModel",
    ]
  `)
})
