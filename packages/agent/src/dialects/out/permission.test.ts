import {
  compileTable,
  createEngine,
  defineHook,
  type Hook,
  respond,
} from 'hookline'
import { permissionRequest } from 'hookline/lifecycle'
import { describe, expect, test } from 'vitest'
import type { DialectName } from '../dialect.ts'
import { answerAs } from './answer-as.ts'

interface Asking {
  readonly event?: string
  readonly input?: object
  readonly isStrict?: boolean
}

/** Our hooks, asked whether a call may be made. */
async function permit(
  dialect: DialectName,
  hooks: readonly Hook[],
  { event = 'PermissionRequest', input = rm, isStrict = false }: Asking = {},
) {
  const call =
    event === 'permissionRequest'
      ? { toolName: 'bash', toolArgs: input }
      : { tool_name: 'Bash', tool_input: input }
  const stdinJson = JSON.stringify({ hook_event_name: event, ...call })
  const engine = createEngine(compileTable(hooks))
  const reply = await answerAs(
    dialect,
    { event, stdinJson },
    { engine, isStrict },
  )
  return { ...reply, said: JSON.parse(reply.stdout || '{}') }
}

const rm = { command: 'rm -rf x' }

/** Agrees, but to something else. */
const list = defineHook({
  name: 'list',
  on: permissionRequest,
  capabilities: ['approve'],
  run: () => respond({ type: 'edit', args: { command: 'ls' } }),
})

describe('who agrees to other arguments than the product can be given', () => {
  test.each([
    ['codex', 'PermissionRequest'],
    ['copilot', 'permissionRequest'],
    ['copilot', 'PermissionRequest'],
  ] as const)('agrees to nothing, in %s at %s', async (dialect, event) => {
    const loose = await permit(dialect, [list], { event })
    expect(loose.stdout).not.toContain('allow')
    expect(loose.degradations).toMatchObject([
      { wanted: 'rewrite-args', instead: 'nothing' },
    ])
    const strict = await permit(dialect, [list], { event, isStrict: true })
    expect(strict.stdout).toContain('"deny"')
  })

  test('agrees to them where they can be given', async () => {
    const { said } = await permit('claude-code', [list])
    expect(said.hookSpecificOutput.decision).toEqual({
      behavior: 'allow',
      updatedInput: { command: 'ls' },
    })
  })
})
