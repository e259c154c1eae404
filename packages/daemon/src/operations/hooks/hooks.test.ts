import { defineHook, proceed, reject } from 'hookline'
import { points, toolPreCall } from 'hookline/lifecycle'
import { describe, expect, test, vi } from 'vitest'
import {
  admin,
  agent,
  longMs,
  openWorld,
  runner,
} from '../fixtures/open-world.ts'
import { ask } from '../fixtures/strict-output.ts'
import { refusalAt } from './refusals.ts'

vi.setConfig({ testTimeout: longMs })

const fileHooks = `hooks:
  - name: no-rm
    on: tool.guard
    visibility: user_visible
    match: {tool: probe, args: {command: {$regex: "rm .*"}}}
    handler: {type: command, shell: 'echo "No rm here." >&2; exit 2'}
  - name: sleeping
    on: tool.guard
    disabled: true
    handler: {type: command, shell: 'exit 0'}
  - name: late
    on: tool.guard
    after: [no-rm]
    priority: 5
    timeoutMs: 90000
    onFailure: open
    match: {tool: [bash, 'sh*']}
    handler: {type: command, argv: [./no-such-program]}
disable: [off-by-name]
`

const files = {
  'user/hooks.yaml': fileHooks,
  'root/.hookline/hooks.yaml': `hooks:
  - name: of-project
    on: tool.guard
    handler: {type: command, shell: 'exit 0'}
`,
  'managed/hooks.yaml': `hooks:
  - name: must
    on: tool.pre_call
    handler: {type: command, shell: 'exit 0'}
`,
}

const writer = defineHook({
  name: 'writer',
  on: toolPreCall,
  priority: 50,
  writes: true,
  before: ['judge'],
  run: () => proceed,
})
const judge = defineHook({
  name: 'judge',
  on: toolPreCall,
  priority: 10,
  match: ({ args }) => args['command'] === 'dd',
  run: () => reject('No.'),
})
const watcher = defineHook({
  name: 'watcher',
  on: toolPreCall,
  execution: 'record',
  match: { safety: 'destructive' },
  run: () => {},
})

const setUp = () => openWorld({ files, hooks: [writer, judge, watcher] })

describe('hooks are listed', () => {
  test('with where they are written, and why some do not run', async () => {
    const { operations, place } = await setUp()
    const { items } = await ask(operations, 'listHooks', { agent }, runner)
    const by = (name: string) => items.find((hook) => hook.name === name)
    expect(by('no-rm')).toMatchObject({
      point: 'tool.guard',
      order: 1,
      source: {
        kind: 'file',
        layer: 'user',
        file: `${place.user}/hooks.yaml`,
        line: 2,
      },
      handler: { kind: 'command' },
      matcher: 'tool is "probe", and args.command is matched by "rm .*"',
      onFailure: 'closed',
      isEnabled: true,
      isManaged: false,
    })
    expect(by('sleeping')).toMatchObject({
      isEnabled: false,
      disabledBy: 'its own definition',
      source: { kind: 'file', line: 7 },
    })
    expect(by('sleeping')).not.toHaveProperty('order')
    expect(by('of-project')).toMatchObject({
      isEnabled: false,
      disabledBy: expect.stringMatching(/^nobody trusts it \(\w{64}\)$/),
      source: { layer: 'project' },
    })
    expect(by('must')).toMatchObject({ isManaged: true, isEnabled: true })
    expect(by('judge')).toMatchObject({ source: { kind: 'code' }, order: 2 })
    expect(by('judge')?.matcher).toBe('a predicate')
    const at = { agent, point: 'tool.guard' }
    const some = await ask(operations, 'listHooks', at, runner)
    expect(some.items.map(({ name }) => name)).toEqual([
      'no-rm',
      'late',
      'sleeping',
      'of-project',
    ])
    const none = ask(operations, 'listHooks', { agent: 'nobody' }, runner)
    await expect(none).rejects.toMatchObject({ code: 'not-found' })
  })

  test('as they were switched, with who did it', async () => {
    const { operations, callTool } = await setUp()
    expect(await callTool({ command: 'rm x' })).toContain('No rm here.')
    const change = {
      name: 'no-rm',
      isEnabled: false,
      reason: 'It is in the way.',
    }
    const needed = ask(operations, 'setHook', change, admin)
    await expect(needed).rejects.toMatchObject({ code: 'conflict' })
    const first = { name: 'late', isEnabled: false }
    await ask(operations, 'setHook', first, admin)
    const off = await ask(operations, 'setHook', change, admin)
    expect(off).toMatchObject({
      isEnabled: false,
      disabledBy: 'user:root (It is in the way.)',
    })
    expect(await callTool({ command: 'rm x' })).toContain('it ran')
    const mode = { name: 'no-rm', isEnabled: true, mode: 'evaluate' } as const
    const on = await ask(operations, 'setHook', mode, admin)
    expect(on).toMatchObject({ isEnabled: true, mode: 'evaluate' })
    const unknown = { name: 'nobody', isEnabled: false }
    const none = ask(operations, 'setHook', unknown, admin)
    await expect(none).rejects.toMatchObject({ code: 'not-found' })
    const managed = { name: 'must', isEnabled: false }
    const refused = ask(operations, 'setHook', managed, admin)
    await expect(refused).rejects.toMatchObject({ code: 'not-allowed' })
    const empty = ask(operations, 'setHook', { name: 'no-rm' }, admin)
    await expect(empty).rejects.toMatchObject({ code: 'bad-request' })
    const { items } = await ask(operations, 'listAudit', {}, admin)
    const switched = items.filter(({ kind }) => kind === 'hooks.switched')
    expect(switched).toMatchObject(Array(3).fill({ actor: 'user:root' }))
  })

  test('when all are off, managed gates deny, and the list says so', async () => {
    const { operations, callTool } = await setUp()
    const until = Date.now() + 3_600_000
    const off = await ask(operations, 'disableAllHooks', { until }, admin)
    expect(off).toMatchObject({ denying: 1 })
    const { items } = await ask(operations, 'listHooks', { agent }, admin)
    const hook = items.find(({ name }) => name === 'no-rm')
    expect(hook).toMatchObject({
      isEnabled: false,
      disabledBy: expect.stringContaining('all hooks are off: user:root until'),
    })
    expect(await callTool({ command: 'ls' })).toContain(
      'switched off by user:root',
    )
    await ask(operations, 'enableAllHooks', {}, admin)
    expect(await callTool({ command: 'ls' })).toContain('it ran')
  })
})

