import { expect, test } from 'vitest'
import { HandlerFailure } from '../../handlers/handler-failure.ts'
import { codesOf } from '../fixtures/hook-bench.ts'
import { openRuleBench } from '../fixtures/rule-bench.ts'
import { copilot } from './copilot.ts'

function file(event: string, ...entries: readonly object[]) {
  return {
    version: 1,
    hooks: { [event]: entries.map((entry) => ({ ...entry })) },
  }
}

const calls = {
  bash: { tool: 'shell', args: { command: 'ls' } },
  view: { tool: 'read', args: { path: 'a' } },
  create: { tool: 'write', args: { path: 'a', text: 'b' } },
  task: { tool: 'delegate', args: { task: 'Look.', agent: 'explorer' } },
}

test.each([
  ['preToolUse', 'bash', ['bash']],
  ['preToolUse', 'bash|create', ['bash', 'create']],
  ['preToolUse', 'ba', []],
  ['preToolUse', 'ba.*', ['bash']],
  ['preToolUse', 'Bash', []],
  ['preToolUse', '(', []],
  ['preToolUse', undefined, ['bash', 'view', 'create', 'task']],
  ['PreToolUse', 'Bash', ['bash']],
  ['PreToolUse', 'bash', ['bash']],
  ['PreToolUse', 'Read|Write', ['view', 'create']],
  ['PreToolUse', 'Task', ['task']],
  ['PreToolUse', '*', ['bash', 'view', 'create', 'task']],
  ['PreToolUse', 'Ba.h', ['bash']],
  ['PreToolUse', 'a.', []],
])('%s with the matcher %j is about %j', async (event, matcher, expected) => {
  const entry = { bash: 'x', ...(matcher !== undefined && { matcher }) }
  const asked = Object.entries(calls).map(async ([name, call]) => {
    const bench = await openRuleBench(copilot, file(event, entry))
    await bench.ask('tool.pre_call', '', call)
    return bench.started.length === 1 ? [name] : []
  })
  expect((await Promise.all(asked)).flat()).toEqual(expected)
})

test.each(['(', '**', '*'])(
  'an entry with the broken matcher %j is skipped where there is no name, too',
  async (matcher) => {
    const hooks = file('agentStop', { bash: 'x', matcher })
    const bench = await openRuleBench(copilot, hooks)
    await bench.ask('turn.stop', 'agentStop')
    expect(bench.started).toEqual([])
  },
)

test('hooks run in order, each sees what the one before has changed, a denial ends it', async () => {
  const entries = ['a', 'b', 'deny', 'd'].map((bash) => ({ bash }))
  const bench = await openRuleBench(copilot, file('preToolUse', ...entries), {
    speak({ stdin }, script) {
      const { toolArgs } = JSON.parse(stdin)
      const command = `${toolArgs.command} ${script}`
      return {
        stdout: JSON.stringify(
          script === 'deny'
            ? { permissionDecision: 'deny', permissionDecisionReason: command }
            : { modifiedArgs: { ...toolArgs, command } },
        ),
      }
    },
  })
  const asked = await bench.ask('tool.pre_call', '')
  expect(asked).toMatchObject({ type: 'reject', reason: 'ls -la a b deny' })
  expect(bench.started).toEqual(['a', 'b', 'deny'])
})

test('arguments have the names of Copilot, and come back with ours', async () => {
  const bench = await openRuleBench(
    copilot,
    file('preToolUse', { bash: 'x' }),
    {
      speak({ stdin }) {
        const { toolName, toolArgs } = JSON.parse(stdin)
        expect(toolName).toBe('create')
        expect(toolArgs).toEqual({ path: '/project/a', file_text: 'b' })
        const modifiedArgs = { ...toolArgs, file_text: 'c' }
        return { stdout: JSON.stringify({ modifiedArgs }) }
      },
    },
  )
  const asked = await bench.ask('tool.pre_call', '', calls.create)
  expect(asked.value).toMatchObject({ args: { path: 'a', text: 'c' } })
})

