import { mkdir, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { isUse } from '../handlers/definition.ts'
import {
  type ConfigWorld,
  createConfigWorld,
  gate,
  observer,
} from './fixtures/config-world.ts'
import type { LoadedConfig } from './loaded-config.ts'

const namesOf = ({ hooks }: LoadedConfig) => hooks.map(({ name }) => name)
const codesOf = ({ problems }: LoadedConfig) => problems.map(({ code }) => code)

async function writeAll(world: ConfigWorld, files: Record<string, object>) {
  for (const [path, content] of Object.entries(files)) {
    await world.write(path, content)
  }
}

test('the hooks of all layers are there, in the order of the layers', async () => {
  const world = await createConfigWorld()
  await writeAll(world, {
    'root/.hookline/local.json': { hooks: [gate('local', { priority: 1 })] },
    'root/hookline.config.json': { hooks: [gate('project', { priority: 2 })] },
    'root/.hookline/hooks.json': { hooks: [gate('inner', { priority: 3 })] },
    'user/hooks.json': { hooks: [gate('user', { priority: 4 })] },
    'managed/hookline.config.json': { hooks: [gate('top', { priority: 5 })] },
  })
  const value = { hooks: [gate('now', { priority: 6 })] }
  const text = 'hooks: [{on: event, handler: {type: builtin, name: x}}]'
  const config = await world.load({ values: [value, text] })
  expect(config.problems).toEqual([])
  const anonymous = namesOf(config).at(-1)
  expect(namesOf(config)).toEqual([
    'top',
    'user',
    'project',
    'inner',
    'local',
    'now',
    anonymous,
  ])
  expect(anonymous).toMatch(/^anonymous:event:[0-9a-f]{8}$/)
  expect(config.hooks[4]).toMatchObject({
    layer: 'local',
    file: join(world.places.root, '.hookline/local.json'),
    folder: join(world.places.root, '.hookline'),
    line: 1,
  })
  expect(config.sources.map(({ layer, state }) => [layer, state])).toEqual([
    ['managed', 'loaded'],
    ['user', 'loaded'],
    ['project', 'loaded'],
    ['project', 'loaded'],
    ['local', 'loaded'],
    ['command-line', 'loaded'],
    ['command-line', 'loaded'],
  ])
  expect(config.sources[0]?.hash).toMatch(/^[0-9a-f]{64}$/)
})

test('a hook without a name has the same one whatever its order and description', async () => {
  const names = []
  for (const text of [
    'hooks: [{on: event, priority: 3, handler: {type: builtin, name: x}}]',
    '{"hooks": [{"handler": {"name": "x", "type": "builtin"}, "description": "?", "priority": 3, "on": "event"}]}',
  ]) {
    const world = await createConfigWorld()
    await world.write('user/hooks.yaml', text)
    names.push(...namesOf(await world.load()))
  }
  expect(names).toHaveLength(2)
  expect(names[0]).toBe(names[1])
})

test('hooks that mean the same run once, and what others say of them holds', async () => {
  const world = await createConfigWorld()
  await writeAll(world, {
    'user/hooks.json': { hooks: [gate('mine', { priority: 7 })] },
    'root/hookline.config.json': {
      hooks: [
        gate('theirs', { priority: 7, description: 'Another text.' }),
        gate('later', { after: ['theirs'], priority: 8 }),
      ],
    },
  })
  const config = await world.load()
  expect(namesOf(config)).toEqual(['mine', 'later'])
  expect(config.hooks[1]?.definition).toMatchObject({ after: ['mine'] })
  expect(config.problems).toMatchObject([
    { code: 'same-hook', severity: 'warning', layer: 'project' },
  ])
})

test.each([
  { type: 'module', file: './judge.ts' },
  { type: 'command', argv: ['judge'], sandbox: { hidden: ['secrets'] } },
])(
  'two with relative paths in two folders are not the same: %j',
  async (handler) => {
    const world = await createConfigWorld()
    const hooks = [{ on: 'tool.guard', handler }]
    await writeAll(world, {
      'root/hookline.config.json': { hooks },
      'root/.hookline/hooks.json': { hooks },
    })
    const config = await world.load()
    expect(new Set(namesOf(config)).size).toBe(2)
  },
)

test('F114 two hooks with one name in one layer are an error', async () => {
  const world = await createConfigWorld()
  await writeAll(world, {
    'user/hooks.json': { hooks: [gate('a'), gate('a', { priority: 1 })] },
    'root/hookline.config.json': { hooks: [gate('b')] },
    'root/.hookline/hooks.json': { hooks: [gate('b', { priority: 1 })] },
  })
  const config = await world.load()
  expect(namesOf(config)).toEqual(['b'])
  expect(config.problems).toMatchObject([
    { code: 'duplicate-name', severity: 'error', path: 'hooks[1]' },
    { code: 'duplicate-name', severity: 'error', layer: 'project' },
  ])
  expect(config.problems[1]?.file).toContain('.hookline')
})

test('F115 of two with one name the higher layer has it, and the other is reported', async () => {
  const world = await createConfigWorld()
  await writeAll(world, {
    'user/hooks.json': { hooks: [gate('a', { priority: 1 })] },
    'root/hookline.config.json': { hooks: [gate('a', { priority: 2 })] },
  })
  const config = await world.load()
  expect(config.hooks).toMatchObject([{ name: 'a', layer: 'user' }])
  expect(config.problems).toMatchObject([
    { code: 'shadowed', severity: 'warning', layer: 'project' },
  ])
  const values = [{ hooks: [gate('a', { priority: 3 })] }]
  const now = await world.load({ values })
  expect(now.hooks).toMatchObject([{ name: 'a', layer: 'command-line' }])
})

describe('a managed hook', () => {
  const managed = gate('m', { timeoutMs: 5000, onFailure: 'closed' })
  const limited = (sandbox: object) => ({
    ...managed,
    handler: { type: 'command', argv: ['true'], sandbox },
  })
  const unlimited = { ...managed, handler: { type: 'command', argv: ['true'] } }

  async function under(lower: object, top: object = managed) {
    const world = await createConfigWorld()
    await world.write('managed/hooks.json', { hooks: [top] })
    await world.write('user/hooks.json', { hooks: [lower] })
    return world.load()
  }

  test.each([
    ['a shorter time', { ...managed, timeoutMs: 1000 }, managed],
    ['silence as a failure', { ...managed, mustAnswer: true }, managed],
    [
      'more failures that refuse',
      { ...managed, onFailure: 'required' },
      managed,
    ],
    ['open that becomes closed', managed, { ...managed, onFailure: 'open' }],
    ['enforcing', managed, { ...managed, mode: 'evaluate' }],
    ['less memory', limited({ maxMemoryMb: 10 }), limited({})],
    [
      'fewer processes',
      limited({ maxProcesses: 5 }),
      limited({ maxProcesses: 10 }),
    ],
    ['a sandbox', limited({ writable: ['/srv'] }), unlimited],
    [
      'less to write to, and the same hidden',
      limited({ writable: ['/srv'], readOnly: ['/srv/a'], hidden: ['b', 'c'] }),
      limited({ writable: ['/srv', '/opt'], hidden: ['c', 'b'] }),
    ],
  ])('can have %s', async (_, lower, top) => {
    const config = await under(lower, top)
    expect(config.problems).toEqual([])
    expect(config.hooks).toHaveLength(1)
    expect(config.hooks[0]).toMatchObject({
      layer: 'managed',
      definition: lower,
    })
    expect(config.hooks[0]?.tightenedBy).toHaveLength(1)
  })

  test.each([
    ['a longer time', { ...managed, timeoutMs: 9000 }, managed],
    ['no time limit of its own', { ...managed, timeoutMs: undefined }, managed],
    ['an open failure', { ...managed, onFailure: 'open' }, managed],
    [
      'another handler',
      gate('m', { ...managed, handler: { type: 'builtin', name: 'x' } }),
      managed,
    ],
    ['other inputs', { ...managed, match: { tool: 'x' } }, managed],
    ['evaluating', { ...managed, mode: 'evaluate' }, managed],
    ['more memory', limited({ maxMemoryMb: 4_096 }), limited({})],
    ['a limit less', limited({}), limited({ maxDiskMb: 10 })],
    ['no sandbox', unlimited, limited({})],
    ['a folder in sight', limited({}), limited({ hidden: ['/home/u/.ssh'] })],
    [
      'another one hidden, which it may have to read',
      limited({ hidden: ['/a', '/etc/deny-list'] }),
      limited({ hidden: ['/a'] }),
    ],
    [
      'a sandbox that hides what it may have to read',
      limited({ hidden: ['/etc/deny-list'] }),
      unlimited,
    ],
    [
      'sockets back as read-only',
      limited({ readOnly: ['/run'] }),
      limited({ writable: ['/srv'] }),
    ],
    [
      'sockets back by a detour',
      limited({ writable: ['/srv'], readOnly: ['/srv/../run'] }),
      limited({ writable: ['/srv'] }),
    ],
    [
      'sockets back by a link in a folder that is taken out',
      limited({ readOnly: ['/srv/link'] }),
      limited({ writable: ['/srv'] }),
    ],
    [
      'a folder taken out around what stays read-only',
      limited({ readOnly: ['/srv/link'] }),
      limited({ writable: ['/srv'], readOnly: ['/srv/link'] }),
    ],
    ['being off', { ...managed, disabled: true }, managed],
    [
      'a time so short that it fails open',
      { ...managed, onFailure: 'open', timeoutMs: 1 },
      { ...managed, onFailure: 'open' },
    ],
  ])('F115 T04 cannot have %s: it stays as it is', async (_, lower, top) => {
    const config = await under(lower, top)
    expect(config.hooks).toMatchObject([{ layer: 'managed', definition: top }])
    expect(config.problems).toMatchObject([
      { code: 'managed-hook', severity: 'error', layer: 'user' },
    ])
  })

  test('T04 a lower layer cannot switch it off, its own can', async () => {
    const world = await createConfigWorld()
    await writeAll(world, {
      'managed/hooks.json': { hooks: [gate('m')] },
      'user/hooks.json': { disable: ['m'] },
      'root/hookline.config.json': { disable: ['m'] },
    })
    const config = await world.load({ values: [{ disable: ['m'] }] })
    expect(config.hooks[0]?.definition.disabled).toBeUndefined()
    expect(codesOf(config)).toEqual([
      'managed-hook',
      'managed-hook',
      'managed-hook',
    ])
    expect(config.disabled).toEqual([])
    await world.write('managed/hooks.json', {
      hooks: [gate('m')],
      disable: ['m'],
    })
    const { hooks } = await world.load()
    expect(hooks[0]).toMatchObject({ definition: { disabled: true } })
  })

  test('T04 of a hook file of another product is not switched off below, whatever else has its name', async () => {
    const world = await createConfigWorld()
    const name = 'claude-code:PreToolUse'
    const dialects = [{ dialect: 'claude-code', file: 'settings.json' }]
    await writeAll(world, {
      'managed/hooks.json': { dialects },
      'user/hooks.json': { dialects, disable: [name] },
      'root/hookline.config.json': { disable: ['claude-code:approvals'] },
    })
    const isTrusted = () => true
    const namesake = { hooks: [gate(name)], disable: [name] }
    const values = [namesake, { disable: ['codex:PreToolUse'] }]
    const config = await world.load({ isTrusted, values })
    expect(config.problems).toMatchObject(
      ['user', 'project', 'command-line'].map((layer) => {
        return { code: 'managed-hook', severity: 'error', layer }
      }),
    )
    expect(config.disabled).toMatchObject([{ name: 'codex:PreToolUse' }])
    await world.write('managed/hooks.json', { dialects, disable: [name] })
    const { disabled } = await world.load()
    expect(disabled).toMatchObject([{ name, layer: 'managed' }])
  })
})

test('hooks are switched off by name; a wrong name is said', async () => {
  const world = await createConfigWorld()
  await writeAll(world, {
    'user/hooks.json': { hooks: [gate('a'), gate('b', { priority: 1 })] },
  })
  const config = await world.load({ values: [{ disable: ['a', 'bb'] }] })
  expect(config.hooks).toMatchObject([
    {
      name: 'a',
      definition: { disabled: true },
      disabledBy: { layer: 'command-line' },
    },
    { name: 'b' },
  ])
  expect(config.problems).toMatchObject([
    {
      code: 'unknown-name',
      severity: 'warning',
      suggestion: 'b',
      path: 'disable[1]',
    },
  ])
})

test('T04 a project switches off a hook of the user only when it is trusted', async () => {
  const world = await createConfigWorld()
  await world.write('user/hooks.json', { hooks: [gate('a')] })
  await world.write('root/.hookline/local.json', { disable: ['a'] })
  const config = await world.load()
  expect(config.hooks[0]?.disabledBy).toBeUndefined()
  expect(codesOf(config)).toEqual(['needs-trust'])
  const { hash } = config.sources.at(-1) ?? {}
  expect(config.problems[0]?.message).toContain(hash)
  const trusted = await world.load({
    isTrusted: (asked) => asked.hash === hash,
  })
  expect(trusted.hooks[0]?.disabledBy).toMatchObject({ layer: 'local' })
})

const command = { type: 'command', argv: ['x'] }

test('T14 other files still load; a managed one that is wrong is fatal', async () => {
  const world = await createConfigWorld()
  await world.write('user/hooks.json', '{"hooks": [')
  await world.write('root/hookline.config.json', {
    hooks: [gate('toString'), gate('b', { priority: 1 })],
  })
  const some = await world.load()
  expect(namesOf(some)).toEqual(['toString', 'b'])
  expect(some.fatal).toBeUndefined()
  expect(some.sources.map(({ state }) => state)).toEqual(['refused', 'loaded'])

  await world.write('managed/hooks.yaml', 'hooks: [a')
  const config = await world.load()
  expect(namesOf(config)).toEqual(['toString', 'b'])
  expect(config.fatal).toMatchObject({
    code: 'syntax',
    layer: 'managed',
    line: 1,
  })
})

test('T14 a managed folder that cannot be read is fatal', async () => {
  const world = await createConfigWorld()
  await world.write('managed', 'not a folder')
  const config = await world.load()
  expect(config.fatal).toMatchObject({ code: 'unreadable', layer: 'managed' })
  expect(config.fatal?.message).toContain('ENOTDIR')
})

test('what is no file is not waited for', async () => {
  const world = await createConfigWorld()
  await mkdir(join(world.places.root, 'hookline.config.json'))
  await symlink('/dev/zero', join(world.places.root, 'hookline.config.yaml'))
  await symlink('/nowhere', join(world.places.root, 'hookline.config.toml'))
  const { problems } = await world.load()
  expect(problems.map(({ code }) => code)).toEqual(['unreadable', 'unreadable'])
})

test('a managed file stays one where its folder is worked in, or named', async () => {
  const world = await createConfigWorld()
  const file = await world.write('managed/hookline.config.json', {
    hooks: [gate('m')],
  })
  const { managed } = world.places
  const config = await world.load({ root: managed, files: [file] })
  expect(config.hooks).toMatchObject([{ name: 'm', layer: 'managed' }])
  expect(config.sources).toHaveLength(1)
})

test('what the command line names has to be there', async () => {
  const world = await createConfigWorld()
  const file = await world.write(
    'more/extra.toml',
    '[[hooks]]\non = "event"\nhandler = { type = "builtin", name = "x" }',
  )
  const config = await world.load({
    files: [file, join(world.places.root, 'none.json')],
  })
  expect(config.hooks).toMatchObject([{ layer: 'command-line', file }])
  expect(config.problems).toMatchObject([
    { code: 'unreadable', layer: 'command-line' },
  ])
})

test('variables that a file names are for all of its hooks', async () => {
  const world = await createConfigWorld()
  await world.write('user/hooks.json', {
    env: ['CI'],
    setEnv: { A: '1', B: '1' },
    hooks: [
      gate('a', { handler: { ...command, env: ['LANG'], setEnv: { B: '2' } } }),
      gate('b', { handler: { type: 'http', url: 'https://x.example' } }),
      gate('c'),
    ],
  })
  const { hooks } = await world.load()
  const handlers = hooks.map(({ definition }) =>
    isUse(definition) ? undefined : definition.handler,
  )
  expect(handlers).toEqual([
    { ...command, env: ['CI', 'LANG'], setEnv: { A: '1', B: '2' } },
    { type: 'http', url: 'https://x.example', env: ['CI'] },
    gate('c').handler,
  ])
})

test('hook files of other products are named with absolute paths, each once', async () => {
  const world = await createConfigWorld()
  const entry = { dialect: 'claude-code', file: '.claude/settings.json' }
  await world.write('root/hookline.config.json', { dialects: [entry] })
  await world.write('root/.hookline/local.json', {
    dialects: [{ ...entry, file: '../.claude/settings.json', strict: true }],
  })
  const { dialects } = await world.load()
  const file = join(world.places.root, '.claude/settings.json')
  expect(dialects).toMatchObject([
    { dialect: 'claude-code', file, isStrict: true, layer: 'project', line: 1 },
  ])
})

test('F125 more hooks than a table holds take out the file that has them', async () => {
  const world = await createConfigWorld()
  const hooks = Array.from({ length: 10_000 }, (_, index) => {
    return observer(`h${index}`, { priority: index })
  })
  await world.write('user/hooks.json', { hooks })
  await world.write('root/hookline.config.json', { hooks: [gate('one-more')] })
  const config = await world.load()
  expect(config.hooks).toHaveLength(10_000)
  expect(config.problems).toMatchObject([
    { code: 'too-many-hooks', severity: 'error', layer: 'project' },
  ])
})
