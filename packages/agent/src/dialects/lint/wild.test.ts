import type { JsonObject } from 'hookline/lifecycle'
import { describe, expect, test } from 'vitest'
import { claudeCode } from '../claude-code/claude-code.ts'
import { copilot } from '../copilot/copilot.ts'
import { cursor } from '../cursor/cursor.ts'
import type { Dialect, PluginSource } from '../dialect.ts'
import type { Finding } from '../finding.ts'
import { gemini } from '../gemini/gemini.ts'
import { vsCode } from '../vs-code/vs-code.ts'
import { lintHookFile, type Script } from './lint-hook-file.ts'

// What hook files of strangers have shown: alarms about what works, and
// silence about what does not.

interface Case {
  readonly dialect?: Dialect
  readonly plugin?: PluginSource
  readonly scripts?: Readonly<Record<string, Partial<Script>>>
}

async function lint(
  hooks: JsonObject,
  { dialect = claudeCode, plugin, scripts = {} }: Case = {},
): Promise<readonly Finding[]> {
  return lintHookFile(JSON.stringify({ version: 1, hooks }), {
    dialect,
    file: 'hooks.json',
    projectDir: '/app',
    ...(plugin && { plugin }),
    async readScript(path) {
      const found = scripts[path]
      return found && { text: '#!/bin/sh\n', isExecutable: true, ...found }
    },
  })
}

const codesOf = (findings: readonly Finding[]) =>
  findings.map(({ severity, code }) => `${severity} ${code}`)

const group = (event: string, command: string, matcher?: string) => ({
  [event]: [
    {
      ...(matcher !== undefined && { matcher }),
      hooks: [{ type: 'command', command }],
    },
  ],
})

describe('where a script is', () => {
  const plugin = { name: 'p', root: '/plugins/p' }

  test.each([
    `bash "\${CLAUDE_PLUGIN_ROOT:-.}/x.sh"`,
    `bash "\${CLAUDE_PLUGIN_ROOT-.}/x.sh"`,
    `bash "\${CLAUDE_PLUGIN_ROOT}/x.sh"`,
    'bash "$CLAUDE_PLUGIN_ROOT/x.sh"',
  ])('%s is found', async (command) => {
    const hooks = group('PreToolUse', command, 'Bash')
    const scripts = { '/plugins/p/x.sh': {} }
    expect(await lint(hooks, { plugin, scripts })).toEqual([])
    expect(codesOf(await lint(hooks, { plugin }))).toEqual([
      'error missing-script',
    ])
  })

  test('it is looked for in the folder that the entry names', async () => {
    const preToolUse = [{ bash: './x.sh', cwd: 'tools' }]
    const scripts = { '/app/tools/x.sh': {} }
    const found = await lint({ preToolUse }, { dialect: copilot, scripts })
    expect(found).toEqual([])
  })

  test('other products have a variable for the project, too', async () => {
    const hooks = group('BeforeTool', '$GEMINI_PROJECT_DIR/x.sh', 'replace')
    const found = await lint(hooks, { dialect: gemini })
    expect(codesOf(found)).toEqual(['error missing-script'])
  })

  test('a relative path is no fault where commands begin in the project', async () => {
    const afterFileEdit = [{ command: './hooks/x.sh' }]
    const scripts = { '/app/hooks/x.sh': {} }
    expect(await lint({ afterFileEdit }, { dialect: cursor, scripts })).toEqual(
      [],
    )
  })
})

test('a hook that cannot begin blocks in some products', async () => {
  const scripts = { '/app/x.sh': { isExecutable: false } }
  const messageOf = async (hooks: JsonObject, dialect: Dialect) => {
    const [found] = await lint(hooks, { dialect, scripts })
    return found?.message
  }
  const one = { command: './x.sh' }
  const closed = { ...one, failClosed: true }
  expect(await messageOf({ preToolUse: [one] }, copilot)).toMatch(/is blocked/)
  expect(await messageOf({ postToolUse: [one] }, copilot)).toMatch(/goes on/)
  expect(await messageOf({ preToolUse: [closed] }, cursor)).toMatch(/blocked/)
  expect(await messageOf({ preToolUse: [one] }, cursor)).toMatch(/goes on/)
})

