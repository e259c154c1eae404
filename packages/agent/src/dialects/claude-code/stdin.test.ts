import { readFileSync } from 'node:fs'
import { compileTable, createEngine, type Point } from 'hookline'
import { type JsonObject, type PointName, points } from 'hookline/lifecycle'
import { afterAll, describe, expect, test } from 'vitest'
import { scope, special, usual } from '../fixtures/inputs.ts'
import { claudeCode } from './claude-code.ts'
import { absentFields, common, stdinFields } from './expected/stdin.ts'
import { dialectBench, settingsWith } from './fixtures/dialect-bench.ts'

const bench = dialectBench()
afterAll(() => bench.end())

/** What a real script has read at the first point of an event. */
async function readBy(event: string, more: object = {}): Promise<JsonObject> {
  const file = bench.write(`read-${event}.json`, '')
  const entry = { type: 'command', command: `cat > ${file}` }
  const hooks = await bench.hooks(settingsWith(event, entry))
  const point = claudeCode.events[event]?.[0] as PointName
  const usually = usual[point as keyof typeof usual]
  const input = event === 'PostToolUseFailure' ? special.failure : usually
  const engine = createEngine(compileTable(hooks))
  const asked = points[point] as Point
  await engine.run(asked, { ...input, ...more }, { scope })
  return JSON.parse(readFileSync(file, 'utf8'))
}

describe('a script reads', () => {
  test.each(Object.entries(stdinFields))('at %s: %j', async (event, fields) => {
    const stdin = await readBy(event)
    expect(stdin['hook_event_name']).toBe(event)
    const expected = [...common, ...fields]
    expect(expected.filter((field) => stdin[field] === undefined)).toEqual([])
    const absent = absentFields[event] ?? []
    expect(absent.filter((field) => field in stdin)).toEqual([])
  })
})

test('the values are those of the moment, in the words of the product', async () => {
  expect(await readBy('PreToolUse')).toMatchObject({
    session_id: 's-1',
    cwd: bench.folder,
    permission_mode: 'default',
    tool_name: 'Bash',
    tool_input: { command: 'ls' },
    tool_use_id: 'call-1',
  })
  expect(await readBy('PostToolUse')).toMatchObject({
    tool_response: { stdout: 'a.ts', stderr: '', interrupted: false },
    duration_ms: 12,
  })
  expect(await readBy('PostToolUseFailure')).toMatchObject({
    error: 'Exit code 1\nno such file',
    is_interrupt: false,
  })
  expect(await readBy('Stop')).toMatchObject({
    stop_hook_active: false,
    last_assistant_message: 'Done.',
  })
  expect(await readBy('Stop', { continuesSoFar: 1 })).toMatchObject({
    stop_hook_active: true,
  })
  expect(await readBy('StopFailure')).toMatchObject({ error: 'overloaded' })
  expect(await readBy('PreCompact')).toMatchObject({
    trigger: 'auto',
    custom_instructions: '',
  })
  expect(await readBy('PostCompact')).toMatchObject({
    trigger: 'manual',
    compact_summary: 'They fixed a bug.',
  })
  expect(await readBy('SessionStart', { source: 'resume' })).toMatchObject({
    source: 'resume',
  })
  expect(await readBy('PostToolBatch')).toMatchObject({
    tool_calls: [{ tool_name: 'Bash', tool_use_id: 'call-1' }],
  })
})

test('tools have the names and arguments that scripts test for', async () => {
  const called = (tool: string, args: JsonObject) =>
    readBy('PreToolUse', { tool, args })
  const file_path = `${bench.folder}/src/a.ts`
  expect(await called('read', { path: 'src/a.ts' })).toMatchObject({
    tool_name: 'Read',
    tool_input: { file_path },
  })
  expect(
    await called('write', { path: 'src/a.ts', content: 'x' }),
  ).toMatchObject({
    tool_name: 'Write',
    tool_input: { file_path, content: 'x' },
  })
  const edit = { path: file_path, oldText: 'a', newText: 'b' }
  expect(await called('edit', edit)).toMatchObject({
    tool_name: 'Edit',
    tool_input: { file_path, old_string: 'a', new_string: 'b' },
  })
  expect(await called('delegate', { agent: 'x', task: 'y' })).toMatchObject({
    tool_name: 'Agent',
    tool_input: { subagent_type: 'x', prompt: 'y' },
  })
  const tasks = [{ agent: 'x', task: 'y' }]
  expect(await called('delegate', { tasks })).toMatchObject({
    tool_name: 'Agent',
    tool_input: { tasks, subagent_type: 'x', prompt: 'y' },
  })
  expect(await called('Write', { file_path: 'src/a.ts' })).toMatchObject({
    tool_name: 'Write',
    tool_input: { file_path },
  })
  expect(await called('mcp__memory__add', { fact: 'z' })).toMatchObject({
    tool_name: 'mcp__memory__add',
    tool_input: { fact: 'z' },
  })
})

test('a sub-agent is named, and the events of the user are not asked of it', async () => {
  const file = bench.write('child.json', '')
  const entry = { type: 'command', command: `cat > ${file}` }
  const child = { ...scope, agent: 'reviewer', parents: ['helper'] }
  const run = async (event: string, point: keyof typeof usual) => {
    const hooks = await bench.hooks(settingsWith(event, entry))
    const engine = createEngine(compileTable(hooks))
    await engine.run(points[point] as Point, usual[point], { scope: child })
    return readFileSync(file, 'utf8')
  }
  expect(await run('Stop', 'turn.stop')).toBe('')
  expect(await run('UserPromptSubmit', 'turn.pre_turn')).toBe('')
  expect(await run('SessionStart', 'session.start')).toBe('')
  expect(JSON.parse(await run('PreToolUse', 'tool.pre_call'))).toMatchObject({
    agent_type: 'reviewer',
    agent_id: 'reviewer',
  })
})
