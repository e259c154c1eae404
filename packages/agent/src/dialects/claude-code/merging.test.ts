import { readFileSync } from 'node:fs'
import {
  compileTable,
  createEngine,
  defineHook,
  proceed,
  transform,
} from 'hookline'
import {
  type JsonObject,
  notice,
  promptContext,
  toolPreCall,
} from 'hookline/lifecycle'
import { afterAll, describe, expect, test } from 'vitest'
import { createPolicy } from '../../index.ts'
import { openStage } from '../../runtime/fixtures/stage.ts'
import { tool } from '../../runtime/fixtures/tools.ts'
import type { DialectParts, HookFile } from '../dialect.ts'
import { granted, scope } from '../fixtures/inputs.ts'
import { claudeCode } from './claude-code.ts'
import { dialectBench } from './fixtures/dialect-bench.ts'

const bench = dialectBench()
afterAll(() => bench.end())

const decide = (
  permissionDecision: string,
  reason = '',
  more: JsonObject = {},
) =>
  JSON.stringify({
    hookSpecificOutput: {
      hookEventName: 'PreToolUse',
      permissionDecision,
      permissionDecisionReason: reason,
      ...more,
    },
  })
const print = (text: string) => `cat >/dev/null; printf '%s' '${text}'`
const rewrite = (filter: string) =>
  `jq -c '{hookSpecificOutput: {hookEventName: "PreToolUse", updatedInput: (.tool_input | ${filter})}}'`

function filesOf(...commands: readonly string[]): readonly HookFile[] {
  const hooks = commands.map((command) => ({ type: 'command', command }))
  return [bench.read({ hooks: { PreToolUse: [{ matcher: 'Bash', hooks }] } })]
}

async function ask(
  files: readonly HookFile[],
  parts: Partial<DialectParts> = {},
) {
  const hooks = await claudeCode.toHooks(
    files.flatMap((file) => file.hooks),
    { ...bench.parts, ...parts },
  )
  const engine = createEngine(compileTable(hooks))
  const outcome = await engine.run(toolPreCall, granted, { scope })
  const codes = outcome.records.flatMap(({ diagnostics }) =>
    diagnostics.map(({ code }) => code),
  )
  return { outcome, codes, args: outcome.value.args }
}

describe('of several hooks', () => {
  const allow = print(decide('allow', 'fine'))
  const asks = print(decide('ask', 'sure?'))
  const defer = print(decide('defer', 'later'))
  const deny = print(decide('deny', 'no'))

  test.each([
    [[allow, asks], 'ask', 'sure?'],
    [[asks, allow], 'ask', 'sure?'],
    [[deny, allow], 'reject', 'no'],
    [[allow, deny], 'reject', 'no'],
    [[asks, defer], 'ask', 'later'],
    [[defer, deny, asks], 'reject', 'no'],
  ])(
    'T17 the strongest decides, whatever the order (%#)',
    async (commands, type, why) => {
      const { outcome } = await ask(filesOf(...commands))
      expect(outcome.type).toBe(type)
      expect(JSON.stringify(outcome)).toContain(why)
    },
  )

  test('whoever ends the turn ends it, also beside a deny', async () => {
    const end = print('{"continue":false,"stopReason":"stop it"}')
    const { outcome } = await ask(filesOf(deny, end))
    expect(outcome).toMatchObject({ type: 'endTurn', reason: 'stop it' })
  })

  test('all context and all messages are handed on, also beside a deny', async () => {
    const tell = (text: string) =>
      print(
        JSON.stringify({
          systemMessage: `user ${text}`,
          hookSpecificOutput: {
            hookEventName: 'PreToolUse',
            additionalContext: text,
          },
        }),
      )
    const { outcome } = await ask(filesOf(tell('one'), deny, tell('two')))
    expect(outcome.type).toBe('reject')
    const { contributions } = outcome
    const context = contributions.of(promptContext).map(({ value }) => value)
    expect(context.map(({ content }) => content)).toEqual(['one', 'two'])
    expect(new Set(context.map(({ id }) => id)).size).toBe(2)
    expect(context[0]).toMatchObject({ domain: 'claude-code', isDurable: true })
    const told = contributions.of(notice).map(({ value }) => value.message)
    expect(told).toEqual(['user one', 'user two'])
  })

  test('all begin at the same time', async () => {
    // Each waits for the other: one after the other they would never end.
    const [a, b] = [bench.folder, bench.folder].map(
      (at, index) => `${at}/sign-${index}`,
    )
    const meet = (mine = '', other = '') =>
      `cat >/dev/null; touch ${mine}; until [ -e ${other} ]; do sleep 0.01; done; echo "met" >&2; exit 2`
    const { outcome } = await ask(filesOf(meet(a, b), meet(b, a)))
    expect(outcome).toMatchObject({ type: 'reject', reason: 'met' })
  })

  test('the record has a line for each, with its place', async () => {
    const { outcome } = await ask(filesOf(allow, 'exit 1'))
    const lines = outcome.records.flatMap(({ diagnostics }) =>
      diagnostics.flatMap(({ code, message }) =>
        code === 'handler-end' ? [message] : [],
      ),
    )
    expect(lines).toHaveLength(2)
    expect(lines.find((line) => line.includes('hooks[1]'))).toMatch(
      /settings\.json#PreToolUse\[0\]\.hooks\[1\]: exit 1, \d+ ms\./,
    )
  })
})

