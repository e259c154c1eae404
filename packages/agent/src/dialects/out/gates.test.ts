import {
  ask,
  compileTable,
  createEngine,
  defineHook,
  endTurn,
  type Hook,
  proceed,
  reject,
  replace,
  respond,
  transform,
} from 'hookline'
import {
  llmPostCall,
  llmPreCall,
  permissionRequest,
  toolPostBatch,
  toolPostCall,
  toolPreCall,
  turnPreTurn,
} from 'hookline/lifecycle'
import { describe, expect, test } from 'vitest'
import type { DialectName } from '../dialect.ts'
import { answerAs } from './answer-as.ts'

/** What a product is told, of what it tells our hooks. */
async function tell(
  dialect: DialectName,
  hooks: readonly Hook[],
  { hook_event_name: event, ...rest }: Told,
) {
  const stdinJson = JSON.stringify({ hook_event_name: event, ...rest })
  const engine = createEngine(compileTable(hooks))
  const reply = await answerAs(dialect, { event, stdinJson }, { engine })
  return { ...reply, said: JSON.parse(reply.stdout || '{}') }
}

interface Told {
  readonly hook_event_name: string
  readonly [key: string]: unknown
}

const ls = {
  hook_event_name: 'PreToolUse',
  tool_name: 'Bash',
  tool_input: { command: 'ls' },
}
const match = { args: { command: 'rm*' } }

/** A gate that knows that the call may be changed after it. */
const noRm = defineHook({
  name: 'no-rm',
  on: toolPreCall,
  match,
  priority: 1,
  beforeWrites: true,
  run: () => reject('Never.'),
})
const intoRm = defineHook({
  name: 'into-rm',
  on: toolPreCall,
  writes: true,
  run: () => transform({ command: 'rm x' }),
})

describe('a gate that a change has overtaken', () => {
  test('is asked about what came of the call', async () => {
    const { said } = await tell('claude-code', [noRm, intoRm], ls)
    expect(said.hookSpecificOutput).toEqual({
      hookEventName: 'PreToolUse',
      permissionDecision: 'deny',
      permissionDecisionReason: 'Never.',
    })
  })

  test('may ask a person, who is asked nothing twice', async () => {
    const wary = ['Sure?', 'Really?'].map((question, index) =>
      defineHook({
        name: `wary-${index}`,
        on: toolPreCall,
        priority: 1,
        beforeWrites: true,
        run: () => ask(question),
      }),
    )
    const { said } = await tell('claude-code', [...wary, intoRm], ls)
    expect(said.hookSpecificOutput).toMatchObject({
      permissionDecision: 'ask',
      permissionDecisionReason: 'Sure?\nReally?',
      updatedInput: { command: 'rm x' },
    })
  })

  test.each([
    ['the end of the turn', () => endTurn('Enough.')],
    ['another call', () => transform({ command: 'pwd' })],
    [
      'a result',
      () =>
        respond({
          content: [{ type: 'text' as const, text: 'Done.' }],
          isError: false as const,
        }),
    ],
  ])('is heard no more if it says %s', async (_, answer) => {
    const late = defineHook({
      name: 'late',
      on: toolPreCall,
      match,
      priority: 1,
      writes: true,
      run: answer,
    })
    const { said } = await tell('claude-code', [late, intoRm], ls)
    expect(said).toEqual({
      hookSpecificOutput: {
        hookEventName: 'PreToolUse',
        updatedInput: { command: 'rm x' },
      },
    })
  })

  test('is left out where somebody has given the arguments as they are', async () => {
    const { name: _, priority: __, ...rest } = noRm
    const after = { ...rest, name: 'after', priority: 200 }
    const given = defineHook({
      name: 'given',
      on: toolPreCall,
      writes: true,
      run: () => replace({ command: 'rm x' }),
    })
    const { said } = await tell('claude-code', [given, after], ls)
    expect(said.hookSpecificOutput).toMatchObject({
      updatedInput: { command: 'rm x' },
    })
  })
})