describe('a plan is explained', () => {
  test('with the order, why, and who may do what', async () => {
    const { operations } = await setUp()
    const about = { point: 'tool.pre_call', agent }
    const plan = await ask(operations, 'explainHooks', about, runner)
    expect(plan).toMatchObject({
      answers: expect.arrayContaining(['proceed', 'transform', 'reject']),
      contributions: expect.arrayContaining(['context', 'restriction']),
      flow: expect.stringContaining('one after the other'),
      whenRefused: expect.stringContaining('This call is denied'),
    })
    const [first, second, third, last] = plan.steps
    expect(first).toMatchObject({
      name: 'writer',
      because: 'before "judge", as it says; priority 50, the lowest first.',
      mayAnswer: expect.arrayContaining(['transform', 'replace']),
      matches: 'yes',
    })
    expect(second).toMatchObject({
      name: 'judge',
      because:
        'after "writer", as that says; priority 10, the lowest first; its priority alone would have it before "writer".',
      matches: 'depends',
      whenItFails: expect.stringContaining('counts as a refusal'),
    })
    expect(second?.mayAnswer).not.toContain('transform')
    expect(third).toMatchObject({
      name: 'must',
      because: 'priority 100, the lowest first.',
    })
    expect(last).toMatchObject({
      name: 'watcher',
      because: expect.stringContaining('after the decision'),
      mayAnswer: [],
    })
  })

  test('with whether each runs for a call, as far as it is known', async () => {
    const { operations } = await setUp()
    const matching = async (about: object) => {
      const input = { point: 'tool.guard', agent, ...about }
      const { steps } = await ask(operations, 'explainHooks', input, runner)
      return steps.map(({ name, matches }) => `${name}: ${matches}`)
    }
    expect(await matching({})).toEqual(['no-rm: depends', 'late: depends'])
    const probe = { tool: 'probe' }
    expect(await matching(probe)).toEqual(['no-rm: depends', 'late: no'])
    const rm = { ...probe, args: '{"command":"rm -r"}' }
    expect(await matching(rm)).toEqual(['no-rm: yes', 'late: no'])
    const ls = { ...probe, args: '{"command":"ls"}' }
    expect(await matching(ls)).toEqual(['no-rm: no', 'late: no'])
    const other = { tool: 'shx', args: '{}' }
    expect(await matching(other)).toEqual(['no-rm: no', 'late: yes'])
  })

  test('with what code says where all of a call is known', async () => {
    const { operations } = await setUp()
    const about = { point: 'tool.pre_call', agent, tool: 'probe' }
    for (const [command, matches] of [
      ['dd', 'yes'],
      ['ls', 'no'],
    ]) {
      const args = JSON.stringify({ command })
      const input = { ...about, args }
      const { steps } = await ask(operations, 'explainHooks', input, runner)
      const step = steps.find(({ name }) => name === 'judge')
      expect(step?.matches).toBe(matches)
      const watched = steps.find(({ name }) => name === 'watcher')
      expect(watched?.matches).toBe('no')
    }
  })

  test('or it is said what is wrong with the question', async () => {
    const { operations } = await setUp()
    const point = ask(operations, 'explainHooks', { point: 'tool.pre' }, admin)
    await expect(point).rejects.toMatchObject({ code: 'not-found' })
    const odd = { point: 'tool.guard', args: '[1]' }
    const args = ask(operations, 'explainHooks', odd, admin)
    await expect(args).rejects.toMatchObject({ code: 'bad-request' })
  })
})

