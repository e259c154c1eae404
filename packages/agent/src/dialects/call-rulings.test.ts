import {
  compileTable,
  createEngine,
  defineHook,
  type Hook,
  reject,
  transform,
} from 'hookline'
import {
  type JsonObject,
  permissionRequest,
  sessionEnd,
  toolGuard,
  toolPostCall,
  toolPreCall,
  turnPreTurn,
} from 'hookline/lifecycle'
import { describe, expect, test } from 'vitest'
import { createMemoryApprovals, createPolicy, defineTool } from '../index.ts'
import { openStage } from '../runtime/fixtures/stage.ts'
import type { DialectName } from './dialect.ts'
import { codesOf } from './fixtures/hook-bench.ts'
import { granted, scope, usual } from './fixtures/inputs.ts'
import { openRuleBench } from './fixtures/rule-bench.ts'
import { loadDialect } from './load-dialect.ts'

const push: JsonObject = { command: 'git push' }

/** A decision before a call, in the words of all of them. */
function decide(decision: string, args?: JsonObject): JsonObject {
  return {
    permissionDecision: decision,
    permissionDecisionReason: `It says ${decision}.`,
    ...(args && { modifiedArgs: args }),
    hookSpecificOutput: {
      hookEventName: 'PreToolUse',
      permissionDecision: decision,
      permissionDecisionReason: `It says ${decision}.`,
      ...(args && { updatedInput: args }),
    },
  }
}

/** What the hook of an event says about the arguments that it is told. */
type Saying = JsonObject | ((stdin: string) => JsonObject)

/** Hooks of a product, one for each event. */
async function hooksOf(
  name: DialectName,
  sayings: Readonly<Record<string, Saying>>,
): Promise<readonly Hook[]> {
  const entries = Object.keys(sayings).map((event) => {
    const entry = { type: 'command', command: event }
    return [event, [name === 'copilot' ? entry : { hooks: [entry] }]]
  })
  const file = { version: 1, hooks: Object.fromEntries(entries) }
  const bench = await openRuleBench(await loadDialect(name), file, {
    speak({ stdin = '' }, script) {
      const saying = sayings[script] ?? {}
      const said = typeof saying === 'function' ? saying(`${stdin}`) : saying
      return { stdout: JSON.stringify(said) }
    },
  })
  return bench.hooks
}

function writer(args: JsonObject): Hook {
  return defineHook({
    name: 'zz-writer',
    on: toolPreCall,
    priority: 500,
    writes: true,
    run: () => transform(args),
  })
}

/** A schema that fills in what is left out. */
const schemaWith = (defaults: JsonObject) => ({
  '~standard': {
    version: 1 as const,
    vendor: 'test',
    validate: (value: unknown) => ({
      value: { ...defaults, ...Object(value) },
    }),
  },
})

interface Options {
  readonly defaults?: JsonObject
  readonly mode?: 'open' | 'ask-writes'
}

/** What a person is asked about the call "ls", and whether it ran. */
async function callWith(
  hooks: readonly Hook[],
  { defaults = {}, mode = 'open' }: Options = {},
) {
  const ran: unknown[] = []
  const asked: string[] = []
  const approvals = createMemoryApprovals({
    onQuestion({ question: { id, questions } }) {
      asked.push(...questions.map(({ question }) => question))
      approvals.answer(id, { type: 'deny', reason: 'No.' }, 'ann')
    },
  })
  const shell = defineTool({
    name: 'shell',
    description: 'Runs a command.',
    input: schemaWith(defaults),
    jsonSchema: { type: 'object' },
    safety: 'mutating',
    execute: (args) => void ran.push(args),
  })
  const calls = [{ tool: 'shell', args: { command: 'ls' } }]
  const stage = await openStage([{ calls }, { text: 'Done.' }], {
    hooks,
    tools: [shell],
    approvals,
    policy: createPolicy({ mode }),
  })
  const ended = await stage.say('Go.')
  await stage.close()
  return { ran, asked, ended }
}

describe('a question beside new arguments', () => {
  const asks = decide('ask', push)

  test.each(['claude-code', 'vs-code'] as const)(
    'is put where the schema fills in what the hook of %s has left out',
    async (name) => {
      const hooks = await hooksOf(name, { PreToolUse: asks })
      const { ran, asked } = await callWith(hooks, { defaults: { timeout: 5 } })
      expect(asked).toEqual(['It says ask.'])
      expect(ran).toEqual([])
    },
  )

  test.each([
    ['claude-code', 'PreToolUse'],
    ['vs-code', 'PreToolUse'],
    ['copilot', 'preToolUse'],
  ] as const)(
    'is put where another hook changes what that of %s has made',
    async (name, event) => {
      const hooks = await hooksOf(name, { [event]: asks })
      const later = writer({ command: 'git push -f' })
      const { ran, asked } = await callWith([...hooks, later])
      expect(asked).toEqual(['It says ask.'])
      expect(ran).toEqual([])
    },
  )

  test.each([
    ['PreToolUse', 'preToolUse'],
    ['preToolUse', 'PreToolUse'],
  ])(
    'is put where %s asks and %s allows, and with it that of policy',
    async (asking, allowing) => {
      const hooks = await hooksOf('copilot', {
        [asking]: asks,
        [allowing]: decide('allow'),
      })
      const { ran, asked } = await callWith(hooks, { mode: 'ask-writes' })
      expect(asked).toHaveLength(2)
      expect(asked).toContain('It says ask.')
      expect(ran).toEqual([])
    },
  )

  test('is put with that of another event', async () => {
    const hooks = await hooksOf('copilot', {
      PreToolUse: { ...asks, permissionDecisionReason: 'One.' },
      preToolUse: {
        ...decide('ask', { command: 'git push -f' }),
        permissionDecisionReason: 'Two.',
      },
    })
    const { ran, asked } = await callWith(hooks)
    expect(asked).toEqual(['One.\nTwo.'])
    expect(ran).toEqual([])
  })

  test('is put where the hook is asked again, and changes nothing any more', async () => {
    const hooks = await hooksOf('claude-code', {
      PreToolUse: (stdin) => (stdin.includes('unlink') ? asks : {}),
    })
    const { ran, asked } = await callWith([
      ...hooks,
      writer({ command: 'unlink' }),
    ])
    expect(asked).toEqual(['It says ask.'])
    expect(ran).toEqual([])
  })
})