test('a command that cannot be started denies; a server that fails does not', async () => {
  const missing = await openRuleBench(
    copilot,
    file('preToolUse', { bash: 'x' }),
    {
      speak() {
        throw new Error('no bash')
      },
    },
  )
  expect(await missing.ask('tool.pre_call', '')).toMatchObject({
    type: 'reject',
  })
  const http = { type: 'http', url: 'https://policy.example.com' }
  const send = async () => ({
    status: 500,
    headers: {},
    body: '',
    elapsedMs: 1,
  })
  const sender = { send, close: async () => {} }
  const failing = await openRuleBench(copilot, file('preToolUse', http), {
    sender,
  })
  expect(await failing.ask('tool.pre_call', '')).toMatchObject({
    type: 'proceed',
  })
  const strict = await openRuleBench(copilot, file('preToolUse', http), {
    sender,
    isStrict: true,
  })
  expect(await strict.ask('tool.pre_call', '')).toMatchObject({
    type: 'reject',
  })
})

test.each(['network', 'circuit-open', 'too-large', 'broken-off'] as const)(
  'a server that cannot be asked (%s) denies nothing, as one that fails, unless in strict mode',
  async (code) => {
    const http = { type: 'http', url: 'https://policy.example.com' }
    const send = async () => {
      throw new HandlerFailure(code, 'It cannot be asked.')
    }
    const sender = { send, close: async () => {} }
    const hooks = file('preToolUse', http)
    const failing = await openRuleBench(copilot, hooks, { sender })
    const asked = await failing.ask('tool.pre_call', '')
    expect(asked).toMatchObject({ type: 'proceed' })
    expect(codesOf(asked)).toContain('failed-open')
    const strict = await openRuleBench(copilot, hooks, {
      ...{ sender, isStrict: true },
    })
    expect(await strict.ask('tool.pre_call', '')).toMatchObject({
      type: 'reject',
    })
  },
)

test('a file can switch itself off, unless it is the machine that speaks', () => {
  const off = { ...file('preToolUse', { bash: 'x' }), disableAllHooks: true }
  const read = (layer: 'project' | 'managed') =>
    copilot.readFile(JSON.stringify(off), { file: 'a.json', layer }).hooks
  expect(read('project')).toEqual([])
  expect(read('managed')).toHaveLength(1)
})

test('times are seconds, under either name, and half a minute', async () => {
  const entries = [
    { bash: 'a', timeoutSec: 5, timeout: 9 },
    { bash: 'b', timeout: 9 },
    { bash: 'c' },
  ]
  const bench = await openRuleBench(copilot, file('preToolUse', ...entries))
  await bench.ask('tool.pre_call', '')
  const times = bench.specs.map(({ timeoutMs }) => timeoutMs)
  expect(times.slice(0, 2)).toEqual([5_000, 9_000])
  expect(times[2]).toBeGreaterThan(20_000)
})

test('hooks that run one after the other have the time of all of them', async () => {
  const text = JSON.stringify(
    file(
      'preToolUse',
      { bash: 'a', timeoutSec: 9 },
      { bash: 'b', timeoutSec: 8 },
    ),
  )
  const { hooks } = copilot.readFile(text, { file: 'a.json', layer: 'project' })
  const made = await copilot.toHooks(hooks, {
    runner: {
      run: () => Promise.reject(new Error('none')),
      close: async () => {},
    },
    ...{ env: {}, projectDir: '/project', dataDir: '/nonexistent' },
  })
  const own = made.find(({ name }) => name === 'copilot:preToolUse')
  expect(own?.timeoutMs).toBeGreaterThanOrEqual(17_000)
})

test('that a hook of a notification was too slow is for the record, not for the model', async () => {
  const entries = file('notification', { bash: 'x' })
  const speak = () => ({ exitCode: undefined, isTimedOut: true })
  const bench = await openRuleBench(copilot, entries, { speak })
  await bench.ask('permission.request', 'notification')
  const next = await bench.ask('turn.pre_turn', '')
  expect(codesOf(next)).toEqual(['failed-open'])
  expect(next.contributions.all).toEqual([])
})

test.each([
  ['Bash', 'preToolUse', 'foreign-tool-name'],
  ['(', 'PreToolUse', 'bad-matcher'],
])('the matcher %j of %s is found: %s', (matcher, event, code) => {
  const text = JSON.stringify(file(event, { bash: 'x', matcher }))
  const source = { file: 'hooks.json', layer: 'project' as const }
  const { findings } = copilot.readFile(text, source)
  expect(findings.map((finding) => finding.code)).toEqual([code])
})
