import { existsSync, mkdirSync, renameSync, rmSync, symlinkSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { countLooks } from '../handlers/module/fixtures/count-looks.ts'
import { command, type TrustWorld, trustWorld } from './fixtures/trust-world.ts'
import type { Trust } from './trust.ts'
import type { TrustSource } from './trust-source.ts'

let world: TrustWorld
let trust: Trust

beforeEach(() => {
  world = trustWorld()
  trust = world.open()
})

afterEach(() => {
  vi.restoreAllMocks()
  world[Symbol.dispose]()
})

const inspect = (source: TrustSource, by = trust) => {
  const [item] = by.inspect(world.project, [source]).items
  if (item === undefined) throw new Error('There is no item.')
  return item
}

const times = (count: number, make: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => make(index))

/** Code that requires so many files; they are there, unless it says otherwise. */
function requires(count: number, { folder = 'src', isThere = true } = {}) {
  for (const path of times(isThere ? count : 0, (at) => `${folder}/m${at}.js`))
    world.write(path, `module.exports = '${path}'`)
  return times(count, (at) => `require('./${folder}/m${at}')`).join('\n')
}

test.each<[string, () => Parameters<typeof command>[1]]>([
  [
    'a file that requires 1 000 others without their endings',
    () => {
      world.write('gate.js', requires(1_000))
      return { argv: ['node', 'gate.js'] }
    },
  ],
  [
    'a file of TypeScript that imports 1 000 others by the names they get',
    () => {
      const names = times(1_000, (at) => `m${at}`)
      for (const name of names) world.write(`src/${name}.ts`, '')
      const lines = names.map((name) => `import './src/${name}.js'`)
      world.write('gate.ts', lines.join('\n'))
      return { argv: ['tsx', 'gate.ts'] }
    },
  ],
  [
    'a script of 900 words beside node',
    () => ({ shell: `node -e 1 ${times(900, (at) => `w${at}`).join(' ')}` }),
  ],
  [
    'a script of 900 words that goes to a folder',
    () => ({
      shell: `cd . ; cd tools && node -e 1 ${times(900, (at) => `w${at}`).join(' ')}`,
    }),
  ],
])(
  'a name counts once, whatever it may stand for: %s can be trusted',
  async (_what, write) => {
    const source = command(world, write())
    const { hash, problems } = inspect(source)
    expect(problems.filter((one) => one.includes('more'))).toEqual([])
    await trust.trust([hash])
    expect(trust.check(world.project, source).state).toBe('trusted')
  },
)

/** What is written in a file of code, what is there, and what appears later. */
test.each<[string, readonly string[], string]>([
  ['./rules', ['hooks/rules.ts'], 'hooks/rules.js'],
  ['./rules', ['hooks/rules.js'], 'hooks/rules.ts'],
  ['./rules', ['hooks/rules.ts'], 'hooks/rules.jsx'],
  ['./rules', ['hooks/rules.json'], 'hooks/rules'],
  ['./rules', ['hooks/rules/index.js'], 'hooks/rules.js'],
  ['./rules', ['hooks/rules/index.js'], 'hooks/rules/package.json'],
  ['./rules', ['hooks/rules/index.json'], 'hooks/rules/index.js'],
  ['./rules', ['hooks/rules/index.ts'], 'hooks/rules/index.jsx'],
  ['./rules/', ['hooks/rules.js'], 'hooks/rules/index.js'],
  ['./rules', ['hooks/rules.cjs'], 'hooks/rules/index.js'],
  ['./rules', [], 'hooks/rules/index.js'],
  ['./rules.js', ['hooks/rules.ts'], 'hooks/rules.js'],
  ['./rules.js', ['hooks/rules.js'], 'hooks/rules.tsx'],
  ['./rules.js', ['hooks/rules.ts'], 'hooks/rules.js.ts'],
  ['./rules.js', ['hooks/rules.ts'], 'hooks/rules.js/index.js'],
  ['./rules.mjs', ['hooks/rules.mjs'], 'hooks/rules.mts'],
])(
  'T06 where a file requires "%s" and has %j, %s that appears changes the trust',
  async (written, there, appears) => {
    world.write('hooks/gate.js', `module.exports = require('${written}')`)
    for (const path of there) world.write(path, '{}')
    const source = command(world, { argv: ['node', 'hooks/gate.js'] })
    const { hash } = inspect(source)
    await trust.trust([hash])
    expect(trust.check(world.project, source).state).toBe('trusted')
    world.write(appears, '{"main": "./owned"}')
    expect(trust.check(world.project, source).state).toBe('changed')
    // Who has not seen it before says the same.
    expect(inspect(source, world.open()).state).toBe('changed')
    rmSync(join(world.project, appears))
    expect(trust.check(world.project, source).state).toBe('trusted')
    expect(inspect(source, world.open()).hash).toBe(hash)
  },
)

test.each([
  ['is a device', () => symlinkSync('/dev/null', rules())],
  ['is empty', () => mkdirSync(rules())],
  ['leads nowhere', () => symlinkSync('./nowhere', rules())],
])(
  'T06 a folder that comes where a name of a file %s changes the trust',
  async (_what, make) => {
    world.write('gate.js', `module.exports = require('./rules')`)
    make()
    const source = command(world, { argv: ['node', 'gate.js'] })
    await trust.trust([inspect(source).hash])
    expect(trust.check(world.project, source).state).toBe('trusted')
    world.write('other/index.js', 'owned()')
    rmSync(rules(), { recursive: true })
    renameSync(join(world.project, 'other'), rules())
    expect(trust.check(world.project, source).state).toBe('changed')
  },
)

const rules = () => join(world.project, 'rules')

test('T14 what names more than can be looked at is followed no further, and costs what can be', () => {
  world.write('gate.js', requires(40_000, { isThere: false }))
  const source = command(world, { argv: ['node', 'gate.js'] })
  const { asked } = countLooks(() => {
    expect(inspect(source).problems.join()).toContain('more files')
  })
  // 5 000 names, each asked for by at most 30 paths.
  expect(asked).toBeLessThan(150_000)
  // It is the first of many that leads to too much: nobody reads the others.
  world.write(
    'gate.js',
    `${requires(50)}\n${requires(6_000, { folder: 'no' })}`,
  )
  expect(existsSync(join(world.project, 'src/m49.js'))).toBe(true)
  const { read } = countLooks(() => inspect(source, world.open()))
  const others = read.filter((path) => dirname(path).endsWith('src'))
  // Their bytes are part of the hash, which takes one time.
  expect(others.length).toBeLessThanOrEqual(50)
})

test('T14 code of which there is more than can be read cannot be trusted, and is read no further', () => {
  world.write('all.js', "'./all'\n".repeat(100_000))
  mkdirSync(join(world.project, 'src'))
  for (const path of times(200, (at) => `src/m${at}.js`))
    symlinkSync('../all.js', join(world.project, path))
  world.write('gate.js', requires(200, { isThere: false }))
  const source = command(world, { argv: ['node', 'gate.js'] })
  const { read } = countLooks(() => {
    expect(inspect(source).problems.join()).toContain('more files')
  })
  // Each is opened for its bytes, and those that are followed twice more: 84 of
  // them are 64 MiB.
  expect(read.length).toBeLessThan(450)
})

test('hooks that name many files which are not there keep the hashes of those that are', () => {
  const sources = times(3, (at) => `${at}`).map((name) => {
    world.write(
      `gate${name}.js`,
      requires(4_000, { folder: name, isThere: false }),
    )
    return command(world, { argv: ['node', `gate${name}.js`] }, name)
  })
  // Files that were just written are read each time.
  const now = Date.now
  vi.spyOn(Date, 'now').mockImplementation(() => now() + 10_000)
  const look = () => {
    for (const one of sources) trust.check(world.project, one)
  }
  look()
  expect(countLooks(look).read).toEqual([])
})
