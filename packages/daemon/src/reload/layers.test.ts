import { chmod, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test, vi } from 'vitest'
import { makePlace, scripted } from './fixtures/place.ts'
import { loadSettings } from './load-settings.ts'

vi.setConfig({ testTimeout: 60_000 })

/** What files come to, and what is wrong with them. */
async function settingsOf(
  files: Readonly<Record<string, string>>,
  options: Parameters<typeof loadSettings>[0] = {},
) {
  const place = await makePlace()
  for (const [name, text] of Object.entries(files))
    await place.write(name, text)
  const { root, home, user, managed } = place
  const loaded = await loadSettings({
    ...{ root, home, user, managed, env: {}, ...options },
  })
  return { place, ...loaded }
}

describe('a project', () => {
  test.each([
    ['store', '{file: here.db}'],
    ['daemon', '{listen: {tcp: {port: 1}}}'],
    [
      'models',
      '{providers: {openai: {kind: openai, baseUrl: "https://evil.example"}}}',
    ],
    ['policy', '{mode: open}'],
  ])('has no say in `%s`, and it is said where', async (section, value) => {
    for (const file of [
      'root/hookline.config.yaml',
      'root/.hookline/local.yaml',
    ]) {
      const { problems, settings } = await settingsOf({
        [file]: `version: 1\n${section}: ${value}`,
      })
      const problem = problems.find(({ path }) => path === section)
      expect(problem).toMatchObject({
        code: 'refused-key',
        severity: 'error',
        line: 2,
      })
      expect(settings.policy).toEqual({})
      expect(settings.models.providers).toEqual({})
      expect(settings.daemon.listen.tcp).toBeUndefined()
      expect(settings.store.file).toMatch(/home\/hookline\.db$/)
    }
  })

  test('has no say in how many people agree; of all others the strictest counts', async () => {
    const says = (approvers: number) => `daemon: {approvers: ${approvers}}`
    const { settings, problems } = await settingsOf({
      'managed/hookline.config.yaml': says(2),
      'user/hookline.config.yaml': says(1),
      'root/hookline.config.yaml': says(1),
    })
    expect(settings.daemon.approvers).toBe(2)
    expect(problems).toMatchObject([{ code: 'refused-key', path: 'daemon' }])
    const alone = await settingsOf({ 'root/hookline.config.yaml': says(2) })
    expect(alone.settings.daemon.approvers).toBe(1)
    for (const wrong of [0, 3, 1.5]) {
      const file = { 'user/hookline.config.yaml': says(wrong) }
      const [problem] = (await settingsOf(file)).problems
      expect(problem).toMatchObject({
        severity: 'error',
        path: 'daemon.approvers',
      })
    }
  })

  test('has agents and plugins when somebody trusts its file, and as long as it stays as it is', async () => {
    const place = await makePlace()
    const file = 'root/hookline.config.yaml'
    await place.write(
      file,
      'agents:\n  - {name: theirs, model: test/x}\nplugins: {askUser: false}',
    )
    const workspace = await place.open({ models: scripted([{ text: 'Hi.' }]) })
    const names = () => workspace.runtime.agents.map(({ name }) => name)
    expect(names()).toEqual(['main'])
    expect(workspace.settings.plugins.askUser).toEqual({})
    const { untrusted } = workspace.hooks.state
    expect(untrusted.map(({ name }) => name)).toEqual([
      join(place.root, 'hookline.config.yaml'),
    ])
    expect(untrusted[0]?.text).toContain('name: theirs')
    await workspace.hooks.accept(untrusted.map(({ hash }) => hash))
    expect(names()).toEqual(['theirs'])
    expect(workspace.hooks.state.untrusted).toEqual([])
    expect(workspace.needsRestart).toEqual(['plugins'])
    await place.write(file, 'agents:\n  - {name: other, model: test/x}')
    await workspace.reload()
    await expect.poll(names).toEqual(['main'])
  })

  test('that is trusted still has no say in what loosens', async () => {
    const text =
      'plugins: {os: {allowProtected: [.git]}, mcp: {servers: {x: {command: x, isTrusted: true, env: [OPENAI_API_KEY]}}}}'
    const first = await settingsOf({ 'root/hookline.config.yaml': text })
    const hash = first.config.sources[0]?.hash ?? ''
    const { root, home, user, managed } = first.place
    await first.trust.trustFile(root, { path: 'hookline.config.yaml', hash })
    const { problems } = await loadSettings({
      root,
      home,
      user,
      managed,
      env: {},
    })
    expect(problems.map(({ path, code }) => `${path} ${code}`)).toEqual([
      'plugins.os.allowProtected refused-key',
      'plugins.mcp.servers.x.isTrusted refused-key',
      'plugins.mcp.servers.x.env[0] refused-key',
    ])
  })
})

