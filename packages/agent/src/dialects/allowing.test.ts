import type { Outcome } from 'hookline'
import { describe, expect, test } from 'vitest'
import type { DialectName } from './dialect.ts'
import { codesOf } from './fixtures/hook-bench.ts'
import { openRuleBench } from './fixtures/rule-bench.ts'
import { loadDialect } from './load-dialect.ts'

interface Place {
  readonly name: DialectName
  readonly event: string
}

interface Judged {
  /** Whether nobody needs to be asked any more. */
  readonly isAllowed: boolean
  readonly codes: readonly string[]
}

/** What comes of a call, and of the question about it, when a hook says this. */
async function judge({ name, event }: Place, said: object): Promise<Judged> {
  const entry = { type: 'command', command: 'x' }
  const isFlat = name === 'cursor' || name === 'copilot'
  const hooks = { [event]: [isFlat ? entry : { hooks: [entry] }] }
  const file = { version: 1, hooks }
  const bench = await openRuleBench(await loadDialect(name), file, {
    speak: () => ({ stdout: JSON.stringify(said) }),
  })
  const before = await bench.ask('tool.pre_call', event)
  const asked = await bench.ask('permission.request', event)
  expect(before.type).toBe('proceed')
  return {
    isAllowed: isAllowed(asked),
    codes: [...codesOf(before), ...codesOf(asked)],
  }
}

function isAllowed(asked: Outcome): boolean {
  if (asked.type === 'proceed') return false
  expect(asked).toMatchObject({ type: 'respond', output: { type: 'allow' } })
  return true
}

const command = { command: 'ls' }
/** What the call has already. */
const same = { command: 'ls -la', description: 'Lists.' }

function specific(hookEventName: string, more: object): object {
  return { hookSpecificOutput: { hookEventName, ...more } }
}

describe('an allow that comes with arguments which are not taken allows nothing', () => {
  test.each([
    ['claude-code', 'PermissionRequest', 'ls'],
    ['claude-code', 'PermissionRequest', [command]],
    ['copilot', 'permissionRequest', command],
    ['copilot', 'permissionRequest', 'ls'],
    ['copilot', 'PermissionRequest', command],
  ] as const)(
    'in the answer to a question, for %s at %s (%j)',
    async (name, event, updatedInput) => {
      const decision = { behavior: 'allow' }
      const place = { name, event }
      const plain = await judge(place, specific(event, { decision }))
      expect(plain.isAllowed).toBe(true)
      const said = specific(event, { decision: { ...decision, updatedInput } })
      const { isAllowed, codes } = await judge(place, said)
      expect(isAllowed).toBe(false)
      expect(codes).toContain(
        name === 'copilot' ? 'not-honoured' : 'failed-open',
      )
    },
  )

  const permissionDecision = 'allow'
  const inside = { permissionDecision, updatedInput: command }
  test.each([
    ['copilot', 'preToolUse', specific('PreToolUse', inside)],
    ['copilot', 'PreToolUse', specific('PreToolUse', inside)],
    ['copilot', 'preToolUse', { permissionDecision, updatedInput: command }],
    [
      'copilot',
      'preToolUse',
      {
        permissionDecision,
        ...specific('PreToolUse', { updatedInput: 'ls' }),
      },
    ],
    ['cursor', 'preToolUse', specific('PreToolUse', inside)],
    ['cursor', 'beforeShellExecution', specific('PreToolUse', inside)],
    [
      'cursor',
      'beforeShellExecution',
      { permission: 'allow', updated_input: command },
    ],
    ['cursor', 'preToolUse', { permission: 'allow', modifiedArgs: command }],
    [
      'gemini',
      'BeforeTool',
      {
        decision: 'allow',
        ...specific('BeforeTool', { updatedInput: command }),
      },
    ],
    [
      'claude-code',
      'PreToolUse',
      { decision: 'approve', updatedInput: command },
    ],
    [
      'vs-code',
      'PreToolUse',
      {
        modifiedArgs: command,
        ...specific('PreToolUse', { permissionDecision }),
      },
    ],
  ] as const)('for %s at %s (%j)', async (name, event, said) => {
    const { isAllowed, codes } = await judge({ name, event }, said)
    expect(isAllowed).toBe(false)
    expect(codes).toContain('not-honoured')
  })

  test('unless the hook says them in the words of the product, too', async () => {
    const place = { name: 'copilot', event: 'preToolUse' } as const
    const { isAllowed } = await judge(place, {
      permissionDecision,
      modifiedArgs: same,
      ...specific('PreToolUse', { ...inside, updatedInput: same }),
    })
    expect(isAllowed).toBe(true)
  })
})

