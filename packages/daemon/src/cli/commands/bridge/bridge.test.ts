import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test, vi } from 'vitest'
import { endTerminal, stageForEach } from '../../fixtures/stage.ts'
import { cliFile, type RunEnd, runCommand } from '../../fixtures/terminal.ts'
import { refusal } from './bridge-reply.ts'

const stage = stageForEach()

const noPush = `
hooks:
  - name: no-push
    on: tool.pre_call
    match: { args: { command: '*push*' } }
    handler: { type: command, shell: 'echo "Do not push." >&2; exit 2' }
`

const toolCall = (command: string, tool = 'Bash') => ({
  session_id: 's1',
  hook_event_name: 'PreToolUse',
  tool_name: tool,
  tool_input: { command },
})

function bridge(
  dialect: string,
  stdin: object | string,
  ...words: string[]
): Promise<RunEnd> {
  const input = typeof stdin === 'string' ? stdin : JSON.stringify(stdin)
  return runCommand(stage.project, ['bridge', dialect, ...words], { input })
}

const denied = {
  hookSpecificOutput: {
    hookEventName: 'PreToolUse',
    permissionDecision: 'deny',
    permissionDecisionReason: 'Do not push.',
  },
}

test.each(['with a daemon', 'without a daemon'])(
  'every product is told no in its own words, and nothing where nobody objects: %s',
  async (name) => {
    stage.project.configure(noPush)
    if (name === 'with a daemon') await stage.up()
    const push = { command: 'git push' }
    const cases = [
      ['claude-code', toolCall('git push'), [], denied],
      ['codex', toolCall('git push'), [], denied],
      ['vs-code', toolCall('git push', 'run_in_terminal'), [], denied],
      [
        'gemini',
        {
          session_id: 's1',
          hook_event_name: 'BeforeTool',
          tool_name: 'run_shell_command',
          tool_input: push,
        },
        [],
        { decision: 'deny', reason: 'Do not push.' },
      ],
      [
        'cursor',
        { hook_event_name: 'beforeShellExecution', ...push },
        [],
        { permission: 'deny', agent_message: 'Do not push.' },
      ],
      [
        'copilot',
        { toolName: 'bash', toolArgs: JSON.stringify(push) },
        ['--event', 'preToolUse'],
        {
          permissionDecision: 'deny',
          permissionDecisionReason: 'Do not push.',
        },
      ],
    ] as const
    // The answers are made by the same code; that it is loaded is shown by two.
    const some = name === 'with a daemon' ? cases : cases.slice(4)
    for (const [dialect, stdin, words, expected] of some) {
      const { code, stdout, stderr } = await bridge(dialect, stdin, ...words)
      expect({ dialect, code, stderr }).toEqual({
        dialect,
        code: 0,
        stderr: '',
      })
      expect(JSON.parse(stdout)).toEqual(expected)
    }
    const quiet = await bridge('claude-code', toolCall('ls'))
    expect(quiet).toEqual({ code: 0, stdout: '', stderr: '' })
    const odd = await bridge('claude-code', '{')
    expect(odd).toMatchObject({ code: 2, stdout: '' })
    expect(odd.stderr).not.toBe('')
  },
)

test('a daemon for another folder is not asked: its hooks are not those of this one', async () => {
  stage.project.write('hookline.config.yaml', noPush)
  await stage.up()
  const trust = ['hooks', 'trust', '--all', '--yes']
  expect(await stage.ask(...trust)).toMatchObject({ code: 0 })
  const below = join(stage.project.root, 'below')
  const other = join(stage.project.root, '..', 'other')
  mkdirSync(below)
  mkdirSync(other)
  const push = toolCall('git push')
  const inside = await bridge('claude-code', push, '--root', below)
  expect(JSON.parse(inside.stdout)).toEqual(denied)
  const outside = await bridge('claude-code', push, '--root', other)
  expect(outside).toEqual({ code: 0, stdout: '', stderr: '' })
})

