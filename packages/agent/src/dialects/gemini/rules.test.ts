import { expect, test } from 'vitest'
import { openRuleBench } from '../fixtures/rule-bench.ts'
import { gemini } from './gemini.ts'

function file(event: string, ...groups: readonly object[]) {
  return { hooks: { [event]: groups.map((group) => ({ ...group })) } }
}

function group(matcher: string, ...commands: readonly string[]) {
  return {
    matcher,
    hooks: commands.map((command) => ({ type: 'command', command })),
  }
}

const shell = { tool: 'shell', args: { command: 'ls' } }
const mcp = { tool: 'mcp__github__list', args: {} }

test.each([
  ['', true, true],
  ['*', true, true],
  ['run_shell_command', true, false],
  ['shell', true, false],
  ['Bash', false, false],
  ['^shell', false, false],
  ['mcp_github_.*', false, true],
  ['(', false, false],
])('the matcher %j', async (matcher, ...expected) => {
  const asked = [shell, mcp].map(async (call) => {
    const bench = await openRuleBench(
      gemini,
      file('BeforeTool', group(matcher, 'x')),
    )
    await bench.ask('tool.pre_call', '', call)
    return bench.started.length === 1
  })
  expect(await Promise.all(asked)).toEqual(expected)
})

test('a session is matched by the very word, and not when it becomes shorter', async () => {
  const groups = [group('startup', 'a'), group('start', 'b'), group('', 'c')]
  const bench = await openRuleBench(gemini, file('SessionStart', ...groups))
  await bench.ask('session.start', '')
  expect(bench.started).toEqual(['a', 'c'])
  await bench.ask('compaction.post', '')
  expect(bench.started).toEqual(['a', 'c'])
})

test('the same name and command run once', async () => {
  const entries = [
    { type: 'command', command: 'x', name: 'a' },
    { type: 'command', command: 'x', name: 'a' },
    { type: 'command', command: 'x', name: 'b' },
  ]
  const bench = await openRuleBench(
    gemini,
    file('BeforeTool', { hooks: entries }),
  )
  await bench.ask('tool.pre_call', '')
  expect(bench.started).toEqual(['x', 'x'])
})

test('one sequential group makes all of them sequential, and a denial ends it', async () => {
  const groups = [group('', 'a', 'b'), { ...group('', 'c'), sequential: true }]
  const bench = await openRuleBench(gemini, file('BeforeTool', ...groups), {
    speak: (_, script) =>
      script === 'b' ? { stdout: '{"decision":"deny","reason":"No."}' } : {},
  })
  const asked = await bench.ask('tool.pre_call', '')
  expect(asked).toMatchObject({ type: 'reject', reason: 'No.' })
  expect(bench.started).toEqual(['a', 'b'])
})

test('reasons of several that deny are joined', async () => {
  const bench = await openRuleBench(
    gemini,
    file('BeforeTool', group('', 'one', 'two')),
    {
      speak: (_, script) => ({ exitCode: 2, stderr: `No, says ${script}.` }),
    },
  )
  const asked = await bench.ask('tool.pre_call', '')
  expect(asked).toMatchObject({ reason: 'No, says one.\nNo, says two.' })
})

test('times are milliseconds, and a minute where there is none', async () => {
  const entries = [
    { type: 'command', command: 'a', timeout: 2_000 },
    { type: 'command', command: 'b' },
  ]
  const bench = await openRuleBench(
    gemini,
    file('BeforeTool', { hooks: entries }),
  )
  await bench.ask('tool.pre_call', '')
  const [a, b] = bench.specs
  expect(a?.timeoutMs).toBe(2_000)
  expect(b?.timeoutMs).toBeGreaterThan(20_000)
  expect(b?.timeoutMs).toBeLessThanOrEqual(60_000)
})

test('no hook runs where they are switched off', () => {
  const text = JSON.stringify({
    ...file('BeforeTool', group('', 'x')),
    hooksConfig: { enabled: false },
  })
  const source = { file: 'settings.json', layer: 'user' as const }
  expect(gemini.readFile(text, source).hooks).toEqual([])
})

test('the path of an extension is filled in', async () => {
  const command = ['node $', '{extensionPath}/x.js'].join('')
  const plugin = { name: 'guard', root: '/ext/guard' }
  const entries = file('BeforeTool', group('', command))
  const bench = await openRuleBench(gemini, entries, { plugin })
  await bench.ask('tool.pre_call', '')
  expect(bench.started).toEqual(['node /ext/guard/x.js'])
})

test.each([
  ['Bash', 'BeforeTool', 'foreign-tool-name'],
  ['(', 'BeforeTool', 'bad-matcher'],
])('the matcher %j of %s is found: %s', (matcher, event, code) => {
  const text = JSON.stringify(file(event, group(matcher, 'x')))
  const source = { file: 'hooks.json', layer: 'project' as const }
  const { findings } = gemini.readFile(text, source)
  expect(findings.map((finding) => finding.code)).toEqual([code])
})
