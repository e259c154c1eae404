import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { compileTable, createEngine } from 'hookline'
import { type JsonObject, toolPreCall } from 'hookline/lifecycle'
import { afterAll, expect, test } from 'vitest'
import type { DialectParts, ForeignHook, Source } from '../dialect.ts'
import { granted, scope } from '../fixtures/inputs.ts'
import { claudeCode } from './claude-code.ts'
import { dialectBench, settingsWith } from './fixtures/dialect-bench.ts'
import { timeoutMsOf } from './timeouts.ts'

const bench = dialectBench()
afterAll(() => bench.end())

interface Trial {
  readonly parts?: Partial<DialectParts>
  readonly source?: Partial<Source>
  readonly cwd?: string
}

/** Why a call was denied; a hook says there what it has found. */
async function saidBy(
  entry: JsonObject,
  { parts, source, cwd }: Trial = {},
): Promise<string> {
  const settings = settingsWith('PreToolUse', { type: 'command', ...entry })
  const { hooks } = bench.read(settings, source)
  const made = await claudeCode.toHooks(hooks, { ...bench.parts, ...parts })
  const engine = createEngine(compileTable(made))
  const here = cwd === undefined ? scope : { ...scope, cwd }
  const outcome = await engine.run(toolPreCall, granted, { scope: here })
  return outcome.type === 'reject' ? outcome.reason : outcome.type
}

const say = (text: string) => `cat >/dev/null; echo "${text}" >&2; exit 2`

test('a command is read by bash, also where it looks like a comment', async () => {
  const command =
    '# a guard\n[[ "a b" == a* ]] && { echo "bash $((1+1))" >&2; exit 2; }'
  expect(await saidBy({ command })).toBe('bash 2')
})

test('F082 a login shell and its profiles stay out of it', async () => {
  const home = join(bench.folder, 'home')
  bench.write('home/.bashrc', 'echo from-bashrc >&2; exit 2')
  bench.write('home/.profile', 'echo from-profile >&2; exit 2')
  bench.write('home/.bash_profile', 'echo from-profile >&2; exit 2')
  const env = { ...bench.parts.env, HOME: home }
  expect(await saidBy({ command: say('clean') }, { parts: { env } })).toBe(
    'clean',
  )
})

test('a folder with signs of the shell in its name is not read as a script', async () => {
  const projectDir = join(bench.folder, 'a $(touch pwned) `b` "c')
  mkdirSync(projectDir)
  const command = `echo "\${CLAUDE_PROJECT_DIR}" >&2; ls >&2; exit 2`
  const said = await saidBy({ command }, { parts: { projectDir } })
  expect(said).toBe(projectDir)
})

test('placeholders are filled in, what is left belongs to the shell', async () => {
  const { folder } = bench
  const command = `echo '\${CLAUDE_PROJECT_DIR}' "\${NOT_SET:-.}" "$HOME" >&2; exit 2`
  const said = await saidBy({ command })
  expect(said).toBe(`${folder} . ${bench.parts.env['HOME']}`)
})

test('with args no shell reads anything', async () => {
  const args = [
    '-c',
    'echo "$0|$1" >&2; exit 2',
    `\${CLAUDE_PROJECT_DIR}`,
    '$HOME; ls',
  ]
  expect(await saidBy({ command: 'sh', args })).toBe(
    `${bench.folder}|$HOME; ls`,
  )
})

test('commands run in the project, wherever the session is, unless told otherwise', async () => {
  const cwd = join(bench.folder, 'sub')
  mkdirSync(cwd)
  const command = 'echo "$PWD $(jq -r .cwd)" >&2; exit 2'
  expect(await saidBy({ command }, { cwd })).toBe(`${bench.folder} ${cwd}`)
  const parts = { cwdRule: 'session' as const }
  expect(await saidBy({ command }, { cwd, parts })).toBe(`${cwd} ${cwd}`)
})

