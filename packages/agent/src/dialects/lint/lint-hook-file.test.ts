import { join } from 'node:path'
import type { JsonObject } from 'hookline/lifecycle'
import { describe, expect, test } from 'vitest'
import { claudeCode } from '../claude-code/claude-code.ts'
import { loadDialect } from '../load-dialect.ts'
import { lintHookFile, type Script } from './lint-hook-file.ts'
import { readScript } from './read-script.ts'

const projectDir = '/srv/app'

/** The codes that are found in a file with these hooks. */
async function codesOf(
  hooks: JsonObject,
  scripts?: Readonly<Record<string, Partial<Script>>>,
): Promise<readonly string[]> {
  const findings = await lintHookFile(JSON.stringify({ hooks }, undefined, 2), {
    dialect: claudeCode,
    file: 'settings.json',
    projectDir,
    ...(scripts && {
      readScript: async (path: string) => {
        const found = scripts[path.slice(projectDir.length + 1)]
        return found && { text: '#!/bin/sh\n', isExecutable: true, ...found }
      },
    }),
  })
  return findings.map(({ code }) => code)
}

const run = (more: JsonObject = {}) => ({
  type: 'command',
  command: 'true',
  ...more,
})
const at = (event: string, entry: JsonObject, matcher?: string) => ({
  [event]: [{ ...(matcher !== undefined && { matcher }), hooks: [entry] }],
})
const matching = (matcher: string, event = 'PreToolUse') =>
  codesOf(at(event, run(), matcher))
const running = (command: string, event = 'PreToolUse') =>
  codesOf(
    at(event, run({ command }), event === 'PreToolUse' ? 'Bash' : undefined),
  )

describe('a matcher', () => {
  test.each([
    ['Bash', []],
    ['Edit|Write', []],
    ['mcp__memory__.*', []],
    ['.*', []],
    ['bash', ['tool-name-case']],
    ['Edit|write', ['tool-name-case']],
    ['Bsh', ['unknown-tool']],
    ['Bash || Edit', ['empty-alternative']],
    ['Bash.*||Edit', ['empty-alternative']],
    ['mcp__memory', ['mcp-server-only']],
    ['mcp__*', ['glob-matcher']],
    ['Notebook*', ['glob-matcher']],
    ['*.ts', ['file-matcher']],
    ['src/**', ['file-matcher']],
    ['[', ['bad-matcher']],
    ['tool == "Edit"', ['matcher-expression']],
    ['Bash(git *)', ['rule-in-matcher']],
    ['(?!Read)Bash', ['regex-not-linear']],
    ['Edit.*', ['not-anchored']],
  ])('%s: %j', async (matcher, codes) => {
    expect(await matching(matcher)).toEqual(codes)
  })

  test.each([
    ['SessionStart', 'startup|compact', []],
    ['SessionStart', 'clear', ['matcher-value']],
    ['SessionStart', 'start', ['matcher-value']],
    ['Notification', 'idle_prompt', ['matcher-value']],
    ['Notification', 'permission_prompt', []],
    ['UserPromptSubmit', 'deploy', ['matcher-ignored']],
    ['Stop', '*', []],
    ['PostToolBatch', 'Bash', ['matcher-ignored']],
    ['SubagentStop', 'reviewer', []],
  ])('at %s, %s: %j', async (event, matcher, codes) => {
    expect(await matching(matcher, event)).toEqual(codes)
  })
})