describe('a hook that is asked again', () => {
  const stop = { continue: false, stopReason: 'Halt.' }

  test.each([
    ['ends the turn', stop],
    ['denies the call and ends the turn', { ...decide('deny'), ...stop }],
  ])('and %s has neither overheard', async (_, said) => {
    const hooks = await hooksOf('claude-code', {
      PreToolUse: (stdin) => (stdin.includes('unlink') ? said : {}),
    })
    const { ran, ended } = await callWith([
      ...hooks,
      writer({ command: 'unlink' }),
    ])
    expect(ran).toEqual([])
    expect(ended).toMatchObject({ reason: 'Halt.' })
  })
})

const elsewhere = { ...scope, sessionId: 's-2', turnId: 't-2' }
const later = { ...scope, turnId: 't-2' }
const request = {
  ...usual['permission.request'],
  call: {
    ...granted,
    grant: {
      ...granted.grant,
      decision: 'ask' as const,
      askedBy: 'mode' as const,
    },
    definitionHash: 'h',
    seal: 's',
  },
}
const sealed = { ...request.call, args: push }

async function engineOf(saying: Saying, others: readonly Hook[] = []) {
  const hooks = await hooksOf('claude-code', { PreToolUse: saying })
  return createEngine(compileTable([...hooks, ...others]))
}

describe('an approval', () => {
  test('answers for the call that it was given for', async () => {
    const engine = await engineOf(decide('allow'))
    await engine.run(toolPreCall, granted, { scope })
    const outcome = await engine.run(permissionRequest, request, { scope })
    expect(outcome.type).toBe('respond')
  })

  test('T16 answers no question of a rule, and that is on record', async () => {
    const engine = await engineOf(decide('allow'))
    await engine.run(toolPreCall, granted, { scope })
    const { askedBy: _, ...grant } = request.call.grant
    const asked = { ...request, call: { ...request.call, grant } }
    const outcome = await engine.run(permissionRequest, asked, { scope })
    expect(outcome.type).toBe('proceed')
    expect(codesOf(outcome)).toContain('not-honoured')
  })

  test.each([
    ['session', elsewhere],
    ['turn', later],
  ])('answers for no call of that name in another %s', async (_, other) => {
    const engine = await engineOf(decide('allow'))
    await engine.run(toolPreCall, granted, { scope })
    const options = { scope: other }
    const outcome = await engine.run(permissionRequest, request, options)
    expect(outcome.type).toBe('proceed')
  })

  test('is over with its call, also where another hook withholds the result', async () => {
    const withholds = defineHook({
      name: 'withholds',
      on: toolPostCall,
      run: () => reject('A key.'),
    })
    const engine = await engineOf(decide('allow'), [withholds])
    await engine.run(toolPreCall, granted, { scope })
    const ended = usual['tool.post_call']
    await engine.run(toolPostCall, ended, { scope })
    const outcome = await engine.run(permissionRequest, request, { scope })
    expect(outcome.type).toBe('proceed')
  })
})

describe('a question that is kept', () => {
  const asks = decide('ask', push)

  test.each([
    ['session', elsewhere],
    ['turn', later],
  ])('stands when a call of that name ends in another %s', async (_, other) => {
    const engine = await engineOf(asks)
    await engine.run(toolPreCall, granted, { scope })
    const ended = usual['tool.post_call']
    await engine.run(toolPostCall, ended, { scope: other })
    const outcome = await engine.run(toolGuard, sealed, { scope })
    expect(outcome.type).toBe('ask')
  })

  test('stands when a call of that name is allowed in another session', async () => {
    let times = 0
    const engine = await engineOf(() => (++times > 1 ? decide('allow') : asks))
    await engine.run(toolPreCall, granted, { scope })
    await engine.run(toolPreCall, granted, { scope: elsewhere })
    const outcome = await engine.run(toolGuard, sealed, { scope })
    expect(outcome.type).toBe('ask')
  })

  test('is nobody else’s', async () => {
    const engine = await engineOf(asks)
    await engine.run(toolPreCall, granted, { scope })
    const options = { scope: elsewhere }
    const outcome = await engine.run(toolGuard, sealed, options)
    expect(outcome.type).toBe('proceed')
  })
})

describe('what a call that never ended has left', () => {
  const begun = usual['turn.pre_turn']

  test('is forgotten when the next turn of its session begins', async () => {
    const engine = await engineOf(decide('ask', push))
    await engine.run(toolPreCall, granted, { scope })
    await engine.run(turnPreTurn, begun, { scope: elsewhere })
    const before = await engine.run(toolGuard, sealed, { scope })
    expect(before.type).toBe('ask')
    await engine.run(turnPreTurn, begun, { scope: later })
    const after = await engine.run(toolGuard, sealed, { scope })
    expect(after.type).toBe('proceed')
  })

  test('is forgotten when its session ends', async () => {
    const engine = await engineOf(decide('ask', push))
    await engine.run(toolPreCall, granted, { scope })
    await engine.run(sessionEnd, usual['session.end'], { scope })
    const after = await engine.run(toolGuard, sealed, { scope })
    expect(after.type).toBe('proceed')
  })
})
