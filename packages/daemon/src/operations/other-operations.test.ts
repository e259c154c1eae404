import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test, vi } from 'vitest'
import { operationSchemas } from '../protocol/operations.ts'
import {
  admin,
  agent,
  as,
  longMs,
  openWorld,
  runner,
} from './fixtures/open-world.ts'
import { ask } from './fixtures/strict-output.ts'

vi.setConfig({ testTimeout: longMs })

describe('agents', () => {
  test('are listed, and each with its tools and its whole configuration', async () => {
    const { operations } = await openWorld()
    const { items } = await ask(operations, 'listAgents', {}, runner)
    expect(items.map(({ name }) => name)).toEqual(['main', agent])
    const one = await ask(operations, 'getAgent', { agent }, runner)
    expect(one).toMatchObject({
      name: agent,
      config: { name: agent, instructions: '' },
    })
    expect(one.available).toContainEqual(
      expect.objectContaining({ name: 'probe', safety: 'mutating' }),
    )
    const none = ask(operations, 'getAgent', { agent: 'nobody' }, runner)
    await expect(none).rejects.toMatchObject({ code: 'not-found' })
  })

  test('have skills, and folders that are none are told', async () => {
    const { operations } = await openWorld({
      config: { plugins: { skills: { roots: ['../skills'], watch: false } } },
      files: {
        'skills/tidy/SKILL.md':
          '---\nname: tidy\ndescription: Tidies up.\n---\nTidy up.',
        'skills/odd/SKILL.md': 'Nothing.',
      },
    })
    const skills = await ask(operations, 'listSkills', { agent }, runner)
    expect(skills.items).toMatchObject([
      { name: 'tidy', description: 'Tidies up.' },
    ])
    expect(skills.problems).toMatchObject([
      { path: expect.stringContaining('odd') },
    ])
    const bare = await openWorld()
    expect(await ask(bare.operations, 'listSkills', {}, runner)).toEqual({
      items: [],
      problems: [],
    })
  })

  test('have MCP servers, with how they are', async () => {
    const { operations } = await openWorld({
      config: {
        plugins: {
          mcp: { servers: { files: { command: 'no-such-program' } } },
        },
      },
    })
    const { items } = await ask(operations, 'listMcpServers', {}, runner)
    expect(items).toMatchObject([{ name: 'files', state: 'stopped', calls: 0 }])
  })
})

test('what providers are told of an agent is for those who run the daemon', async () => {
  const openai = { apiKey: 'hunter2-hunter2', user: 'shop' }
  const settings = { temperature: 0.5, providerOptions: { openai } }
  const { operations } = await openWorld({
    config: { agents: [{ name: 'own', model: 'test/x', settings }] },
  })
  const seen = await ask(operations, 'getAgent', { agent: 'own' }, runner)
  expect(seen.config['settings']).toEqual({ temperature: 0.5 })
  const all = await ask(operations, 'getAgent', { agent: 'own' }, admin)
  expect(all.config['settings']).toMatchObject({
    providerOptions: { openai: { user: 'shop' } },
  })
  expect(JSON.stringify(all)).not.toContain('hunter2')
})

describe('memories', () => {
  const ann = as('ann', 'run')
  const space = { agent, user: 'ann' }

  test('are listed page by page, found by their words, and forgotten on record', async () => {
    const { operations, workspace } = await openWorld()
    const { memories } = workspace.store
    for (const name of ['colour', 'city', 'pet']) {
      await memories.remember(space, name, { text: `Her ${name} is known.` })
    }
    const page = await ask(
      operations,
      'listMemories',
      { ...space, limit: 2 },
      ann,
    )
    expect(page.items.map(({ name }) => name)).toEqual(['city', 'colour'])
    const after = page.next ?? ''
    const rest = await ask(operations, 'listMemories', { ...space, after }, ann)
    expect(rest.items.map(({ name }) => name)).toEqual(['pet'])
    const query = { ...space, query: 'which city' }
    const found = await ask(operations, 'searchMemories', query, ann)
    expect(found.items[0]?.name).toBe('city')
    const which = { ...space, name: 'pet' }
    const gone = await ask(operations, 'forgetMemory', which, ann)
    expect(gone).toEqual({ wasThere: true })
    const again = await ask(operations, 'forgetMemory', which, ann)
    expect(again).toEqual({ wasThere: false })
    const audit = await ask(operations, 'listAudit', {}, admin)
    expect(audit.items).toMatchObject([
      { kind: 'memory.forgotten', actor: 'user:ann', body: which },
    ])
  })

  test('of somebody else are for admins', async () => {
    const { operations } = await openWorld()
    const eve = as('eve', 'run')
    const listed = ask(operations, 'listMemories', space, eve)
    await expect(listed).rejects.toMatchObject({ code: 'not-allowed' })
    const forgot = ask(operations, 'forgetMemory', { ...space, name: 'x' }, eve)
    await expect(forgot).rejects.toMatchObject({ code: 'not-allowed' })
    await ask(operations, 'listMemories', space, admin)
  })
})

describe('the configuration', () => {
  test('is told with what is wrong, and read again on record', async () => {
    const { operations, place } = await openWorld({
      files: { 'user/hooks.yaml': 'hooks: []\n' },
    })
    const before = await ask(operations, 'getConfig', {}, runner)
    expect(before.sources).toContainEqual(
      expect.objectContaining({ layer: 'user', state: 'loaded' }),
    )
    await place.write('user/hooks.yaml', 'hooks: [{on: nowhere}]\n')
    const after = await ask(operations, 'reload', {}, admin)
    expect(after.problems).toContainEqual(
      expect.objectContaining({ file: `${place.user}/hooks.yaml`, line: 1 }),
    )
    const { items } = await ask(operations, 'listAudit', {}, admin)
    expect(items).toContainEqual(
      expect.objectContaining({ kind: 'config.reload', actor: 'user:root' }),
    )
  })
})