describe('an entry', () => {
  test.each([
    [at('PreToolUse', run({ if: 'Bash(git *)' }), 'Bash'), []],
    [at('Stop', run({ if: 'Bash(git *)' })), ['if-never']],
    [at('PreToolUse', run({ if: 'git push' }), 'Bash'), ['bad-if']],
    [at('PreToolUse', run({ if: 'Bash(git *)' }), 'Edit'), ['if-mismatch']],
    [at('Stop', run({ timeout: 60000 })), ['timeout-unit']],
    [at('Stop', run({ timeout: '30' })), ['bad-timeout']],
    [at('Stop', run({ timeout: 300 })), []],
    [at('Stop', run({ once: true })), ['once-ignored']],
    [at('PreToolUse', run({ async: true })), ['async-gate']],
    [at('Stop', run({ onFailure: 'block' })), ['on-failure-ignored']],
    [at('PreToolUse', run({ onFailure: 'block' })), []],
    [at('PreToolUse', run({ onFailure: 'deny' })), ['bad-value']],
    [at('PreToolUse', run({ timeOut: 3 })), ['unknown-key']],
    [at('PreToolUse', { type: 'comand', command: 'x' }), ['no-handler']],
    [
      at('PreToolUse', { type: 'command', cmd: 'x' }),
      ['no-handler', 'unknown-key'],
    ],
    [at('PreToolUse', { type: 'agent', prompt: 'x' }), ['no-handler']],
    [
      at('SessionStart', { type: 'http', url: 'https://x.io' }),
      ['handler-event'],
    ],
    [at('SessionEnd', { type: 'prompt', prompt: 'x' }), ['handler-event']],
    [
      at('Stop', {
        type: 'http',
        url: 'https://x.io',
        headers: { a: '$TOKEN' },
      }),
      ['header-variable'],
    ],
    [{ PreTooluse: [] }, ['unknown-event']],
    [{ preToolUse: [] }, ['unknown-event']],
    [{ TeammateIdle: [{ hooks: [run()] }] }, ['never-fires']],
    [{ Stop: [run()] }, ['wrong-shape', 'unknown-key', 'unknown-key']],
    [
      { Stop: [{ matcher: { tools: ['Bash'] }, hooks: [run()] }] },
      ['wrong-shape'],
    ],
    [{ Stop: [{ hooks: [run(), run()] }] }, ['duplicate-handler']],
    [{ Stop: [{ hooks: [run(), { ...run(), timeout: 9 }] }] }, []],
    [
      { PreToolUse: [{ hooks: [run(), run({ async: false })] }] },
      ['duplicate-handler'],
    ],
    [
      { PreToolUse: [{ hooks: [run(), run({ timeout: 600 })] }] },
      ['duplicate-handler'],
    ],
  ] as const)('%j: %j', async (hooks, codes) => {
    expect(await codesOf(hooks as unknown as JsonObject)).toEqual(codes)
  })

  test('beside "hooks" is found, with its place and what to write', async () => {
    const text = '{\n  "PreToolUse": [],\n  "hooks": {}\n}'
    const [finding] = await lintHookFile(text, {
      dialect: claudeCode,
      file: 'a.json',
    })
    expect(finding).toMatchObject({
      severity: 'error',
      code: 'misplaced-event',
      file: 'a.json',
      place: { line: 2, column: 3 },
    })
    expect(finding?.suggestion).toContain('"hooks": { "PreToolUse"')
  })
})

describe('a command', () => {
  test.each([
    ['"$CLAUDE_PROJECT_DIR"/x.sh', []],
    ['DIR=$CLAUDE_PROJECT_DIR; "$DIR"/x', []],
    ['$CLAUDE_PROJECT_DIR/x.sh', ['unquoted-variable']],
    [`\${CLAUDE_PROJECT_DIR}/x.sh`, ['unquoted-variable']],
    ['bash -lc "x"', ['login-shell']],
    ['echo "$CLAUDE_TOOL_INPUT"', ['no-such-variable']],
    ['prettier --write "$CLAUDE_FILE_PATHS"', ['no-such-variable']],
    ['"~/hooks/x.sh"', ['quoted-tilde']],
    ['bash .claude/hooks/x.sh', ['relative-script']],
    ['sudo chown me x', ['no-terminal']],
  ])('%s: %j', async (command, codes) => {
    expect(await running(command)).toEqual(codes)
  })

  test.each([
    ['grep -q x && exit 1', 'PreToolUse', ['exit-one']],
    ['grep -q x && exit 1', 'Notification', []],
    ['grep -q x && { echo no >&2; exit 2; }', 'PreToolUse', []],
    ['grep -q x && { echo no; exit 2; }', 'PreToolUse', ['silent-block']],
    ['exit 2', 'SessionStart', ['exit-two-idle']],
    [
      `echo '{"decision":"block","reason":"x"}' >&2; exit 2`,
      'PreToolUse',
      ['json-on-stderr'],
    ],
    [`echo '{"decision":"block","reason":"x"}'`, 'Stop', ['stop-loop']],
    ['jq -r .tool_output', 'PostToolUse', []],
    [`jq -r '.tool_output'`, 'PostToolUse', ['no-such-field']],
    [`echo '{"decision":"deny","reason":"x"}'`, 'PreToolUse', ['old-decision']],
    [
      `echo '{"hookSpecificOutput":{"permissionDecision":"deny"}}'`,
      'PreToolUse',
      ['sloppy-output'],
    ],
    [
      `echo '{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"block"}}'`,
      'PreToolUse',
      ['bad-output'],
    ],
    [
      `echo '{"hookSpecificOutput":{"hookEventName":"PreToolUse","systemMessage":"x"}}'`,
      'PreToolUse',
      ['sloppy-output'],
    ],
    [
      `echo '{"hookSpecificOutput":{"hookEventName":"PreToolUse","additionalContext":"x"}}'`,
      'PostToolUse',
      ['other-event'],
    ],
  ])('%s at %s: %j', async (command, event, codes) => {
    expect(await running(command, event)).toEqual(codes)
  })

  test('with args is not read by a shell', async () => {
    const entry = run({ command: 'node x.js | tee', args: [] })
    expect(await codesOf(at('Stop', entry))).toEqual(['exec-form', 'exec-form'])
  })
})