describe('new arguments', () => {
  const log = () =>
    readFileSync(`${bench.folder}/calls.log`, 'utf8').trim().split('\n')
  const guard = (word: string) =>
    `c=$(jq -r .tool_input.command); echo "$c" >> calls.log; case "$c" in *${word}*) echo "saw ${word}" >&2; exit 2;; esac`

  test('F043 are changed on in the order of declaration', async () => {
    const { outcome, args, codes } = await ask(
      filesOf(rewrite('.command += " -a"'), rewrite('.command += " -b"')),
    )
    expect(outcome.type).toBe('proceed')
    expect(args).toEqual({ command: 'ls -a -b' })
    expect(codes).toContain('asked-again')
  })

  test('T19 a guard that is declared before judges what will run', async () => {
    bench.write('calls.log', '')
    const { outcome } = await ask(
      filesOf(guard('-rf'), rewrite('.command += " -rf"')),
    )
    expect(outcome).toMatchObject({ type: 'reject', reason: 'saw -rf' })
    expect(log()).toEqual(['ls', 'ls -rf'])
  })

  test('a guard that is declared after sees them, too', async () => {
    bench.write('calls.log', '')
    const { outcome } = await ask(
      filesOf(rewrite('.command += " -rf"'), guard('-rf')),
    )
    expect(outcome).toMatchObject({ type: 'reject', reason: 'saw -rf' })
  })

  test('a rewriter that agrees with what is there is not asked again', async () => {
    bench.write('calls.log', '')
    const { outcome, args } = await ask(filesOf(guard('-rf'), rewrite('.')))
    expect(outcome.type).toBe('proceed')
    expect(args).toEqual({ command: 'ls' })
    expect(log()).toEqual(['ls'])
  })

  test('a hook whose condition fits only them runs for them', async () => {
    bench.write('calls.log', '')
    const file = bench.read({
      hooks: {
        PreToolUse: [
          {
            hooks: [
              { type: 'command', if: 'Bash(rm *)', command: guard('rm') },
            ],
          },
          {
            hooks: [{ type: 'command', command: rewrite('.command = "rm x"') }],
          },
        ],
      },
    })
    const { outcome } = await ask([file])
    expect(outcome).toMatchObject({ type: 'reject', reason: 'saw rm' })
  })
})

