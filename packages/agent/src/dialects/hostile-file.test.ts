import { expect, test } from 'vitest'
import { loadRegexEngine } from './foreign-regex.ts'
import { loadDialect } from './load-dialect.ts'

const source = {
  file: '/project/.codex/config.toml',
  layer: 'project',
} as const
const hook = `[[hooks.PreToolUse]]
matcher = "Bash"
[[hooks.PreToolUse.hooks]]
type = "command"
command = "true"
`

test('T14 names in a hook file are no part of an expression of ours', async () => {
  const codex = await loadDialect('codex')
  const odd = '[hooks."("]\nx = 1\n'
  expect(codex.readFile(`${hook}${odd}`, source).hooks).toHaveLength(1)
  const slow = `[[hooks."x\\\\.(a+)+$"]]\nmatcher = "x"\n`
  const line = `[hooks.x.${'a'.repeat(60)}]\n`
  const { hooks } = codex.readFile(`${hook}${slow}${line}`, source)
  expect(hooks).toMatchObject([{ place: { line: 3 } }])
})

test('T14 a long hook file is read in a time that goes with its length', async () => {
  const codex = await loadDialect('codex')
  const { hooks } = codex.readFile(hook.repeat(9_000), source)
  expect(hooks).toHaveLength(9_000)
  expect(hooks.at(-1)?.place.line).toBe(8_999 * 5 + 3)
}, 20_000)

test('T59 an expression that only a slow engine knows holds up nobody, and counts as met', async () => {
  const engine = await loadRegexEngine()
  const regex = engine.compile('^(?=.)(a+)+$')
  if ('problem' in regex) throw new Error(regex.problem)
  expect(regex.isLinear).toBe(false)
  expect(regex.test('aaa')).toBe(true)
  expect(regex.test('b')).toBe(false)
  expect(regex.test(`${'a'.repeat(60)}b`)).toBe(true)
}, 20_000)