describe('another product', () => {
  const told = (command: string) =>
    JSON.stringify({
      hook_event_name: 'PreToolUse',
      session_id: 's',
      cwd: '/',
      tool_name: 'Bash',
      tool_input: { command },
    })

  test('is answered in its own words by the hooks of the files', async () => {
    const { operations, place } = await openWorld({
      files: {
        'user/hooks.yaml': `hooks:
  - name: no-rm
    on: tool.guard
    match: {args: {command: 'rm*'}}
    handler: {type: command, shell: 'echo "No rm here." >&2; exit 2'}
`,
      },
    })
    const dialect = 'claude-code'
    const say = (command: string) =>
      ask(operations, 'bridge', { dialect, stdin: told(command) }, runner)
    expect(await say('ls')).toEqual({ stdout: '', stderr: '', exitCode: 0 })
    const denied = await say('rm -rf /')
    expect(denied.exitCode).toBe(0)
    expect(JSON.parse(denied.stdout)).toMatchObject({
      hookSpecificOutput: {
        permissionDecision: 'deny',
        permissionDecisionReason: expect.stringContaining('No rm here.'),
      },
    })
    await place.write('user/hooks.yaml', 'hooks: []\n')
    await ask(operations, 'reload', {}, admin)
    expect(await say('rm -rf /')).toMatchObject({ stdout: '', exitCode: 0 })
    const broken = { dialect, stdin: '{', event: 'PreToolUse' }
    expect(await ask(operations, 'bridge', broken, runner)).toMatchObject({
      exitCode: 2,
    })
    const odd = ask(operations, 'bridge', { dialect: 'odd', stdin: '' }, runner)
    await expect(odd).rejects.toMatchObject({ code: 'bad-request' })
  })

  test('is told what a gate says of a changed call, about which no other hook is asked', async () => {
    const { operations, place } = await openWorld()
    const ran = join(place.user, 'ran')
    const hooks = `hooks:
  - name: wary
    on: tool.pre_call
    priority: 1
    beforeWrites: true
    match: {args: {command: 'rm*'}}
    handler:
      type: command
      shell: |
        echo '{"type":"ask","question":"Sure?"}'
  - name: into-rm
    on: tool.pre_call
    writes: true
    handler:
      type: command
      shell: |
        echo ran >> '${ran}'
        echo '{"type":"transform","value":{"command":"rm x"}}'
`
    await place.write('user/hooks.yaml', hooks)
    await ask(operations, 'reload', {}, admin)
    const input = { dialect: 'claude-code', stdin: told('ls') }
    const { stdout } = await ask(operations, 'bridge', input, runner)
    expect(JSON.parse(stdout).hookSpecificOutput).toMatchObject({
      permissionDecision: 'ask',
      permissionDecisionReason: 'Sure?',
      updatedInput: { command: 'rm x' },
    })
    expect(readFileSync(ran, 'utf8')).toBe('ran\n')
  })

  test.each([
    ['s', { agents: [{ name: 'first' }] }],
    [undefined, { agents: [{ name: 'first' }] }],
    ['s', {}],
  ])(
    'has its background hooks run, too, whatever its session and its agents are: %s, %j',
    async (session, config) => {
      const { operations, place, workspace } = await openWorld({ config })
      const ran = join(place.user, 'ran')
      const hooks = `hooks:
  - name: later
    on: tool.post_call
    execution: background
    handler: {type: command, shell: 'echo ran >> ${ran}'}
`
      await place.write('user/hooks.yaml', hooks)
      await ask(operations, 'reload', {}, admin)
      const stdin = JSON.stringify({
        hook_event_name: 'PostToolUse',
        ...(session !== undefined && { session_id: session }),
        cwd: '/',
        tool_name: 'Bash',
        tool_input: { command: 'ls' },
        tool_response: { stdout: 'x' },
      })
      const input = { dialect: 'claude-code', stdin }
      await ask(operations, 'bridge', input, runner)
      const jobs = async () => {
        await workspace.runtime.drain()
        const { items } = await ask(operations, 'listJobs', {}, admin)
        return items.map(({ state, reason }) => ({ state, reason }))
      }
      const done = [{ state: 'done' }]
      await expect.poll(jobs, { timeout: longMs / 4 }).toEqual(done)
      expect(readFileSync(ran, 'utf8')).toBe('ran\n')
    },
  )

  test('is answered within milliseconds where hooks are', async () => {
    const { operations } = await openWorld()
    const stdin = told('ls')
    const tookMs: number[] = []
    for (let round = 0; round < 200; round++) {
      const began = performance.now()
      await operations.bridge({ dialect: 'claude-code', stdin }, runner)
      tookMs.push(performance.now() - began)
    }
    const [, p50 = 0] = [0, tookMs.sort((a, b) => a - b)[100]]
    process.stdout.write(
      `a bridge call in the daemon: p50 ${p50.toFixed(2)} ms\n`,
    )
    expect(p50).toBeLessThan(60)
  })
})

test('there is an operation for every name that is neither a session nor the daemon itself', async () => {
  const { operations } = await openWorld()
  const elsewhere =
    /^(health|ready|info|createLogin|login|logout|metrics|openapi|shutdown|emit|send|resume|steer|cancel|attend|compact|list(Sessions|Messages|Turns|Wakes|Questions)|getResult|watch(All|Session)|\w+(Session|Wake)|answerQuestions)$/
  const names = Object.keys(operationSchemas).filter(
    (name) => !elsewhere.test(name),
  )
  expect(Object.keys(operations).sort()).toEqual(names.sort())
})
