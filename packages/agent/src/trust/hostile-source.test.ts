import { mkdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { sha256 } from '../seal/sha256.ts'
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
  return source
}

const state = (source: TrustSource) => inspect(source).state

test('T06 a file that is trusted in one project is not trusted in another', async () => {
  const other = join(world.base, 'other')
  mkdirSync(other)
  const hash = sha256("export { default } from './rest.ts'")
  const file = { path: 'hookline.config.ts', hash }
  await trust.trustFile(world.project, file)
  expect(trust.isTrusted(world.project, hash)).toBe(true)
  expect(trust.isTrusted(other, hash)).toBe(false)
  await trust.trustFile(other, file)
  expect(trust.isTrusted(other, hash)).toBe(true)
  expect(trust.isTrusted(world.project, hash)).toBe(true)
  await trust.revoke([hash])
  expect(trust.list()).toEqual([])
})

test('T06 where the session has no folder, or one that is gone, the files beside the config count', async () => {
  world.write('.hookline/a.sh', 'echo')
  world.write('a.sh', 'echo')
  const source = sourceOf(
    { on: 'event', handler: { type: 'command', argv: ['sh', 'a.sh'] } },
    { name: 'hook', folder: join(world.project, '.hookline') },
  )
  const hashAt = (cwd: string) => trust.check(world.project, source, { cwd })
  for (const cwd of ['', join(world.base, 'gone')]) {
    const before = hashAt(cwd).hash
    world.write('a.sh', `echo ${cwd}`)
    expect(hashAt(cwd).hash).toBe(before)
    world.write('.hookline/a.sh', `echo ${cwd} x`)
    expect(hashAt(cwd).hash).not.toBe(before)
  }
})

test('T06 the same words in another folder are something else', () => {
  mkdirSync(join(world.project, '.hookline'))
  const source = command(world, { argv: ['cargo', 'run'], cwd: '.' })
  const moved = { ...source, folder: join(world.project, '.hookline') }
  expect(inspect(moved).hash).not.toBe(inspect(source).hash)
})

test('T06 an interpreter that is a script itself has one, too', async () => {
  world.write('hooks/a', '#!tools/one\n', 0o755)
  world.write('tools/one', '#!tools/two\n', 0o755)
  world.write('tools/two', '#!/bin/sh\n', 0o755)
  const source = await trusted(command(world, { argv: ['hooks/a'] }))
  expect(state(source)).toBe('trusted')
  world.write('tools/two', '#!/bin/sh\ntouch owned\n', 0o755)
  expect(state(source)).toBe('changed')
})

test.each([
  'cd tools && ./a.sh',
  'cd tools; cd inner; ./a.sh',
  'make -C tools check',
  'make -Ctools check',
  'npm --prefix=tools run check',
])('T06 what runs where "%s" goes to counts', async (shell) => {
  const files = ['tools/a.sh', 'tools/inner/a.sh', 'tools/Makefile']
  for (const file of [...files, 'tools/package.json']) world.write(file, '{}')
  const source = await trusted(command(world, { shell }))
  expect(state(source)).toBe('trusted')
  for (const file of [...files, 'tools/package.json']) world.write(file, '{ }')
  expect(state(source)).toBe('changed')
})

test('T06 what a module imports from beside it counts', async () => {
  world.write('hooks/gate.ts', "import { deny } from './deny.ts'")
  world.write('hooks/deny.ts', "export { deny } from '../lib/words.ts'")
  world.write('lib/words.ts', 'export const deny = true')
  const source = sourceOf(
    { on: 'event', handler: { type: 'module', file: 'hooks/gate.ts' } },
    { name: 'module', folder: world.project },
  )
  await trusted(source)
  expect(state(source)).toBe('trusted')
  world.write('lib/words.ts', 'export const deny = false')
  expect(state(source)).toBe('changed')
})