test('it is known of every point what a refusal leads to', () => {
  const unknown = Object.keys(points).filter(
    (point) => refusalAt(point) === refusalAt('some.other'),
  )
  expect(unknown).toEqual([])
})

test('every hook is preflighted', async () => {
  const { operations, callTool, place } = await setUp()
  await callTool({ command: 'rm x' })
  const { items, problems } = await ask(operations, 'checkHooks', {}, admin)
  const checksOf = (name: string) => {
    const found = items.find(({ hook }) => hook === name)
    const checks = found?.checks.map((check) => [check.name, check.level])
    return { level: found?.level, ...Object.fromEntries(checks ?? []) }
  }
  expect(checksOf('no-rm')).toEqual({
    level: 'ok',
    handler: 'ok',
    matcher: 'ok',
    time: 'ok',
    failures: 'ok',
  })
  expect(checksOf('late')).toEqual({
    level: 'error',
    handler: 'error',
    matcher: 'warning',
    time: 'warning',
    'fails-open': 'warning',
    failures: 'ok',
  })
  expect(checksOf('of-project')).toMatchObject({
    level: 'warning',
    trust: 'warning',
    switch: 'warning',
  })
  expect(checksOf('sleeping')).toMatchObject({ switch: 'warning' })
  expect(problems).toContainEqual(
    expect.objectContaining({
      file: `${place.user}/hooks.yaml`,
      code: 'missing-program',
    }),
  )
})

test('a hook that fails lately is told, with its last words', async () => {
  const failing = `hooks:
  - name: broken
    on: tool.guard
    handler: {type: command, shell: 'echo oops; exit 1'}
`
  const { operations, callTool } = await openWorld({
    files: { 'user/hooks.yaml': failing },
  })
  expect(await callTool({ command: 'ls' })).toContain('hook_error')
  const { items } = await ask(operations, 'checkHooks', {}, admin)
  const found = items.find(({ hook }) => hook === 'broken')
  const check = found?.checks.find(({ name }) => name === 'failures')
  expect(check).toMatchObject({
    level: 'error',
    message: expect.stringMatching(/failed 1 of 1 times .*The last was /),
  })
})

test('what nobody trusts is shown whole, and runs when somebody does', async () => {
  const { operations, callTool } = await openWorld({
    files: {
      'root/.hookline/hooks.yaml': `hooks:
  - name: of-project
    on: tool.guard
    handler: {type: command, shell: 'echo "Not here." >&2; exit 2'}
`,
    },
  })
  const { items } = await ask(operations, 'listUntrusted', {}, admin)
  expect(items).toMatchObject([{ name: 'of-project', state: 'untrusted' }])
  const { text } = Object(items[0]?.shows)
  expect(text).toContain('Not here.')
  expect(await callTool({ command: 'ls' })).toContain('it ran')
  const odd = ask(operations, 'trust', { hashes: ['f'.repeat(64)] }, admin)
  await expect(odd).rejects.toMatchObject({ code: 'conflict' })
  const hashes = items.map(({ hash }) => hash)
  const given = await ask(operations, 'trust', { hashes }, admin)
  expect(given).toEqual({ trusted: 1 })
  expect(await callTool({ command: 'ls' })).toContain('Not here.')
  const audit = await ask(operations, 'listAudit', {}, admin)
  expect(audit.items).toContainEqual(
    expect.objectContaining({
      kind: 'trust.given',
      actor: 'user:root',
      body: { hashes, hooks: ['of-project'] },
    }),
  )
})