describe('a call that whoever agrees to it has changed', () => {
  const permit = { ...ls, hook_event_name: 'PermissionRequest' }
  const edit = defineHook({
    name: 'edit',
    on: permissionRequest,
    capabilities: ['approve'],
    run: () => respond({ type: 'edit', args: { command: 'rm x' } }),
  })

  test('is denied by a gate that does not let it pass', async () => {
    const { said } = await tell('claude-code', [noRm, edit], permit)
    expect(said.hookSpecificOutput.decision).toEqual({
      behavior: 'deny',
      message: 'Never.',
    })
  })

  test('is not agreed to where a gate wants to ask a person about it', async () => {
    const wary = defineHook({
      name: 'wary',
      on: toolPreCall,
      match,
      run: () => ask('Sure?'),
    })
    const { said } = await tell('claude-code', [wary, edit], permit)
    expect(said.hookSpecificOutput.decision).toMatchObject({ behavior: 'deny' })
  })
})

const gates = {
  call: defineHook({ name: 'call', on: toolPreCall, run: () => proceed }),
  permission: defineHook({
    name: 'permission',
    on: permissionRequest,
    capabilities: ['approve'],
    run: () => proceed,
  }),
  result: defineHook({ name: 'result', on: toolPostCall, run: () => proceed }),
  batch: defineHook({ name: 'batch', on: toolPostBatch, run: () => proceed }),
  prompt: defineHook({ name: 'prompt', on: turnPreTurn, run: () => proceed }),
  request: defineHook({ name: 'request', on: llmPreCall, run: () => proceed }),
  reply: defineHook({ name: 'reply', on: llmPostCall, run: () => proceed }),
}
describe('what cannot be read', () => {
  test.each<[DialectName, keyof typeof gates, Told]>([
    ['claude-code', 'call', { hook_event_name: 'PreToolUse' }],
    ['claude-code', 'call', { hook_event_name: 'PreToolUse', tool_name: 7 }],
    ['claude-code', 'call', { hook_event_name: 'PreToolUse', tool_name: '' }],
    ['codex', 'call', { ...ls, tool_input: ['rm'] }],
    ['codex', 'permission', { hook_event_name: 'PermissionRequest' }],
    ['copilot', 'call', { hook_event_name: 'preToolUse' }],
    ['copilot', 'permission', { hook_event_name: 'permissionRequest' }],
    ['gemini', 'call', { hook_event_name: 'BeforeTool' }],
    ['cursor', 'call', { hook_event_name: 'beforeShellExecution' }],
    ['cursor', 'call', { hook_event_name: 'beforeReadFile', file_path: 7 }],
    ['cursor', 'call', { hook_event_name: 'beforeMCPExecution' }],
    ['vs-code', 'call', { hook_event_name: 'PreToolUse' }],
    ['claude-code', 'result', { hook_event_name: 'PostToolUse' }],
    ['claude-code', 'batch', { hook_event_name: 'PostToolBatch' }],
    ['claude-code', 'prompt', { hook_event_name: 'UserPromptSubmit' }],
    ['gemini', 'request', { hook_event_name: 'BeforeModel' }],
    ['gemini', 'reply', { hook_event_name: 'AfterModel', llm_response: 7 }],
  ])('is refused in %s, where a hook at %s could: %j', async (...at) => {
    const [dialect, gate, told] = at
    const reply = await tell(dialect, [gates[gate]], told)
    expect(reply.stdout).toMatch(/deny|block|withheld/)
    expect(reply.stdout).toContain('cannot be read')
    expect(reply.isEnforced).toBe(true)
    const free = await tell(dialect, [], told)
    expect(free).toMatchObject({ said: {}, exitCode: 0, isEnforced: true })
  })

  test('goes on where hooks only watch', async () => {
    const watching: Hook[] = [
      { ...gates.call, mode: 'evaluate' },
      { ...gates.permission, capabilities: [] },
    ]
    for (const hook_event_name of ['PreToolUse', 'PermissionRequest']) {
      const reply = await tell('codex', watching, { hook_event_name })
      expect(reply).toMatchObject({ stdout: '', exitCode: 0 })
    }
  })

  test('is no call without arguments', async () => {
    const told = { hook_event_name: 'PreToolUse', tool_name: 'TodoRead' }
    const reply = await tell('claude-code', [gates.call], told)
    expect(reply).toMatchObject({ stdout: '', exitCode: 0 })
  })
})
