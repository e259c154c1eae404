import {
  compileTable,
  createEngine,
  defineHook,
  type Hook,
  proceed,
  reject,
  transform,
} from 'hookline'
import {
  toolGuard,
  toolPostCall,
  toolPreCall,
  turnPreTurn,
} from 'hookline/lifecycle'
import { expect, test } from 'vitest'
import type { DialectName } from '../dialect.ts'
import { answerAs } from './answer-as.ts'

function answer(
  dialect: DialectName,
  hooks: readonly Hook[],
  stdin: object | string,
  options: { readonly event?: string; readonly isStrict?: boolean } = {},
) {
  const { event, ...rest } = options
  const engine = createEngine(compileTable(hooks))
  const stdinJson = typeof stdin === 'string' ? stdin : JSON.stringify(stdin)
  const request = event === undefined ? { stdinJson } : { stdinJson, event }
  return answerAs(dialect, request, { engine, ...rest })
}

const noPush = defineHook({
  name: 'no-push',
  on: toolPreCall,
  match: { tool: 'shell', args: { command: '*push*' } },
  run: () => reject('Do not push.'),
})

const push = { command: 'git push' }

test.each([
  [
    'claude-code',
    { hook_event_name: 'PreToolUse', tool_name: 'Bash', tool_input: push },
    {
      hookSpecificOutput: {
        hookEventName: 'PreToolUse',
        permissionDecision: 'deny',
        permissionDecisionReason: 'Do not push.',
      },
    },
  ],
  [
    'codex',
    { hook_event_name: 'PreToolUse', tool_name: 'Bash', tool_input: push },
    {
      hookSpecificOutput: {
        hookEventName: 'PreToolUse',
        permissionDecision: 'deny',
        permissionDecisionReason: 'Do not push.',
      },
    },
  ],
  [
    'gemini',
    {
      hook_event_name: 'BeforeTool',
      tool_name: 'run_shell_command',
      tool_input: push,
    },
    { decision: 'deny', reason: 'Do not push.' },
  ],
  [
    'cursor',
    { hook_event_name: 'beforeShellExecution', ...push },
    { permission: 'deny', agent_message: 'Do not push.' },
  ],
  [
    'copilot',
    { toolName: 'bash', toolArgs: JSON.stringify(push) },
    { permissionDecision: 'deny', permissionDecisionReason: 'Do not push.' },
  ],
  [
    'vs-code',
    {
      hook_event_name: 'PreToolUse',
      tool_name: 'run_in_terminal',
      tool_input: push,
    },
    {
      hookSpecificOutput: {
        hookEventName: 'PreToolUse',
        permissionDecision: 'deny',
        permissionDecisionReason: 'Do not push.',
      },
    },
  ],
] as const)(
  'one hook of ours denies a push in %s',
  async (dialect, stdin, expected) => {
    const event = dialect === 'copilot' ? { event: 'preToolUse' } : {}
    const reply = await answer(dialect, [noPush], stdin, event)
    expect(JSON.parse(reply.stdout)).toEqual(expected)
    expect(reply).toMatchObject({
      exitCode: 0,
      stderr: '',
      isAnswered: true,
      isEnforced: true,
      degradations: [],
    })
  },
)

test('where nobody has anything to say, nothing is printed that could decide', async () => {
  const call = { tool_name: 'Bash', tool_input: { command: 'ls' } }
  const claude = { hook_event_name: 'PreToolUse', ...call }
  const quiet = await answer('claude-code', [noPush], claude)
  expect(quiet).toMatchObject({ stdout: '', exitCode: 0 })
  const cursors = { hook_event_name: 'preToolUse', ...call }
  const cursor = await answer('cursor', [noPush], cursors)
  expect(cursor).toMatchObject({ stdout: '{}', exitCode: 0 })
})

test.each(['', 'null', '[]', '{"a":1,"a":2}', '{"hook_event_name":1}', '{'])(
  'the input %j is refused, as nobody can tell what it is',
  async (stdin) => {
    const reply = await answer('claude-code', [noPush], stdin)
    expect(reply).toMatchObject({ exitCode: 2, stdout: '', isAnswered: false })
    expect(reply.stderr).not.toBe('')
  },
)

test('an event that is nothing to us says nothing', async () => {
  const stdin = { hook_event_name: 'WorktreeCreate' }
  const reply = await answer('claude-code', [noPush], stdin)
  expect(reply).toMatchObject({ exitCode: 0, stdout: '', isAnswered: false })
})

test('hooks that fail refuse', async () => {
  const broken = defineHook({
    name: 'broken',
    on: turnPreTurn,
    onFailure: 'required',
    run() {
      throw new Error('out of order')
    },
  })
  const stdin = { hook_event_name: 'UserPromptSubmit', prompt: 'Hi.' }
  const { stdout } = await answer('claude-code', [broken], stdin)
  const said = JSON.parse(stdout)
  expect(said).toMatchObject({ decision: 'block' })
  // The model of the product reads it.
  expect(said.reason).toContain('A hook is required at turn.pre_turn')
  expect(stdout).not.toContain('broken')
})

const noRoot = defineHook({
  name: 'no-root',
  on: toolGuard,
  match: { args: { command: '*/root*' } },
  run: () => reject('Not there.'),
})

const intoRoot = defineHook({
  name: 'into-root',
  on: toolPreCall,
  writes: true,
  run: ({ args }) => transform({ ...args, command: 'ls /root' }),
})

