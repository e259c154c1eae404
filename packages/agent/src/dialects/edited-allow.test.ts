import { describe, expect, test } from 'vitest'
import type { DialectName } from './dialect.ts'
import { fileOf } from './fixtures/hook-files.ts'
import { openRuleBench } from './fixtures/rule-bench.ts'
import { loadDialect } from './load-dialect.ts'

/** What comes of what a hook prints when it is asked about a call. */
async function permit(name: DialectName, event: string, document: object) {
  const dialect = await loadDialect(name)
  const file = fileOf[name](event, 'x', {})
  const speak = () => ({ stdout: JSON.stringify(document) })
  const bench = await openRuleBench(dialect, file, {
    mayApprove: () => true,
    speak,
  })
  const outcomes = [
    await bench.ask('tool.pre_call', event),
    await bench.ask('permission.request', event),
  ]
  return JSON.stringify(
    outcomes.map(({ type, ...rest }) => ({ type, ...rest })),
  )
}

const other = { command: 'pwd' }
const claudes = (hookEventName: string, specific: object) => ({
  hookSpecificOutput: { hookEventName, ...specific },
})

describe('who allows a call with other arguments', () => {
  test.each<[DialectName, string, object]>([
    [
      'claude-code',
      'PermissionRequest',
      claudes('PermissionRequest', {
        decision: { behavior: 'allow', updatedInput: 'pwd' },
      }),
    ],
    [
      'claude-code',
      'PermissionRequest',
      claudes('PermissionRequest', {
        decision: { behavior: 'allow', updatedInput: ['pwd'] },
      }),
    ],
    [
      'codex',
      'PermissionRequest',
      claudes('PermissionRequest', {
        decision: { behavior: 'allow', updatedInput: other },
      }),
    ],
    [
      'copilot',
      'preToolUse',
      {
        permissionDecision: 'allow',
        ...claudes('PreToolUse', { updatedInput: other }),
      },
    ],
    [
      'copilot',
      'permissionRequest',
      { behavior: 'allow', modifiedArgs: other },
    ],
    [
      'copilot',
      'PermissionRequest',
      claudes('PermissionRequest', {
        decision: { behavior: 'allow', updatedInput: other },
      }),
    ],
    [
      'cursor',
      'beforeShellExecution',
      { permission: 'allow', updated_input: other },
    ],
  ])('allows none where they do not count, in %s at %s: %j', async (...at) => {
    expect(await permit(...at)).not.toContain('"type":"allow"')
  })

  test.each<[DialectName, string, object]>([
    [
      'claude-code',
      'PermissionRequest',
      claudes('PermissionRequest', { decision: { behavior: 'allow' } }),
    ],
    ['copilot', 'preToolUse', { permissionDecision: 'allow' }],
    ['copilot', 'permissionRequest', { behavior: 'allow' }],
    ['cursor', 'beforeShellExecution', { permission: 'allow' }],
  ])('allows it without them, in %s at %s: %j', async (...at) => {
    expect(await permit(...at)).toContain('"type":"allow"')
  })
})
