import type { JsonObject } from 'hookline/lifecycle'
import { expect, test } from 'vitest'
import { openRuleBench } from '../fixtures/rule-bench.ts'
import { codex } from './codex.ts'

function file(
  event: string,
  ...groups: readonly (readonly [string, string])[]
) {
  return {
    hooks: {
      [event]: groups.map(([matcher, command]) => ({
        matcher,
        hooks: [{ type: 'command', command }],
      })),
    },
  }
}

const bash = { tool: 'shell', args: { command: 'ls' } }
const edit = { tool: 'edit', args: { path: 'a', oldText: 'b', newText: 'c' } }
const mcp = { tool: 'mcp__github__list', args: {} }

test.each([
  ['', true, true, true],
  ['*', true, true, true],
  ['Bash', true, false, false],
  ['bash', false, false, false],
  ['Write|Edit', false, true, false],
  ['apply_patch', false, true, false],
  ['^apply_patch$', false, true, false],
  ['Bash|Edit', true, true, false],
  ['mcp__github__list', false, false, true],
  ['mcp__github', false, false, false],
  ['mcp__.*', false, false, true],
  ['as', false, false, false],
  ['^B.sh', true, false, false],
  ['a-b', false, false, false],
  ['(', false, false, false],
])('the matcher %j', async (matcher, ...expected) => {
  const asked = [bash, edit, mcp].map(async (call: JsonObject) => {
    const bench = await openRuleBench(codex, file('PreToolUse', [matcher, 'x']))
    await bench.ask('tool.pre_call', 'PreToolUse', call)
    return bench.started.length === 1
  })
  expect(await Promise.all(asked)).toEqual(expected)
})

test('a matcher is ignored on prompts and at the end', async () => {
  const prompt = await openRuleBench(
    codex,
    file('UserPromptSubmit', ['no', 'x']),
  )
  await prompt.ask('turn.pre_turn', '')
  expect(prompt.started).toEqual(['x'])
  const stop = await openRuleBench(codex, file('Stop', ['no', 'x']))
  await stop.ask('turn.stop', '')
  expect(stop.started).toEqual(['x'])
})

test('what begins a session is matched, a shorter conversation too', async () => {
  const groups = [
    ['startup', 'new'],
    ['compact', 'short'],
    ['clear', 'never'],
  ] as const
  const bench = await openRuleBench(codex, file('SessionStart', ...groups))
  await bench.ask('session.start', '')
  await bench.ask('compaction.post', '')
  expect(bench.started).toEqual(['new', 'short'])
})

test('the same command twice runs twice', async () => {
  const bench = await openRuleBench(
    codex,
    file('PreToolUse', ['', 'x'], ['', 'x']),
  )
  await bench.ask('tool.pre_call', '')
  expect(bench.started).toEqual(['x', 'x'])
})

test.each([
  ['PreToolUse', 'tool.pre_call', {}, 600_000],
  ['PreToolUse', 'tool.pre_call', { timeout: 5 }, 5_000],
  ['SessionEnd', 'session.end', {}, 1_000],
  ['SessionEnd', 'session.end', { timeout: 60 }, 3_000],
] as const)('%s has its time', async (event, point, entry, expected) => {
  const handler = { type: 'command', command: 'x', ...entry }
  const hooks = { [event]: [{ hooks: [handler] }] }
  const bench = await openRuleBench(codex, { hooks })
  await bench.ask(point, event)
  const [spec] = bench.specs
  // The engine has a limit of its own, of a minute.
  const atMost = Math.min(expected, 60_000)
  expect(spec?.timeoutMs).toBeLessThanOrEqual(atMost)
  expect(spec?.timeoutMs).toBeGreaterThan(atMost * 0.9)
})

test('any denial wins over those that allow, whoever comes first', async () => {
  const bench = await openRuleBench(
    codex,
    file('PermissionRequest', ['', 'allow'], ['', 'deny']),
    {
      mayApprove: () => true,
      speak: (_, script) => ({
        stdout: JSON.stringify({
          hookSpecificOutput: {
            hookEventName: 'PermissionRequest',
            decision: {
              behavior: script,
              ...(script === 'deny' && { message: 'No.' }),
            },
          },
        }),
      }),
    },
  )
  const asked = await bench.ask('permission.request', '')
  expect(asked).toMatchObject({ output: { type: 'deny', reason: 'No.' } })
})

test('a patch that a hook has changed is refused, as it cannot be turned back', async () => {
  const bench = await openRuleBench(codex, file('PreToolUse', ['', 'x']), {
    speak: () => ({
      stdout: JSON.stringify({
        hookSpecificOutput: {
          hookEventName: 'PreToolUse',
          permissionDecision: 'allow',
          updatedInput: { command: '*** Begin Patch\n*** End Patch' },
        },
      }),
    }),
  })
  const asked = await bench.ask('tool.pre_call', '', edit)
  expect(asked).toMatchObject({ type: 'reject' })
})

test('a file that is no JSON, or no TOML, is a finding and no hook', () => {
  const source = { layer: 'project' as const }
  const json = codex.readFile('{"hooks":', { ...source, file: 'hooks.json' })
  expect(json.hooks).toEqual([])
  expect(new Set(json.findings.map(({ code }) => code))).toEqual(
    new Set(['not-json']),
  )
  const toml = codex.readFile('[hooks\n', { ...source, file: 'config.toml' })
  expect(toml).toMatchObject({ hooks: [], findings: [{ code: 'not-toml' }] })
})

test('events outside of "hooks" make Codex refuse the file', () => {
  const text = JSON.stringify(
    { Stop: [{ hooks: [{ command: 'x' }] }] },
    null,
    2,
  )
  const source = { file: 'hooks.json', layer: 'project' as const }
  expect(codex.readFile(text, source).findings).toMatchObject([
    { code: 'wrong-shape', severity: 'error' },
  ])
})

test('a plugin has its folder as variables and in its commands', async () => {
  const command = ['$', '{PLUGIN_ROOT}/x.sh'].join('')
  const plugin = { name: 'guard', root: '/plugins/guard', data: '/data' }
  const hooks = file('PreToolUse', ['', command])
  const bench = await openRuleBench(codex, hooks, { plugin })
  await bench.ask('tool.pre_call', '')
  expect(bench.started).toEqual(['/plugins/guard/x.sh'])
  expect(bench.specs[0]?.env).toMatchObject({
    PLUGIN_ROOT: '/plugins/guard',
    CLAUDE_PLUGIN_ROOT: '/plugins/guard',
    PLUGIN_DATA: '/data',
    CLAUDE_PLUGIN_DATA: '/data',
  })
})

test.each([
  ['(', 'PreToolUse', 'bad-matcher'],
  ['x', 'Stop', 'matcher-ignored'],
])('the matcher %j of %s is found: %s', (matcher, event, code) => {
  const text = JSON.stringify(file(event, [matcher, 'x']))
  const source = { file: 'hooks.json', layer: 'project' as const }
  const { findings } = codex.readFile(text, source)
  expect(findings.map((finding) => finding.code)).toEqual([code])
})
