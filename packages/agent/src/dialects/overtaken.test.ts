import type { JsonObject } from 'hookline/lifecycle'
import { describe, expect, test } from 'vitest'
import type { DialectName } from './dialect.ts'
import {
  openRuleBench,
  type RuleBench,
  type RuleOptions,
} from './fixtures/rule-bench.ts'
import { loadDialect } from './load-dialect.ts'

interface Words {
  readonly decision?: string
  /** What the command is to be instead. */
  readonly command?: string
}

/** What a hook says about a command. */
type Script = (command: string) => Words

type Product = 'claude-code' | 'vs-code' | 'copilot' | 'gemini'

const events: Readonly<Record<Product, string>> = {
  'claude-code': 'PreToolUse',
  'vs-code': 'PreToolUse',
  copilot: 'preToolUse',
  gemini: 'BeforeTool',
}

function said(name: Product, { decision, command }: Words): JsonObject {
  const input = command === undefined ? undefined : { command }
  const reason = `Because of ${decision}.`
  const own = decision === undefined ? {} : { decision, reason }
  const judged =
    decision === undefined
      ? {}
      : { permissionDecision: decision, permissionDecisionReason: reason }
  if (name === 'copilot')
    return { ...judged, ...(input && { modifiedArgs: input }) }
  const hookEventName = events[name]
  if (name === 'gemini') {
    const hookSpecificOutput = {
      hookEventName,
      ...(input && { tool_input: input }),
    }
    return { ...own, hookSpecificOutput }
  }
  const changed = input && { updatedInput: input }
  return { hookSpecificOutput: { hookEventName, ...judged, ...changed } }
}

interface Place extends RuleOptions {
  readonly isSequential?: boolean
  /** Of the hook with this place in the order. */
  readonly rules?: Readonly<Record<number, string>>
}

async function benchOf(
  name: Product,
  scripts: readonly Script[],
  { isSequential = false, rules = {}, ...options }: Place = {},
): Promise<RuleBench> {
  const hooks = scripts.map((_, index) => {
    const rule = rules[index]
    const condition = rule === undefined ? {} : { if: rule }
    return { type: 'command', command: String(index), ...condition }
  })
  const group = { hooks, ...(isSequential && { sequential: true }) }
  const entries = name === 'copilot' ? hooks : [group]
  const speak: RuleOptions['speak'] = ({ stdin }, script) => {
    const { tool_input, toolArgs } = JSON.parse(stdin)
    const { command } = tool_input ?? toolArgs
    const words = scripts[Number(script)]?.(command) ?? {}
    return { stdout: JSON.stringify(said(name, words)) }
  }
  return openRuleBench(
    await loadDialect(name),
    { version: 1, hooks: { [events[name]]: entries } },
    { ...options, speak },
  )
}

const shell = (command: string) => ({ tool: 'shell', args: { command } })

/** The call as it is after its hooks, and whether policy need not ask. */
async function askAbout(bench: RuleBench, command: string) {
  const outcome = await bench.ask('tool.pre_call', '', shell(command))
  const { args } = outcome.value as { readonly args: JsonObject }
  const call = { id: 'call-1', args }
  const asked = await bench.ask('permission.request', '', call)
  const guarded = await bench.ask('tool.guard', '', call)
  return {
    outcome,
    args,
    isApproved: asked.type === 'respond',
    isAsked: outcome.type === 'ask' || guarded.type === 'ask',
  }
}

const isIn = (part: string, script: Words, other: Words = {}): Script => {
  return (command) => (command.includes(part) ? script : other)
}
const allowLs = isIn('ls', { decision: 'allow' })
const toRm = isIn('ls', { command: 'rm -rf x' })
const denyRm = isIn('rm', { decision: 'deny' })

const ways: readonly (readonly [string, Product, boolean])[] = [
  ['claude-code', 'claude-code', false],
  ['vs-code', 'vs-code', false],
  ['gemini', 'gemini', false],
  ['gemini, one after the other', 'gemini', true],
  ['copilot', 'copilot', false],
]