describe('a script', () => {
  const checked = (
    command: string,
    scripts: Readonly<Record<string, Partial<Script>>>,
  ) => codesOf(at('PreToolUse', run({ command }), 'Bash'), scripts)
  const mine = '"$CLAUDE_PROJECT_DIR"/x.sh'

  test.each([
    [mine, { 'x.sh': {} }, []],
    [mine, {}, ['missing-script']],
    ['python3 "$CLAUDE_PROJECT_DIR/x.py"', {}, ['missing-script']],
    [mine, { 'x.sh': { isExecutable: false } }, ['not-executable']],
    [mine, { 'x.sh': { text: 'exit 0' } }, ['no-shebang']],
    [mine, { 'x.sh': { text: '#!/bin/sh\r\nexit 0\r\n' } }, ['line-ends']],
    [mine, { 'x.sh': { text: '#!/bin/sh\nexit 1' } }, ['exit-one']],
    [
      'python3 "$CLAUDE_PROJECT_DIR/x.py"',
      { 'x.py': { text: 'sys.exit(1)' } },
      ['exit-one'],
    ],
    [
      'node "$CLAUDE_PROJECT_DIR/x.mjs"',
      { 'x.mjs': { text: 'process.exit(1)' } },
      ['exit-one'],
    ],
    [
      'bash "$CLAUDE_PROJECT_DIR/x.sh"',
      { 'x.sh': { text: 'true', isExecutable: false } },
      [],
    ],
    ['jq -r .x | tee log', {}, []],
  ])('%s with %j: %j', async (command, scripts, codes) => {
    expect(await checked(command, scripts)).toEqual(codes)
  })
})

test('the mistakes of a file are all found, with their lines', async () => {
  const folder = join(import.meta.dirname, '../claude-code/corpus/mistakes')
  const file = join(folder, '.claude/settings.json')
  const { text = '' } = (await readScript(file)) ?? {}
  const findings = await lintHookFile(text, {
    dialect: claudeCode,
    file,
    projectDir: folder,
    readScript,
  })
  const found = findings.map(({ place, code }) => `${place.line} ${code}`)
  expect(found).toEqual([
    '6 tool-name-case',
    '6 silent-block',
    '11 timeout-unit',
    '11 relative-script',
    '11 exit-one',
    '16 relative-script',
    '16 missing-script',
    '17 no-handler',
    '25 matcher-ignored',
    '25 if-never',
    '29 unknown-event',
    '30 never-fires',
  ])
  for (const { message } of findings) expect(message).toMatch(/^[A-Z"].*[.?]$/s)
})

test.each([
  'block-dangerous',
  'protect-files',
  'commit-message',
  'stop-tests',
  'typescript-guard',
  'session-context',
  'prompt-guard',
])('what works has no errors: %s', async (name) => {
  const folder = join(import.meta.dirname, '../claude-code/corpus', name)
  const file = join(folder, '.claude/settings.json')
  const { text = '' } = (await readScript(file)) ?? {}
  const options = { dialect: claudeCode, file, projectDir: folder, readScript }
  const findings = await lintHookFile(text, options)
  expect(findings.filter(({ severity }) => severity === 'error')).toEqual([])
})

test.each([
  ['gemini', 'BeforeTool', 1],
  ['codex', 'PreToolUse', 0],
  ['vs-code', 'PreToolUse', 0],
] as const)(
  'the same command twice is told where %s runs it once',
  async (name, event, count) => {
    const hooks = [run(), run({ timeout: 9 })]
    const text = JSON.stringify({ hooks: { [event]: [{ hooks }] } })
    const dialect = await loadDialect(name)
    const findings = await lintHookFile(text, { dialect, file: 'a' })
    const told = findings.filter(({ code }) => code === 'duplicate-handler')
    expect(told).toHaveLength(count)
  },
)

test('a file that is no hook file at all is one finding', async () => {
  const lint = (text: string) =>
    lintHookFile(text, { dialect: claudeCode, file: 'a' })
  expect(await lint('')).toMatchObject([
    { code: 'not-json', place: { line: 1 } },
  ])
  expect((await lint('{"hooks": {]'))[0]).toMatchObject({ code: 'not-json' })
  const code = 'not-an-object'
  expect(await lint('{"hooks": []}')).toMatchObject([{ code }])
  expect(await lint('[]')).toMatchObject([{ code }])
  expect(await lint(`{"hooks": ${'['.repeat(200_000)}`)).not.toEqual([])
})