describe('a script', () => {
  const checked = async (text: string, event = 'PreToolUse') => {
    const scripts = { '/app/x': { text: `#!/bin/sh\n${text}\n` } }
    const hooks = group(event, '"$CLAUDE_PROJECT_DIR"/x')
    return codesOf(await lint(hooks, { scripts }))
  }

  test.each([
    'run "$@"\n[ -f a ] || exit 1\nexit $?',
    'for p in python3 python; do\n  exec $p "$@"\ndone\nexit 1',
    'if (failed) process.exit(1)\nprocess.exit(result.status)',
    'if bad: sys.exit(1)\nsys.exit(main())',
  ])(
    'hands on the code of another, and may block with it: %s',
    async (text) => {
      expect(await checked(text)).toEqual([])
    },
  )

  test('only redirects, and blocks with nothing', async () => {
    expect(await checked('exec 2>/dev/null\nexit 1')).toEqual([
      'warning exit-one',
    ])
  })

  test.each([
    [`data.get("tool_name") or data.get("toolName")`, []],
    ['input.tool_response ?? input.tool_output', []],
    ['input.toolName ? input.toolArgs : input.tool_input', []],
    [`data.get("toolName")`, ['warning no-such-field']],
    [`prompt = data["user_prompt"]`, ['warning no-such-field']],
  ])('reads fields of several products: %s', async (text, codes) => {
    expect(await checked(text)).toEqual(codes)
  })

  test.each([
    ['echo "no commands that ask (read -p, select)"', []],
    ['echo "not from /dev/tty"', []],
    ['read -p "Sure?" answer', ['warning no-terminal']],
    ['if true; then read -rp "Sure?" a; fi', ['warning no-terminal']],
    ['read answer < /dev/tty', ['warning no-terminal']],
  ])('speaks of a terminal, or wants one: %s', async (text, codes) => {
    expect(await checked(text)).toEqual(codes)
  })

  test('blocks what never happens here, which is all that is said', async () => {
    expect(await checked('exit 2', 'ConfigChange')).toEqual([
      'warning never-fires',
    ])
  })
})

test.each([
  [`jq -r '.toolInput // empty'`, ['warning no-such-field']],
  [`jq -r '.userMessage // .prompt'`, []],
  [`jq -r '.toolArgs'`, []],
])('a script of Copilot: %s', async (text, codes) => {
  const scripts = { '/app/x.sh': { text: `#!/bin/sh\n${text}\n` } }
  const preToolUse = [{ bash: './x.sh' }]
  const found = await lint({ preToolUse }, { dialect: copilot, scripts })
  expect(codesOf(found)).toEqual(codes)
})

test.each([
  ['preToolUse', copilot],
  ['PreToolUse', copilot],
  ['PreToolUse', vsCode],
])('arguments that nobody reads are found: %s', async (event, dialect) => {
  const entry = { command: 'true', args: ['x'] }
  const found = await lint({ [event]: [entry] }, { dialect })
  expect(codesOf(found)).toEqual(['warning unknown-key'])
})

test('a star is everything under a name of Claude Code’s, and nothing else', async () => {
  const entry = [{ command: 'true', matcher: '*' }]
  const own = await lint({ preToolUse: entry }, { dialect: copilot })
  expect(codesOf(own)).toEqual(['error bad-matcher'])
  expect(await lint({ PreToolUse: entry }, { dialect: copilot })).toEqual([])
})

describe('a matcher', () => {
  const matched = (event: string, matcher: string) =>
    lint(group(event, 'true', matcher))

  test('one value that never comes is only a note beside others', async () => {
    const found = await matched('SessionStart', 'startup|clear|compact')
    expect(codesOf(found)).toEqual(['note matcher-value'])
    expect(codesOf(await matched('SessionStart', 'clear'))).toEqual([
      'warning matcher-value',
    ])
  })

  test.each([
    ['tool == "Edit" || tool == "Write"', 'fits every tool'],
    ['tool == "Edit" && true', 'fits no tool'],
  ])('%s %s', async (matcher, effect) => {
    const [found] = await matched('PreToolUse', matcher)
    expect(found?.code).toBe('matcher-expression')
    expect(found?.message).toContain(effect)
  })

  test('the name of an event is no name of an agent', async () => {
    expect(codesOf(await matched('SubagentStop', 'Stop'))).toEqual([
      'warning matcher-value',
    ])
    expect(await matched('SubagentStop', 'reviewer')).toEqual([])
  })
})

test('a label of the author is a note, a slip of the pen a warning', async () => {
  const entry = { type: 'command', command: 'true' }
  const labelled = [{ id: 'my-guard', hooks: [entry] }]
  const slipped = [{ hooks: [{ ...entry, timeuot: 5 }] }]
  expect(codesOf(await lint({ Stop: labelled }))).toEqual(['note unknown-key'])
  expect(codesOf(await lint({ Stop: slipped }))).toEqual([
    'warning unknown-key',
  ])
})