describe('an allow that is said for another event allows nothing', () => {
  test.each([
    ['claude-code', 'PermissionRequest', 'PreToolUse'],
    ['codex', 'PermissionRequest', 'PreToolUse'],
    ['copilot', 'permissionRequest', 'PreToolUse'],
  ] as const)(
    'in the answer to a question, for %s at %s',
    async (name, event, other) => {
      const decision = { behavior: 'allow' }
      const place = { name, event }
      const own = await judge(
        place,
        specific('PermissionRequest', { decision }),
      )
      expect(own.isAllowed).toBe(true)
      const { isAllowed, codes } = await judge(
        place,
        specific(other, { decision }),
      )
      expect(isAllowed).toBe(false)
      expect(codes.some((code) => /^sloppy|^failed-open/.test(code))).toBe(true)
    },
  )

  test.each([
    ['claude-code', 'PreToolUse'],
    ['codex', 'PreToolUse'],
    ['vs-code', 'PreToolUse'],
    ['copilot', 'preToolUse'],
    ['copilot', 'PreToolUse'],
    ['cursor', 'preToolUse'],
    ['cursor', 'beforeShellExecution'],
  ] as const)('for %s at %s', async (name, event) => {
    const more = {
      permissionDecision: 'allow',
      // Codex takes it only with arguments.
      ...(name === 'codex' && { updatedInput: same }),
    }
    const place = { name, event }
    const own = await judge(place, specific('PreToolUse', more))
    expect(own.isAllowed).toBe(true)
    const { isAllowed, codes } = await judge(
      place,
      specific('PermissionRequest', more),
    )
    expect(isAllowed).toBe(false)
    expect(codes.some((code) => /^sloppy|^failed-open/.test(code))).toBe(true)
  })
})

describe('an allow is not for what another hook makes of the call', () => {
  const rewritten = { command: 'rm x' }
  /** One that allows only what the call has, or all, and one that changes it. */
  const say = (name: 'claude-code' | 'gemini', isPicky: boolean) => ({
    allow: (isOwn: boolean) => {
      if (isPicky && !isOwn) return {}
      return name === 'gemini'
        ? { decision: 'allow' }
        : specific('PreToolUse', { permissionDecision: 'allow' })
    },
    change: () =>
      name === 'gemini'
        ? specific('BeforeTool', { tool_input: rewritten })
        : specific('PreToolUse', { updatedInput: rewritten }),
  })

  test.each([
    ['claude-code', ['allow', 'change'], true, false],
    ['claude-code', ['change', 'allow'], true, false],
    // Who is asked again can refuse or ask, and no more.
    ['claude-code', ['allow', 'change'], false, false],
    ['claude-code', ['change', 'allow'], false, true],
    ['gemini', ['allow', 'change'], true, false],
    ['gemini', ['change', 'allow'], true, false],
    ['gemini', ['change', 'allow'], false, true],
  ] as const)(
    'in %s, of %j (it looks at the call: %s): allowed %s',
    async (name, commands, isPicky, expected) => {
      const event = name === 'gemini' ? 'BeforeTool' : 'PreToolUse'
      const hooks = commands.map((command) => ({ type: 'command', command }))
      const file = { hooks: { [event]: [{ sequential: true, hooks }] } }
      const words = say(name, isPicky)
      const bench = await openRuleBench(await loadDialect(name), file, {
        speak: ({ stdin }, script) => {
          const isOwn = stdin?.includes('ls -la') === true
          const said = script === 'allow' ? words.allow(isOwn) : words.change()
          return { stdout: JSON.stringify(said) }
        },
      })
      const { value } = await bench.ask('tool.pre_call', event)
      const { args } = Object(value)
      expect(args).toMatchObject(rewritten)
      const asked = await bench.ask('permission.request', event, { args })
      expect(isAllowed(asked)).toBe(expected)
    },
  )
})

test('T16 an allow that may not answer what is asked is on record', async () => {
  const hooks = [{ type: 'command', command: 'x' }]
  const dialect = await loadDialect('claude-code')
  const decision = { behavior: 'allow' }
  const bench = await openRuleBench(
    dialect,
    { hooks: { PermissionRequest: [{ hooks }] } },
    {
      speak: () => ({
        stdout: JSON.stringify(specific('PermissionRequest', { decision })),
      }),
      mayAnswer: () => false,
    },
  )
  const asked = await bench.ask('permission.request', 'PermissionRequest')
  expect(asked.type).toBe('proceed')
  expect(codesOf(asked)).toContain('not-honoured')
})