test('T19 what was changed is what the guards judge', async () => {
  const stdin = {
    hook_event_name: 'PreToolUse',
    tool_name: 'Bash',
    tool_input: { command: 'ls' },
  }
  const reply = await answer('claude-code', [intoRoot, noRoot], stdin)
  const { hookSpecificOutput } = JSON.parse(reply.stdout)
  expect(hookSpecificOutput).toMatchObject({
    permissionDecision: 'deny',
    permissionDecisionReason: 'Not there.',
  })
  expect(hookSpecificOutput).not.toHaveProperty('updatedInput')
})

const dropDescription = defineHook({
  name: 'drop',
  on: toolPreCall,
  writes: true,
  run: () => transform({ command: 'ls' }),
})

test('Gemini cannot take an argument away, so that in strict mode the call is denied', async () => {
  const stdin = {
    hook_event_name: 'BeforeTool',
    tool_name: 'run_shell_command',
    tool_input: { command: 'ls', description: 'Lists.' },
  }
  const loose = await answer('gemini', [dropDescription], stdin)
  expect(loose.stdout).toBe('')
  expect(loose.degradations).toMatchObject([
    { wanted: 'rewrite-args', instead: 'nothing' },
  ])
  const strict = await answer('gemini', [dropDescription], stdin, {
    isStrict: true,
  })
  expect(JSON.parse(strict.stdout)).toMatchObject({ decision: 'deny' })
})

const change = defineHook({
  name: 'change',
  on: toolPreCall,
  writes: true,
  run: ({ args }) => transform({ ...args, content: 'changed' }),
})

test.each([
  [
    'claude-code',
    'PreToolUse',
    'Write',
    { file_path: 'a', content: 'b' },
    'content',
  ],
  [
    'vs-code',
    'PreToolUse',
    'create_file',
    { filePath: 'a', content: 'b' },
    'content',
  ],
  [
    'cursor',
    'preToolUse',
    'Write',
    { file_path: 'a', content: 'b' },
    'content',
  ],
  [
    'copilot',
    'preToolUse',
    'create',
    { path: 'a', file_text: 'b' },
    'file_text',
  ],
  [
    'gemini',
    'BeforeTool',
    'write_file',
    { file_path: 'a', content: 'b' },
    'content',
  ],
] as const)(
  '%s has its own names for changed arguments',
  async (dialect, event, tool, input, key) => {
    const stdin = {
      hook_event_name: event,
      ...(dialect === 'copilot'
        ? { toolName: tool, toolArgs: input }
        : { tool_name: tool, tool_input: input }),
    }
    const { stdout } = await answer(dialect, [change], stdin, { event })
    const reply = JSON.parse(stdout)
    const changed =
      reply.hookSpecificOutput?.updatedInput ??
      reply.hookSpecificOutput?.tool_input ??
      reply.updated_input ??
      reply.modifiedArgs
    expect(changed).toEqual({ ...input, [key]: 'changed' })
  },
)

test('rules about files see the file that a patch of Codex changes', async () => {
  const noEnv = defineHook({
    name: 'no-env',
    on: toolPreCall,
    match: { tool: 'edit', args: { file_path: '*.env' } },
    run: () => reject('Not that file.'),
  })
  const patch =
    '*** Begin Patch\n*** Update File: prod.env\n@@\n-a\n+b\n*** End Patch'
  const stdin = {
    hook_event_name: 'PreToolUse',
    tool_name: 'apply_patch',
    tool_input: { command: patch },
  }
  const { stdout } = await answer('codex', [noEnv], stdin)
  expect(stdout).toContain('Not that file.')
  const changed = await answer('codex', [change], stdin, { isStrict: true })
  expect(changed.stdout).toContain('"deny"')
})

test('a result is withheld in the shape that the tool gives', async () => {
  const hide = defineHook({
    name: 'hide',
    on: toolPostCall,
    run: () => reject('Has a key.'),
  })
  const stdin = {
    hook_event_name: 'PostToolUse',
    tool_name: 'Bash',
    tool_input: { command: 'env' },
    tool_response: { stdout: 'KEY=1', stderr: 'x', interrupted: false },
  }
  const { stdout } = await answer('claude-code', [hide], stdin)
  expect(JSON.parse(stdout).hookSpecificOutput.updatedToolOutput).toEqual({
    stdout: '[withheld: Has a key.]',
    stderr: '',
    interrupted: false,
  })
  const odd = { ...stdin, tool_response: { some: 'thing' } }
  const reply = await answer('claude-code', [hide], odd)
  expect(reply.isEnforced).toBe(false)
  expect(reply.stdout).not.toContain('updatedToolOutput')
  const strict = await answer('claude-code', [hide], odd, { isStrict: true })
  expect(JSON.parse(strict.stdout)).toMatchObject({ continue: false })
})

test('a hook that is asked sees the session, the turn and the folder', async () => {
  const seen: unknown[] = []
  const look = defineHook({
    name: 'look',
    on: toolPreCall,
    run(call, { scope }) {
      seen.push({ ...scope, id: call.id })
      return proceed
    },
  })
  const call = { tool_name: 'Bash', tool_input: { command: 'ls' } }
  const stdin = {
    hook_event_name: 'PreToolUse',
    session_id: 's1',
    turn_id: 't1',
    cwd: '/srv',
    tool_use_id: 'c1',
    ...call,
  }
  await answer('codex', [look], stdin)
  expect(seen).toMatchObject([
    {
      sessionId: 's1',
      turnId: 't1',
      cwd: '/srv',
      coreType: 'codex',
      id: 'c1',
    },
  ])
})