describe('the same handler', () => {
  test('of several files runs once', async () => {
    bench.write('count', '')
    const files = [
      ...filesOf('echo x >> count'),
      ...filesOf('echo x >> count', 'echo x >> count; true'),
    ]
    await ask(files)
    expect(readFileSync(`${bench.folder}/count`, 'utf8')).toBe('x\nx\n')
  })

  test('of two plugins with different roots runs for each', async () => {
    bench.write('count', '')
    const plugin = (name: string) =>
      bench.read(
        {
          hooks: {
            PreToolUse: [
              {
                hooks: [
                  {
                    type: 'command',
                    command: `echo \${CLAUDE_PLUGIN_ROOT} >> count`,
                  },
                ],
              },
            ],
          },
        },
        { layer: 'plugin', plugin: { name, root: `/opt/${name}` } },
      )
    await ask([plugin('one'), plugin('two'), plugin('one')])
    const lines = readFileSync(`${bench.folder}/count`, 'utf8')
      .trim()
      .split('\n')
    expect(lines.sort()).toEqual(['/opt/one', '/opt/two'])
  })
})

test('T16 an allow lifts a question of policy, and neither a denial nor the question of another hook', async () => {
  const ran: string[] = []
  const tools = ['shell', 'write'].map((name) =>
    tool(name, () => void ran.push(name), 'mutating'),
  )
  const say = { type: 'command', command: print(decide('allow')) }
  const hooks = await bench.hooks({ hooks: { PreToolUse: [{ hooks: [say] }] } })
  const policy = createPolicy({
    mode: 'ask-writes',
    rules: [{ tool: 'write', decision: 'deny', reason: 'By rule.' }],
  })
  const calls = ['shell', 'write'].map((name) => ({ tool: name }))
  const stage = await openStage([{ calls }, { text: 'Done.' }], {
    hooks,
    tools,
    policy,
  })
  await stage.say('Go.')
  expect(ran).toEqual(['shell'])
  await stage.close()
  ran.length = 0
  const other = defineHook({
    name: 'asks',
    on: toolPreCall,
    run: () => ({ type: 'ask' as const, question: 'Really?' }),
  })
  const second = await openStage(
    [{ calls: [{ tool: 'shell' }] }, { text: 'Done.' }],
    {
      hooks: [...hooks, other],
      tools,
    },
  )
  await second.say('Go.')
  expect(ran).toEqual([])
  await second.close()
})

test('T16 an allow lifts what a mode asks, and not what a rule asks', async () => {
  const ran: string[] = []
  const tools = ['shell', 'write'].map((name) =>
    tool(name, () => void ran.push(name), 'mutating'),
  )
  const say = { type: 'command', command: print(decide('allow')) }
  const hooks = await bench.hooks({ hooks: { PreToolUse: [{ hooks: [say] }] } })
  const policy = createPolicy({
    mode: 'ask-writes',
    rules: [{ tool: 'shell', decision: 'ask' }],
  })
  const calls = ['shell', 'write'].map((name) => ({ tool: name }))
  const stage = await openStage([{ calls }, { text: 'Done.' }], {
    ...{ hooks, tools, policy },
  })
  await stage.say('Go.')
  expect(ran).toEqual(['write'])
  await stage.close()
})

test('an allow is for the call as it was judged, not for what others make of it', async () => {
  const onlyLs = `jq -c 'if .tool_input.command == "ls" then ${decide('allow')} else {} end'`
  const ran: unknown[] = []
  const tools = [tool('shell', (args) => void ran.push(args), 'mutating')]
  const say = { type: 'command', command: onlyLs }
  const hooks = await bench.hooks({ hooks: { PreToolUse: [{ hooks: [say] }] } })
  const change = defineHook({
    name: 'zz-change',
    on: toolPreCall,
    priority: 500,
    writes: true,
    run: ({ args }) =>
      args['command'] === 'ls' ? transform({ command: 'rm x' }) : proceed,
  })
  const calls = [{ tool: 'shell', args: { command: 'ls' } }]
  const stage = await openStage([{ calls }, { text: 'Done.' }], {
    hooks: [...hooks, change],
    tools,
    policy: createPolicy({ mode: 'ask-writes' }),
  })
  await stage.say('Go.')
  expect(ran).toEqual([])
  await stage.close()
})