describe('a daemon that is there, and then is not', () => {
  /** A hook that says when it has begun, and goes on until nobody is there. */
  const slow = () => {
    const begun = join(stage.project.root, '..', 'begun')
    stage.project.configure(`
hooks:
  - name: slow
    on: tool.pre_call
    timeoutMs: 100000
    handler: { type: command, shell: 'echo $$ > ${begun}; while [ -e ${begun} ]; do sleep 0.1; done' }
`)
    return begun
  }

  async function begins(file: string) {
    const isThere = () => expect(existsSync(file)).toBe(true)
    await vi.waitFor(isThere, { timeout: 60_000, interval: 50 })
  }

  test('killed in the middle of an answer: the call is refused at once', async () => {
    const begun = slow()
    const daemon = await stage.up()
    const answer = bridge('claude-code', toolCall('ls'))
    await begins(begun)
    daemon.kill()
    const { code, stdout, stderr } = await answer
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toContain('went away')
  })

  test('stopped, so that it hangs: the call is refused in time', async () => {
    stage.project.configure(noPush)
    const daemon = await stage.up()
    process.kill(daemon.pid, 'SIGSTOP')
    try {
      const words = ['--timeout', '1500ms']
      const startedAt = performance.now()
      const answer = await bridge('claude-code', toolCall('ls'), ...words)
      expect(performance.now() - startedAt).toBeLessThan(30_000)
      expect(answer).toMatchObject({ code: 2, stdout: '' })
      expect(answer.stderr).toContain('No answer came within 1.5 seconds')
    } finally {
      process.kill(daemon.pid, 'SIGCONT')
    }
  })

  test('a hook that hangs without a daemon is refused in time, and ended', async () => {
    const begun = slow()
    const call = {
      hook_event_name: 'BeforeTool',
      tool_name: 'read_file',
      tool_input: {},
    }
    // So long that it begins within it, on a busy machine too.
    const pidOf = () => (existsSync(begun) ? Number(readFileSync(begun)) : 0)
    for (let seconds = 2; pidOf() === 0; seconds *= 2) {
      expect(seconds).toBeLessThan(60)
      const words = ['--timeout', `${seconds}s`]
      const answer = await bridge('gemini', call, ...words)
      expect(answer).toMatchObject({ code: 2, stdout: '' })
      expect(answer.stderr).toContain(`within ${seconds} seconds`)
    }
    // It would go on as long as the file is there.
    const pid = pidOf()
    // Whoever took it over may not have looked after it yet.
    const isThere = async () => process.kill(pid, 0)
    await expect.poll(() => isThere().catch(() => false)).toBe(false)
  })

  test('what a dead one left behind is no daemon: the hooks answer here', async () => {
    stage.project.configure(noPush)
    const daemon = await stage.up()
    await endTerminal(daemon)
    const { stdout } = await bridge('claude-code', toolCall('git push'))
    expect(JSON.parse(stdout)).toEqual(denied)
  })
})

test('what hooks leave to be done in the background without a daemon is on record, and done by the next one', async () => {
  const done = join(stage.project.root, 'done')
  stage.project.configure(`
hooks:
  - name: later
    on: tool.guard
    execution: background
    handler: { type: command, shell: 'echo ran >> ${done}' }
`)
  const quiet = { code: 0, stdout: '', stderr: '' }
  expect(await bridge('claude-code', toolCall('ls'))).toEqual(quiet)
  const states = async () =>
    (await stage.asJson('runs', '--hook', 'later')).items.map(
      ({ state }: { state: string }) => state,
    )
  expect(await states()).toEqual(['backgrounded'])
  expect(existsSync(done)).toBe(false)
  await stage.up()
  await expect.poll(states, { timeout: 60_000 }).toContain('completed')
  expect(readFileSync(done, 'utf8')).toBe('ran\n')
})

test('what cannot be loaded refuses, and says what is wrong where', async () => {
  const file = stage.project.configure('hooks: [{ name: x, on: nowhere }]')
  const answer = await bridge('claude-code', toolCall('ls'))
  expect(answer).toMatchObject({ code: 2, stdout: '' })
  expect(answer.stderr).toContain(`${file}:1:`)
})

test('many at once, without a daemon, all answer', async () => {
  stage.project.configure(noPush)
  const answers = await Promise.all(
    Array.from({ length: 4 }, () => bridge('codex', toolCall('git push'))),
  )
  for (const { code, stdout } of answers) {
    expect(code).toBe(0)
    expect(JSON.parse(stdout)).toEqual(denied)
  }
})