test('hooks of other products are listed with their file, and what never fires is told', async () => {
  const command = { type: 'command', command: 'exit 0' }
  const settings = {
    hooks: {
      PreToolUse: [{ matcher: 'Bash', hooks: [command] }],
      TeammateIdle: [{ hooks: [command] }],
    },
  }
  const { operations, place } = await openWorld({
    files: {
      'user/hooks.yaml': 'dialects: [{dialect: claude-code, file: c.json}]\n',
      'user/c.json': JSON.stringify(settings),
    },
  })
  const { items } = await ask(operations, 'listHooks', {}, admin)
  const hook = items.find(({ name }) => name === 'claude-code:PreToolUse')
  expect(hook).toMatchObject({
    point: 'tool.pre_call',
    handler: { kind: 'dialect' },
    source: {
      kind: 'dialect',
      name: 'claude-code',
      file: `${place.user}/c.json`,
      layer: 'user',
    },
  })
  const { problems } = await ask(operations, 'checkHooks', {}, admin)
  expect(problems).toContainEqual(
    expect.objectContaining({ code: 'never-fires', line: 1 }),
  )
})

test('a managed gate of another product is off by no word, and denies when all are off', async () => {
  const command = { type: 'command', command: 'cat > /dev/null' }
  const settings = { hooks: { PreToolUse: [{ hooks: [command] }] } }
  const name = 'claude-code:PreToolUse'
  const { operations, callTool } = await openWorld({
    files: {
      'managed/hooks.yaml':
        'dialects: [{dialect: claude-code, file: c.json}]\n',
      'managed/c.json': JSON.stringify(settings),
      'user/hooks.yaml': `disable: ["${name}"]\n`,
    },
  })
  const { items } = await ask(operations, 'listHooks', {}, admin)
  const hook = items.find((one) => one.name === name)
  expect(hook).toMatchObject({ isManaged: true, isEnabled: true })
  const change = { name, isEnabled: false }
  const refused = ask(operations, 'setHook', change, admin)
  await expect(refused).rejects.toMatchObject({ code: 'not-allowed' })
  expect(await callTool({ command: 'ls' })).toContain('it ran')
  const until = Date.now() + 3_600_000
  await ask(operations, 'disableAllHooks', { until }, admin)
  expect(await callTool({ command: 'ls' })).not.toContain('it ran')
})

test('a hook is asked about what never happened: its answer, its words, and nothing is kept', async () => {
  const { operations } = await openWorld({ files, hooks: [writer, judge] })
  const call = { tool: 'probe', args: { command: 'rm -r x' } }
  const input = { hook: 'no-rm', ...call }
  const { answer, ...rest } = await ask(operations, 'testHook', input, admin)
  expect(answer).toMatchObject({ answer: 'reject', reason: 'No rm here.' })
  expect(rest).toMatchObject({ hook: 'no-rm', point: 'tool.guard' })
  const other = { hook: 'no-rm', tool: 'probe', args: { command: 'ls' } }
  const passed = await ask(operations, 'testHook', other, admin)
  expect(passed).not.toHaveProperty('answer')
  const whole = { hook: 'writer', input: { id: 'x', tool: 'y', args: {} } }
  const asked = await ask(operations, 'testHook', whole, admin)
  expect(asked.answer).toMatchObject({ answer: 'proceed', contributions: [] })
  expect((await ask(operations, 'listRuns', {}, admin)).items).toEqual([])
})

test.each([
  [{ hook: 'nobody', tool: 'probe' }, 'not-found', 'hooks list'],
  [{ hook: 'no-rm' }, 'bad-request', '--tool shell'],
  [{ hook: 'of-project', tool: 'probe' }, 'conflict', 'hooks trust'],
])(
  'what cannot be tried is refused with what to do: %j',
  async (input, code, hint) => {
    const { operations } = await openWorld({ files })
    const tried = ask(operations, 'testHook', input, admin)
    await expect(tried).rejects.toMatchObject({
      code,
      message: expect.stringContaining(hint),
    })
  },
)
