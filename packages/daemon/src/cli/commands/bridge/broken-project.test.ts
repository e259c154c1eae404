import { chmodSync, mkdirSync } from 'node:fs'
import { expect, test } from 'vitest'
import { stageForEach } from '../../fixtures/stage.ts'
import { runCommand } from '../../fixtures/terminal.ts'

const stage = stageForEach()

const place = /hooks\.yaml:2:\d+: .*tool\.gaurd.*hookline hooks lint/

function bridge(dialect: string, stdin: object, ...words: string[]) {
  const input = JSON.stringify(stdin)
  return runCommand(stage.project, ['bridge', dialect, ...words], { input })
}

function breakHooks() {
  stage.project.write(
    '.hookline/hooks.yaml',
    "hooks:\n  - { name: guard, on: tool.gaurd, handler: { type: command, shell: 'exit 2' } }\n",
  )
}

const told = (event: string, tool = 'Bash') => ({
  session_id: 's1',
  hook_event_name: event,
  tool_name: tool,
  tool_input: { command: 'ls' },
})
const copilots = { toolName: 'bash', toolArgs: '{"command":"ls"}' }

test.each([
  ['claude-code', told('PreToolUse'), [], 'permissionDecision'],
  ['codex', told('PreToolUse'), [], 'permissionDecision'],
  ['vs-code', told('PreToolUse', 'run_in_terminal'), [], 'permissionDecision'],
  ['gemini', told('BeforeTool', 'run_shell_command'), [], 'decision'],
  ['cursor', told('preToolUse', 'Shell'), [], 'permission'],
  ['copilot', copilots, ['--event', 'preToolUse'], 'permissionDecision'],
])(
  'T15 a hook file that is wrong denies calls of %s in its own words',
  async (dialect, stdin, words, key) => {
    breakHooks()
    const { code, stdout } = await bridge(dialect, stdin, ...words)
    expect(code).toBe(0)
    expect(stdout).toContain(`"${key}":"deny"`)
    expect(stdout).toMatch(place)
  },
)

test('T15 a daemon that goes on without a hook file that is wrong denies, too', async () => {
  breakHooks()
  await stage.up()
  const { stdout } = await bridge('claude-code', told('PreToolUse'))
  expect(stdout).toContain('"permissionDecision":"deny"')
  expect(stdout).toMatch(place)
})

test.each([
  ['claude-code', 'SessionStart'],
  ['claude-code', 'PostToolUse'],
  ['claude-code', 'Stop'],
  ['gemini', 'SessionEnd'],
  ['codex', 'Stop'],
])(
  'where %s has nothing to refuse (%s), a hook file that is wrong is only told',
  async (dialect, event) => {
    breakHooks()
    const stdin = {
      session_id: 's1',
      hook_event_name: event,
      source: 'startup',
    }
    const { code, stdout, stderr } = await bridge(dialect, stdin)
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr).toMatch(place)
  },
)

test.each([
  ['SessionStart', 2],
  ['PostToolUse', 2],
  ['PreToolUse', 2],
  ['Stop', 1],
  ['SessionEnd', 1],
])(
  'a bridge that fails at %s ends with exit code %i, also before it has read what happens',
  async (event, code) => {
    const file = stage.project.configure('hooks: [{ name: x, on: nowhere }]')
    const late = await bridge('claude-code', told(event))
    expect(late).toMatchObject({ code, stdout: '' })
    expect(late.stderr).toContain(`${file}:1:`)

    mkdirSync(stage.project.home, { recursive: true })
    chmodSync(stage.project.home, 0o755)
    const early = await bridge('claude-code', told(event))
    expect(early).toMatchObject({ code, stdout: '' })
    expect(early.stderr).toContain('open to others')
  },
)
