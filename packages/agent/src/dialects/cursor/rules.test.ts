import { expect, test } from 'vitest'
import type { DialectParts } from '../dialect.ts'
import { openRuleBench } from '../fixtures/rule-bench.ts'
import { cursor } from './cursor.ts'

function file(event: string, ...entries: readonly object[]) {
  return {
    version: 1,
    hooks: { [event]: entries.map((entry) => ({ ...entry })) },
  }
}

const calls = {
  shell: { tool: 'shell', args: { command: 'git push' } },
  read: { tool: 'read', args: { path: 'a' } },
  edit: { tool: 'edit', args: { path: 'a', oldText: 'b', newText: 'c' } },
  mcp: { tool: 'mcp__github__list', args: {} },
}

test.each([
  ['preToolUse', undefined, ['shell', 'read', 'edit', 'mcp']],
  ['preToolUse', 'Shell', ['shell']],
  ['preToolUse', 'Read|Write', ['read', 'edit']],
  ['preToolUse', 'MCP:list', ['mcp']],
  ['preToolUse', 'Bash', []],
  ['beforeShellExecution', undefined, ['shell']],
  ['beforeShellExecution', 'git\\s+push', ['shell']],
  ['beforeShellExecution', 'npm', []],
  ['beforeMCPExecution', undefined, ['mcp']],
  ['beforeReadFile', undefined, ['read']],
])('%s with the matcher %j is about %j', async (event, matcher, expected) => {
  const entry = { command: 'x', ...(matcher !== undefined && { matcher }) }
  const asked = Object.entries(calls).map(async ([name, call]) => {
    const bench = await openRuleBench(cursor, file(event, entry))
    await bench.ask('tool.pre_call', '', call)
    return bench.started.length === 1 ? [name] : []
  })
  expect((await Promise.all(asked)).flat()).toEqual(expected)
})

test('of several permissions the strictest holds', async () => {
  const commands = ['allow', 'ask', 'deny', 'allow']
  const entries = commands.map((command) => ({ command }))
  const bench = await openRuleBench(
    cursor,
    file('beforeShellExecution', ...entries),
    {
      speak: (_, permission) => ({ stdout: JSON.stringify({ permission }) }),
    },
  )
  expect(await bench.ask('tool.pre_call', '')).toMatchObject({ type: 'reject' })
  expect(bench.started).toEqual(commands)
})

test.each(['Allow', 'yes', 1, ['allow'], { allow: true }])(
  'F029 the permission %j is none, and in strict mode denies',
  async (permission) => {
    const speak = () => ({ stdout: JSON.stringify({ permission }) })
    const entries = file('preToolUse', { command: 'x' })
    const bench = await openRuleBench(cursor, entries, {
      speak,
      isStrict: true,
    })
    expect(await bench.ask('tool.pre_call', '')).toMatchObject({
      type: 'reject',
    })
  },
)

test('a hook for a turn that fails is told so', async () => {
  const bench = await openRuleBench(cursor, file('stop', { command: 'x' }))
  await bench.ask('turn.error', '')
  const stdin = JSON.parse(bench.specs[0]?.stdin ?? '{}')
  expect(stdin).toMatchObject({ hook_event_name: 'stop', status: 'error' })
})

test('a group is no entry here, and a missing version is told', () => {
  const source = { file: 'hooks.json', layer: 'project' as const }
  const grouped = { hooks: { stop: [{ hooks: [{ command: 'x' }] }] } }
  const found = cursor.readFile(JSON.stringify(grouped), source)
  expect(found).toMatchObject({ hooks: [], findings: [{ code: 'no-handler' }] })
  const bare = { hooks: { stop: [{ command: 'x' }] } }
  const { findings } = cursor.readFile(JSON.stringify(bare), source)
  expect(findings).toMatchObject([{ code: 'no-version' }])
})

test.each([
  ['{"ok":true}', 'proceed', 'proceed'],
  ['{"ok":false,"reason":"Too risky."}', 'reject', 'reject'],
  ['Sure, go ahead: {"ok":true}', 'proceed', 'reject'],
  ['{"ok":"true"}', 'proceed', 'reject'],
] as const)('a model that says %j', async (text, expected, strictly) => {
  const asked: string[] = []
  const callModel: DialectParts['callModel'] = async (_, { messages }) => {
    asked.push(JSON.stringify(messages))
    return {
      content: [{ type: 'text', text }],
      stopReason: 'end_turn',
      usage: { inputTokens: 1, outputTokens: 1 },
    }
  }
  const entry = { type: 'prompt', prompt: 'Is it safe? $ARGUMENTS' }
  const hooks = file('beforeShellExecution', entry)
  const parts = { callModel, model: 'judge' }
  const bench = await openRuleBench(cursor, hooks, parts)
  const { type } = await bench.ask('tool.pre_call', '')
  const strict = await openRuleBench(cursor, hooks, {
    ...parts,
    isStrict: true,
  })
  const judged = await strict.ask('tool.pre_call', '')
  expect([type, judged.type]).toEqual([expected, strictly])
  expect(asked[0]).toContain('ls -la')
})

test("hooks of the user run in the folder of their file, the project's in the project", () => {
  const text = JSON.stringify(file('stop', { command: './x.sh' }))
  const read = (layer: 'user' | 'project') =>
    cursor.readFile(text, { file: '/home/me/.cursor/hooks.json', layer }).hooks
  expect(read('user')).toMatchObject([{ handler: { cwd: '/home/me/.cursor' } }])
  expect(read('project')[0]?.handler).not.toHaveProperty('cwd')
})

test.each([
  ['Bash|Read', 'preToolUse', 'foreign-tool-name'],
  ['[', 'beforeShellExecution', 'bad-matcher'],
])('the matcher %j of %s is found: %s', (matcher, event, code) => {
  const text = JSON.stringify(file(event, { command: 'x', matcher }))
  const source = { file: 'hooks.json', layer: 'project' as const }
  const { findings } = cursor.readFile(text, source)
  expect(findings.map((finding) => finding.code)).toEqual([code])
})

test('a guard of commands judges a command however long it is', async () => {
  const entry = { command: 'deny', matcher: 'rm(?!dir)' }
  const bench = await openRuleBench(
    cursor,
    { version: 1, hooks: { beforeShellExecution: [entry] } },
    { speak: () => ({ exitCode: 2, stderr: 'No.' }) },
  )
  const command = `rm -rf ~/x # ${'x'.repeat(200)}`
  const outcome = await bench.ask('tool.pre_call', 'beforeShellExecution', {
    args: { command },
  })
  expect(outcome).toMatchObject({ type: 'reject', reason: 'No.' })
})

test.each([
  ['rm -rf ~/x', 'rm(?!dir)', true],
  [`${'a'.repeat(200)}b`, '^(?=(a+)+$)', false],
])(
  'an allow for %s counts where the matcher %s fits for certain: %s',
  async (command, matcher, counts) => {
    const entry = { command: 'x', matcher }
    const bench = await openRuleBench(
      cursor,
      { version: 1, hooks: { beforeShellExecution: [entry] } },
      { speak: () => ({ stdout: '{"permission":"allow"}' }) },
    )
    const call = { args: { command } }
    await bench.ask('tool.pre_call', 'beforeShellExecution', call)
    expect(bench.started).toHaveLength(1)
    const point = 'permission.request'
    const asked = await bench.ask(point, 'beforeShellExecution', call)
    expect(asked.type).toBe(counts ? 'respond' : 'proceed')
  },
)