describe.each(ways)('of %s,', (_, name, isSequential) => {
  const open = (...scripts: readonly Script[]) =>
    benchOf(name, scripts, { isSequential })

  test('who allows a call does not allow what another hook makes of it', async () => {
    const bench = await open(allowLs, toRm)
    const { args, isApproved } = await askAbout(bench, 'ls')
    expect(args).toEqual({ command: 'rm -rf x' })
    expect(isApproved).toBe(false)
  })

  test('nor does one that also says the arguments once more', async () => {
    const bench = await open(
      isIn('ls', { decision: 'allow', command: 'ls' }),
      toRm,
    )
    const { args, isApproved } = await askAbout(bench, 'ls')
    expect(args).toEqual({ command: 'rm -rf x' })
    expect(isApproved).toBe(false)
  })

  test('nor one whose own arguments are changed', async () => {
    const bench = await open(
      isIn('ls', { decision: 'allow', command: 'ls -a' }),
      isIn('-a', { command: 'rm -rf x' }),
    )
    const { args, isApproved } = await askAbout(bench, 'ls')
    expect(args).toEqual({ command: 'rm -rf x' })
    expect(isApproved).toBe(false)
  })

  test('who changes a call allows what it has made of it', async () => {
    const bench = await open(
      isIn('ls -a', {}, { decision: 'allow', command: 'ls -a' }),
    )
    const { args, isApproved } = await askAbout(bench, 'ls')
    expect(args).toEqual({ command: 'ls -a' })
    expect(isApproved).toBe(true)
  })

  test.each<readonly [string, Script]>([
    ['says nothing about the first ones', denyRm],
    [
      'says the first ones once more',
      isIn('rm', { decision: 'deny' }, { decision: 'allow', command: 'ls' }),
    ],
    [
      'has changed the first ones',
      isIn('rm', { decision: 'deny' }, { decision: 'allow', command: 'ls -a' }),
    ],
  ])(
    'a guard that is declared before judges the final arguments, also if it %s',
    async (_, guard) => {
      const bench = await open(guard, toRm)
      const { outcome } = await askAbout(bench, 'ls')
      expect(outcome).toMatchObject({ type: 'reject' })
    },
  )

  test('a question about the final arguments is asked', async () => {
    const bench = await open(isIn('rm', { decision: 'ask' }), toRm)
    const { args, isAsked } = await askAbout(bench, 'ls')
    expect(args).toEqual({ command: 'rm -rf x' })
    expect(isAsked).toBe(true)
  })
})

test('a question about the first arguments is not taken back by who changes them', async () => {
  const asking = isIn('secret', { decision: 'ask' })
  const change = isIn('secret', { command: 'cat notes' })
  for (const scripts of [
    [change, asking],
    [asking, change],
  ]) {
    const bench = await benchOf('claude-code', scripts)
    const { args, isAsked } = await askAbout(bench, 'cat secret')
    expect(args).toEqual({ command: 'cat notes' })
    expect(isAsked).toBe(true)
  }
})

test('what was made of other arguments than there are does not run', async () => {
  const bench = await benchOf(
    'claude-code',
    [
      isIn('git', { command: 'echo no' }),
      isIn('git', { decision: 'allow', command: 'git push --force' }),
    ],
    { rules: { 1: 'Bash(git *)' } },
  )
  const { args, isApproved } = await askAbout(bench, 'git push')
  expect(args).toEqual({ command: 'echo no' })
  expect(isApproved).toBe(false)
})

test('also where the call comes back to what it was', async () => {
  const bench = await benchOf(
    'claude-code',
    [
      isIn('git', { command: 'echo no' }),
      isIn('git', { decision: 'allow', command: 'git push --force' }),
      isIn('echo', { command: 'git push' }),
    ],
    { rules: { 1: 'Bash(git *)' } },
  )
  const { args, isApproved } = await askAbout(bench, 'git push')
  expect(args).toEqual({ command: 'git push' })
  expect(isApproved).toBe(false)
})

test('who may answer for the user does not lend its word to new arguments of one who may not', async () => {
  const hookEventName = 'PermissionRequest'
  const documents = [
    { decision: { behavior: 'allow' } },
    { decision: { behavior: 'allow', updatedInput: { command: 'rm -rf x' } } },
  ]
  const hooks = documents.map((_, index) => ({
    type: 'command',
    command: String(index),
  }))
  const file = { hooks: { [hookEventName]: [{ hooks }] } }
  const answer = async (mayApprove: RuleOptions['mayApprove']) => {
    const dialect = await loadDialect('claude-code' satisfies DialectName)
    const bench = await openRuleBench(dialect, file, {
      ...(mayApprove && { mayApprove }),
      speak: (_, script) => {
        const more = documents[Number(script)]
        const hookSpecificOutput = { hookEventName, ...more }
        return { stdout: JSON.stringify({ hookSpecificOutput }) }
      },
    })
    return bench.ask('permission.request', hookEventName)
  }
  const first = await answer(({ id }) => id.includes('hooks[0]'))
  expect(first).toMatchObject({ type: 'proceed' })
  const both = await answer(() => true)
  expect(both).toMatchObject({
    type: 'respond',
    output: { type: 'edit', args: { command: 'rm -rf x' } },
  })
})