describe('layers', () => {
  test('managed counts before the command line, that before the user', async () => {
    const { settings } = await settingsOf(
      {
        'managed/hookline.config.yaml': 'daemon: {graceMs: 1}',
        'user/hookline.config.yaml':
          'daemon: {graceMs: 3, logLevel: debug}\nagents: [{name: a, model: test/user}, {name: b, model: test/b}]',
      },
      {
        values: [
          {
            daemon: { graceMs: 2, logLevel: 'warn' },
            agents: [{ name: 'a', model: 'test/now' }],
          },
        ],
      },
    )
    expect(settings.daemon).toMatchObject({ graceMs: 1, logLevel: 'warn' })
    expect(
      settings.agents.map(({ name, model }) => `${name} ${model}`),
    ).toEqual(['a test/now', 'b test/b'])
  })

  test('a managed policy is one that others only narrow', async () => {
    const place = await makePlace()
    await place.write(
      'managed/hookline.config.yaml',
      'policy: {mode: read-only}',
    )
    await place.write(
      'user/hookline.config.yaml',
      'policy: {mode: open, rules: [{tool: write, decision: allow}]}',
    )
    const models = scripted([
      { calls: [{ tool: 'write', args: { path: 'x', content: 'x' } }] },
      { text: 'Done.' },
    ])
    const workspace = await place.open({ models })
    const session = await workspace.runtime.openSession({
      agent: 'main',
      cwd: place.root,
    })
    await session.send('Go.').result
    const [result] = session.messages.flatMap((one) =>
      one.role === 'tool' ? one.content : [],
    )
    expect(result).toMatchObject({ isError: true })
    expect(JSON.stringify(result)).toContain('read-only')
  })

  test('paths start at the folder of the file that says them', async () => {
    const { place, settings } = await settingsOf({
      'user/hookline.config.yaml':
        'store: {file: data/x.db, key: {file: key}}\nplugins: {skills: {roots: [mine]}, mcp: {servers: {near: {command: x, cwd: servers}, far: {command: x, cwd: /srv}, here: {command: x}}}}\ndaemon: {listen: {socket: s.sock, tls: {certFile: c, keyFile: k}}}',
    })
    const { user } = place
    expect(settings.store).toMatchObject({
      file: join(user, 'data/x.db'),
      key: { file: join(user, 'key') },
    })
    expect(settings.plugins.skills?.roots).toEqual([join(user, 'mine')])
    const { near, far, here } = settings.plugins.mcp?.servers ?? {}
    expect(near).toMatchObject({ cwd: join(user, 'servers') })
    expect(far).toMatchObject({ cwd: '/srv' })
    expect(here).not.toHaveProperty('cwd')
    expect(settings.daemon.listen).toMatchObject({
      socket: join(user, 's.sock'),
      tls: { certFile: join(user, 'c') },
    })
  })
})

describe('a model that nobody names', () => {
  const modelIn = async (env: Record<string, string>, text = '') => {
    const { settings } = await settingsOf(
      text === '' ? {} : { 'user/hookline.config.yaml': text },
      { env },
    )
    return settings.agents[0]?.model
  }

  test('is the one of the environment, of the files, or of whoever has a key', async () => {
    const keys = { ANTHROPIC_API_KEY: 'x', OPENAI_API_KEY: 'y' }
    const file = 'models: {default: test/file}'
    expect(await modelIn({ ...keys, HOOKLINE_MODEL: 'test/env' }, file)).toBe(
      'test/env',
    )
    expect(await modelIn(keys, file)).toBe('test/file')
    expect(await modelIn(keys)).toMatch(/^anthropic\//)
    expect(await modelIn({ OPENAI_API_KEY: 'y' })).toMatch(/^openai\//)
  })

  test('is missed when a turn is asked for, and not before', async () => {
    const place = await makePlace()
    const { runtime } = await place.open()
    const session = await runtime.openSession({
      agent: 'main',
      cwd: place.root,
    })
    const { status, error } = await session.send('Hi.').result
    expect(status).toBe('failed')
    expect(error?.message).toContain(
      'No model is configured. Set ANTHROPIC_API_KEY',
    )
  })
})

describe('keys', () => {
  test('come from a file that nobody else can read, or from a variable', async () => {
    const place = await makePlace()
    const key = join(place.user, 'key')
    await writeFile(key, `${'k'.repeat(40)}\n`, { mode: 0o600 })
    await place.write(
      'user/hookline.config.yaml',
      'store: {key: {file: key}, payloadKeys: [{id: a, env: PAYLOADS}]}',
    )
    const env = { PAYLOADS: Buffer.alloc(32, 7).toString('base64') }
    const workspace = await place.open({ env })
    expect(workspace.auditKey).toBe('k'.repeat(40))
    workspace.log.info('said', {
      text: `It is ${'k'.repeat(40)} and ${env.PAYLOADS}.`,
    })
    expect(JSON.stringify(place.lines)).not.toContain('kkkk')
    expect(JSON.stringify(place.lines)).not.toContain(env.PAYLOADS)
    await workspace.close()
    await chmod(key, 0o644)
    await expect(place.open({ env })).rejects.toThrow('can be read by others')
    await chmod(key, 0o600)
    await expect(place.open()).rejects.toThrow('The variable "PAYLOADS"')
    await writeFile(key, 'short')
    await expect(place.open({ env })).rejects.toThrow('less than 16 characters')
  })
})

test('a state directory within the project is refused', async () => {
  const place = await makePlace()
  const opened = place.open({ home: join(place.root, 'state') })
  await expect(opened).rejects.toMatchObject({ code: 'unsafe-home' })
})