describe('an error that nobody catches', () => {
  /** A gate in the process of the bridge, which does this before it lets go on. */
  const gate = (body: string) => {
    const module = `export async function run() { ${body}; return { type: 'proceed' } }\n`
    stage.project.write('../config/hookline/gate.mjs', module)
    stage.project.configure(`
hooks:
  - name: gate
    on: tool.guard
    handler: { type: module, file: ./gate.mjs, isolation: process-wide }
`)
  }

  test.each([
    ['a timer', `setImmediate(() => { throw new Error('lost') })`],
    ['a promise', `setImmediate(() => Promise.reject(new Error('lost')))`],
  ])(
    'of %s that a hook left behind takes nothing back: what it allowed goes on',
    async (_, body) => {
      gate(body)
      const { code, stdout, stderr } = await bridge(
        'claude-code',
        toolCall('ls'),
      )
      expect({ code, stdout }).toEqual({ code: 0, stdout: '' })
      expect(stderr).not.toContain('hookline:')
    },
  )

  test.each([
    [`new Error('own')`, 'own', []],
    [`'own'`, 'own', []],
    ['null', 'null', []],
    ['Object.create(null)', 'Something went wrong that cannot be told.', []],
    [`new Error('own')`, 'own', ['--home', '../home']],
  ])(
    'and that no hook left behind refuses: %s, %s, %j',
    async (thrown, reason, before) => {
      const file = stage.project.write(
        'at-signal.mjs',
        `process.on('SIGUSR2', () => { throw ${thrown} })\n`,
      )
      gate(`process.kill(process.pid, 'SIGUSR2'); await new Promise(() => {})`)
      const { code, stdout, stderr } = await runCommand(
        stage.project,
        [...before, 'bridge', 'claude-code'],
        {
          input: JSON.stringify(toolCall('ls')),
          env: { NODE_OPTIONS: `--import=${file}` },
        },
      )
      expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
      expect(stderr).toContain(`hookline: ${reason}\n`)
    },
  )
})

test('wrong words refuse, as a product would else go on', async () => {
  for (const words of [['nothing'], ['claude-code', '--what'], []]) {
    const answer = await runCommand(stage.project, ['bridge', ...words])
    expect(answer).toMatchObject({ code: 2, stdout: '' })
    expect(answer.stderr).not.toBe('')
  }
  const help = await runCommand(stage.project, ['bridge', '--help'])
  expect(help).toMatchObject({ code: 0, stderr: '' })
  expect(help.stdout).toContain('claude-code')
})

test('as JSON it is the whole reply; with options before the command it is the same', async () => {
  stage.project.configure(noPush)
  const input = JSON.stringify(toolCall('git push'))
  const fast = await bridge('claude-code', input, '--json')
  const { stdout, ...rest } = JSON.parse(fast.stdout)
  expect(rest).toEqual({ stderr: '', exitCode: 0 })
  expect(JSON.parse(stdout)).toEqual(denied)
  const words = ['--home', stage.project.home, 'bridge', 'claude-code']
  const slow = await runCommand(stage.project, words, { input })
  expect(slow.code).toBe(0)
  expect(JSON.parse(slow.stdout)).toEqual(denied)
})

test('the end of a turn is not refused for want of an answer: it would go on for ever', () => {
  const codes = (events: readonly string[]) =>
    events.map(
      (event) =>
        refusal('x', { stdin: JSON.stringify({ hook_event_name: event }) })
          .exitCode,
    )
  const ends = ['Stop', 'SubagentStop', 'stop', 'AfterAgent', 'SessionEnd']
  expect(codes(ends)).toEqual(ends.map(() => 1))
  const gates = ['PreToolUse', 'UserPromptSubmit', 'beforeShellExecution', '']
  expect(codes(gates)).toEqual(gates.map(() => 2))
  expect(refusal('x', { event: 'agentStop' }).exitCode).toBe(1)
  expect(refusal('x', { stdin: '{' }).exitCode).toBe(2)
})

test('an answer loads next to nothing: no library at all', async () => {
  stage.project.configure(noPush)
  await stage.up()
  const list = join(stage.project.root, 'list.mjs')
  writeFileSync(
    list,
    `import { registerHooks } from 'node:module'
const seen = []
registerHooks({ load: (url, context, next) => (seen.push(url), next(url, context)) })
process.on('exit', () => process.stderr.write(JSON.stringify(seen)))
process.argv = [process.argv[0], '', 'bridge', 'claude-code']
await import(${JSON.stringify(cliFile)})`,
  )
  const { status, stderr } = spawnSync(process.execPath, [list], {
    cwd: stage.project.root,
    env: stage.project.env,
    input: JSON.stringify(toolCall('ls')),
    encoding: 'utf8',
  })
  expect(status).toBe(0)
  const seen: string[] = JSON.parse(stderr)
  const files = seen.filter((url) => url.startsWith('file:'))
  expect(files.length).toBeLessThan(30)
  expect(seen.filter((url) => url.includes('node_modules'))).toEqual([])
  expect(seen).not.toContain('node:crypto')
  expect(seen).not.toContain('node:http')
})