test('the variables of the product are there, those of tracing are not', async () => {
  const env = { ...bench.parts.env, OTEL_EXPORTER: 'x', MY_TOKEN: 'mine' }
  const command = say(
    '$CLAUDE_PROJECT_DIR|$CLAUDECODE|$CLAUDE_CODE_SESSION_ID|$OTEL_EXPORTER|$MY_TOKEN|$CLAUDE_ENV_FILE',
  )
  const said = await saidBy({ command }, { parts: { env } })
  expect(said).toBe(`${bench.folder}|1|s-1||mine|`)
})

test('a plugin has its root, its data and its options', async () => {
  const plugin = {
    name: 'p/q',
    root: '/opt/plugin',
    options: { 'api-url': 'http://x' },
  }
  const source = { layer: 'plugin' as const, plugin }
  const command = say(
    `$CLAUDE_PLUGIN_ROOT \${CLAUDE_PLUGIN_ROOT} $CLAUDE_PLUGIN_OPTION_API_URL $CLAUDE_PLUGIN_DATA`,
  )
  const data = join(bench.parts.dataDir, 'plugins/p_q')
  expect(await saidBy({ command }, { source })).toBe(
    `/opt/plugin /opt/plugin http://x ${data}`,
  )
})

test('a script that never reads its input is heard', async () => {
  expect(await saidBy({ command: 'echo no >&2; exit 2' })).toBe('no')
})

test('a program that is not there lets all go on, and strict mode does not', async () => {
  const entry = { command: '/no/such/program', args: [] }
  expect(await saidBy(entry)).toBe('proceed')
  const said = await saidBy(entry, { parts: { isStrict: true } })
  expect(said).not.toBe('proceed')
})

test('PowerShell is not made up where there is none', async () => {
  const env = { PATH: '/nowhere' }
  const entry = { command: 'exit 2', shell: 'powershell', onFailure: 'block' }
  expect(await saidBy(entry, { parts: { env } })).toContain('PowerShell')
})

test('how long a hook may take', () => {
  const hookOf = (
    event: string,
    entry: JsonObject = {},
    source: Partial<Source> = {},
  ) => {
    const [hook] = bench.read(
      settingsWith(event, { type: 'command', command: 'x', ...entry }),
      source,
    ).hooks
    if (hook === undefined) throw new Error('There is no hook.')
    return hook
  }
  const ms = (...hooks: readonly ForeignHook[]) => {
    const [first] = hooks
    return first && timeoutMsOf(first, hooks, bench.parts)
  }
  const prompt = { type: 'prompt', prompt: 'x' }
  expect(ms(hookOf('PreToolUse'))).toBe(600_000)
  expect(ms(hookOf('PreToolUse', { timeout: 5 }))).toBe(5_000)
  expect(ms(hookOf('UserPromptSubmit'))).toBe(30_000)
  expect(ms(hookOf('Stop', prompt))).toBe(30_000)
  const end = hookOf('SessionEnd')
  expect(ms(end)).toBe(1_500)
  expect(ms(end, hookOf('SessionEnd', { timeout: 10 }))).toBe(10_000)
  expect(ms(end, hookOf('SessionEnd', { timeout: 900 }))).toBe(60_000)
  const plugin = hookOf('SessionEnd', { timeout: 10 }, { layer: 'plugin' })
  expect(ms(end, plugin)).toBe(1_500)
})

test('F130 a hook that the dispatch leaves no time for blocks, though its own time is not up', async () => {
  const entry = { type: 'command', command: 'sleep 60', timeout: 60 }
  const hooks = await bench.hooks(settingsWith('PreToolUse', entry))
  const engine = createEngine(compileTable(hooks), { dispatchMs: 1_800 })
  const outcome = await engine.run(toolPreCall, granted, { scope })
  expect(outcome.type).toBe('reject')
  const codes = outcome.records.flatMap(({ diagnostics }) =>
    diagnostics.map(({ code }) => code),
  )
  expect(codes).toContain('cut-time')
  expect(codes).toContain('failed-closed')
})