test.each([
  ['./rules', 'hooks/rules.js'],
  ['./rules', 'hooks/rules.cjs'],
  ['./rules', 'hooks/rules.json'],
  ['./rules', 'hooks/rules.ts'],
  ['./rules', 'hooks/rules/index.js'],
  ['./rules', 'hooks/rules/package.json'],
  ['./rules', 'hooks/rules/lib/main.js'],
  ['./rules/', 'hooks/rules/index.cjs'],
  ['./rules.js', 'hooks/rules.ts'],
  ['.', 'hooks/index.js'],
  ['..', 'index.js'],
])('T06 where a file requires "%s", %s counts', async (named, loaded) => {
  world.write('hooks/gate.js', `module.exports = require('${named}')`)
  world.write('hooks/rules/package.json', '{"main": "lib/main"}')
  world.write(loaded, `{"main": "lib/main"}`)
  const source = await trusted(command(world, { argv: ['node', 'hooks/gate'] }))
  expect(state(source)).toBe('trusted')
  world.write(loaded, '{"main": "./lib/main"}')
  expect(state(source)).toBe('changed')
})

test('T06 what a file without an ending requires counts', async () => {
  world.write('gate.js', "module.exports = require('./rules')")
  world.write('rules', "module.exports = require('./words')")
  world.write('words.js', 'module.exports = 1')
  const source = await trusted(command(world, { argv: ['node', 'gate.js'] }))
  expect(state(source)).toBe('trusted')
  world.write('words.js', 'module.exports = 2')
  expect(state(source)).toBe('changed')
})

test('T14 a line of a file that never ends holds up nobody', () => {
  const lines = ["'./", 'from ', 'require('].map((start) =>
    start.padEnd(300_000, start === "'./" ? 'a' : ' '),
  )
  world.write('gate.js', lines.join('\n'))
  const started = performance.now()
  inspect(command(world, { argv: ['node', 'gate.js'] }))
  // As long as the line squared, it would take minutes.
  expect(performance.now() - started).toBeLessThan(10_000)
})

test('T06 what a variable loads counts', async () => {
  world.write('start.sh', 'echo')
  const source = await trusted({
    ...command(world, { shell: 'true' }),
    variables: { BASH_ENV: './start.sh' },
  })
  world.write('start.sh', 'touch owned')
  expect(state(source)).toBe('changed')
})

test('T06 however long a script is, its last word counts', async () => {
  world.write('a.sh', 'echo')
  const words = Array.from({ length: 900 }, (_, index) => `w${index}`)
  const shell = `echo ${words.join(' ')}; sh a.sh`
  const source = await trusted(command(world, { shell }))
  expect(state(source)).toBe('trusted')
  world.write('a.sh', 'touch owned')
  expect(state(source)).toBe('changed')
})

test('T14 what names more than can be looked at cannot be trusted, and holds up nobody', async () => {
  const many = (prefix: string) =>
    Array.from({ length: 3_000 }, (_, index) => `${prefix}${index}`).join(' ')
  const argv = [
    'node',
    ...Array.from({ length: 30 }, (_, at) => many(`${at}w`)),
  ]
  const item = inspect(command(world, { argv }))
  expect(item.problems.join()).toContain('more files')
  await expect(trust.trust([item.hash])).rejects.toThrow('cannot be trusted')
})

test('T14 a large file that is not part of it is not read', () => {
  const link = join(world.project, 'zero')
  symlinkSync('/dev/zero', link)
  const { files, problems } = inspect(command(world, { argv: ['cat', 'zero'] }))
  expect(files).toEqual([])
  expect(problems).toEqual([])
})

test('T25 no word that people decide by moves the cursor, or is not seen', () => {
  const blank = '\u3164\u2800\u00a0\ufe0f\u034f'
  const shell = `echo a${blank}b`
  expect(inspect(command(world, { shell })).text).toContain(
    'echo a\\u{3164}\\u{2800}\\u{a0}\\u{fe0f}\\u{34f}b',
  )
  const moving = '\u001b[2K\u202e'
  const { problems } = inspect(command(world, { argv: [`./${moving}`] }))
  expect(problems).toEqual(['"./\\u{1b}[2K\\u{202e}" does not exist.'])
})
