import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
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

test('every error code is explained, and every explained code exists', () => {
  const codes = errorCodes()
  expect(codes.length).toBeGreaterThan(15)
  const [, ours = ''] = read('../../../docs/errors.md').split(
    '## Errors of the agent runtime',
  )
  const explained = allOf(ours, /^\| `([^`|]*)` \|/gm)
  expect(explained.sort()).toEqual(codes.sort())
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
      "containStrayErrors",
      "createAgent",
      "createAsyncScope",
      "createMemoryApprovals",
      "createMemoryStore",
      "createModelRegistry",
      "createPolicy",
      "createRuntime",
      "defineTool",
      "fromAiSdk",
      "intersectGrants",
      "narrowGrant",
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
