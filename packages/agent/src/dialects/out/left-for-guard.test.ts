import {
  compileTable,
  createEngine,
  defineHook,
  type Hook,
  reject,
  transform,
} from 'hookline'
import { toolGuard, toolPreCall } from 'hookline/lifecycle'
import { describe, expect, test } from 'vitest'
import type { DialectName } from '../dialect.ts'
import { openRuleBench } from '../fixtures/rule-bench.ts'
import { loadDialect } from '../load-dialect.ts'
import { answerAs } from './answer-as.ts'

/** What a script of ours, written for Claude Code, says of a command. */
type Script = (command: string) => object

async function engineOf(script: Script, others: readonly Hook[] = []) {
  const { hooks } = await openRuleBench(
    await loadDialect('claude-code'),
    { hooks: { PreToolUse: [{ hooks: [{ type: 'command', command: 'x' }] }] } },
    {
      speak({ stdin = '' }) {
        const { tool_input: input } = JSON.parse(`${stdin}`)
        return { stdout: JSON.stringify(script(input.command)) }
      },
    },
  )
  const engine = createEngine(compileTable([...hooks, ...others]))
  return async (
    dialect: DialectName,
    event: string,
    more: Readonly<Record<string, unknown>>,
  ) => {
    const told = { hook_event_name: event, session_id: 's', ...more }
    const request = { event, stdinJson: JSON.stringify(told) }
    const { stdout } = await answerAs(dialect, request, { engine })
    return JSON.parse(stdout || '{}')
  }
}

const shell = (command: string) => ({
  tool_name: 'Bash',
  tool_input: { command },
})
const into = (command: string): Hook =>
  defineHook({
    name: 'zz-into',
    on: toolPreCall,
    priority: 500,
    writes: true,
    run: () => transform({ command }),
  })
const halt = { continue: false, stopReason: 'Halt.' }
const wary = {
  hookSpecificOutput: {
    hookEventName: 'PreToolUse',
    permissionDecision: 'ask',
    permissionDecisionReason: 'Sure?',
    updatedInput: { command: 'unlink y' },
  },
}
const about =
  (word: string, said: object): Script =>
  (command) =>
    command.includes(word) ? said : {}

describe('what a gate that is asked again leaves for the guard', () => {
  test('is heard where it ends the turn', async () => {
    const tell = await engineOf(about('unlink', halt), [into('unlink x')])
    const said = await tell('claude-code', 'PreToolUse', shell('ls'))
    expect(said.hookSpecificOutput).toEqual({
      hookEventName: 'PreToolUse',
      permissionDecision: 'deny',
      permissionDecisionReason: 'Halt.',
    })
  })

  test('is heard where it asks beside new arguments', async () => {
    const tell = await engineOf(about('unlink', wary), [into('unlink x')])
    const said = await tell('claude-code', 'PreToolUse', shell('ls'))
    expect(said.hookSpecificOutput).toMatchObject({
      permissionDecision: 'ask',
      permissionDecisionReason: 'Sure?',
      updatedInput: { command: 'unlink x' },
    })
  })
})

describe('what was said about a call once', () => {
  const git = {
    tool_name: 'run_shell_command',
    tool_input: { command: 'git push' },
  }

  test.each([
    ['a stop', halt, halt],
    ['a question', wary, { decision: 'ask', reason: 'Sure?' }],
  ])('is not said of the same call later: %s', async (_, said, heard) => {
    let isFrozen = true
    const tell = await engineOf(() => (isFrozen ? said : {}))
    const first = await tell('gemini', 'BeforeTool', git)
    expect(first).toMatchObject(heard)
    isFrozen = false
    expect(await tell('gemini', 'BeforeTool', git)).toEqual({})
  })

  test('an approval is over with the prompt, also where no turn is named', async () => {
    const allow = {
      hookSpecificOutput: {
        hookEventName: 'PreToolUse',
        permissionDecision: 'allow',
      },
    }
    const tell = await engineOf(() => allow)
    const call = shell('ls')
    await tell('claude-code', 'PreToolUse', call)
    const permitted = await tell('claude-code', 'PermissionRequest', call)
    expect(permitted.hookSpecificOutput.decision.behavior).toBe('allow')
    await tell('claude-code', 'UserPromptSubmit', { prompt: 'Go on.' })
    expect(await tell('claude-code', 'PermissionRequest', call)).toEqual({})
  })
})

describe('a change that the product cannot be given', () => {
  const rm = { command: 'rm -rf x' }
  const noRm = defineHook({
    name: 'no-rm',
    on: toolGuard,
    match: { args: { command: 'rm*' } },
    run: () => reject('Never.'),
  })
  const gate = defineHook({
    name: 'gate',
    on: toolPreCall,
    priority: 600,
    match: { args: { command: 'rm*' } },
    run: () => reject('Never.'),
  })

  test.each([
    ['a guard', noRm],
    ['a gate after it', gate],
  ])('leaves the call as it was to %s', async (_, judge) => {
    const tell = await engineOf(() => ({}), [into('ls'), judge])
    const said = await tell('cursor', 'beforeShellExecution', rm)
    expect(said).toMatchObject({ permission: 'deny', agent_message: 'Never.' })
  })

  test('is judged as it would have been where nobody minds', async () => {
    const tell = await engineOf(() => ({}), [into('ls')])
    expect(await tell('cursor', 'beforeShellExecution', rm)).toEqual({})
  })
})
