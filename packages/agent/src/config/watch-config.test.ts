import { rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import {
  compileTable,
  createEngine,
  emptyTable,
  type Hook,
  proceed,
} from 'hookline'
import { type PointName, points } from 'hookline/lifecycle'
import { expect, test } from 'vitest'
import type { HookDefinition } from '../handlers/definition.ts'
import { createConfigWorld, gate, observer } from './fixtures/config-world.ts'
import { watchWorld } from './fixtures/watching.ts'
import type { LoadedConfig } from './loaded-config.ts'

const namesOf = ({ hooks }: LoadedConfig) => hooks.map(({ name }) => name)
const has =
  (...names: string[]) =>
  (config: LoadedConfig) =>
    namesOf(config).join() === names.join()
const says = (code: string) => (config: LoadedConfig) =>
  config.problems.some((problem) => problem.code === code)

test('files that change and that appear are loaded', async () => {
  const world = await createConfigWorld()
  const { loads, until } = await watchWorld(world)
  expect(loads).toHaveLength(1)
  expect(namesOf(loads[0] as LoadedConfig)).toEqual([])
  await world.write('root/hookline.config.json', { hooks: [gate('a')] })
  await until(has('a'))
  await world.write('root/.hookline/local.yaml', 'hooks: []')
  await world.write('root/.hookline/hooks.json', {
    hooks: [gate('b', { priority: 1 })],
  })
  await until(has('a', 'b'))
  await world.write('user/hooks.json', { hooks: [gate('u', { priority: 2 })] })
  await until(has('u', 'a', 'b'))
  await world.write('root/hookline.config.json', { hooks: [gate('c')] })
  await until(has('u', 'c', 'b'))
})

test('F117 what is half written keeps what was said before', async () => {
  const world = await createConfigWorld()
  const whole = JSON.stringify({
    hooks: [gate('a'), gate('b', { priority: 1 })],
  })
  const file = await world.write('user/hooks.json', whole)
  const { until, watch } = await watchWorld(world)
  expect(namesOf(watch.current)).toEqual(['a', 'b'])
  for (const half of [whole.slice(0, 40), '', whole.slice(0, -1)]) {
    await writeFile(file, half)
    const config = await until(says(half === '' ? 'empty' : 'syntax'))
    expect(namesOf(config)).toEqual(['a', 'b'])
    expect(config.sources).toMatchObject([{ state: 'kept', file }])
  }
  await writeFile(file, JSON.stringify({ hooks: [gate('a')] }))
  const config = await until(has('a'))
  expect(config.problems).toEqual([])
})

test('F118 a file that has gone stays in force, with an alarm', async () => {
  const world = await createConfigWorld()
  await world.write('managed/hooks.json', { hooks: [gate('m')] })
  const file = await world.write('user/hooks.json', {
    hooks: [gate('u', { priority: 1 })],
  })
  const { until, watch } = await watchWorld(world)
  await rm(file)
  const config = await until(says('missing-file'))
  expect(namesOf(config)).toEqual(['m', 'u'])
  expect(config.problems).toMatchObject([
    { code: 'missing-file', severity: 'error', file, layer: 'user' },
  ])

  await rm(world.places.managed, { recursive: true })
  await until(({ problems }) => problems.length === 2)
  expect(namesOf(watch.current)).toEqual(['m', 'u'])
  expect(watch.current.fatal).toBeUndefined()

  await watch.reload({ forgetsMissing: true })
  expect(namesOf(watch.current)).toEqual(['m'])
  expect(watch.current.sources).toMatchObject([
    { layer: 'managed', state: 'kept' },
  ])
})

test('F118 a file that cannot be read any more stays in force', async () => {
  const world = await createConfigWorld()
  const file = await world.write('user/hooks.json', { hooks: [gate('u')] })
  const { until } = await watchWorld(world)
  await rm(world.places.user, { recursive: true })
  await writeFile(world.places.user, 'a file where the folder was')
  const config = await until(says('unreadable'))
  expect(namesOf(config)).toEqual(['u'])
  expect(config.sources).toMatchObject([{ file, state: 'kept' }])
})

test('a file with another name is no file that has gone', async () => {
  const world = await createConfigWorld()
  const file = await world.write('user/hooks.json', { hooks: [gate('u')] })
  const { until } = await watchWorld(world)
  await rename(file, join(world.places.user, 'hooks.yaml'))
  const config = await until(({ sources }) =>
    sources.every((source) => source.file.endsWith('.yaml')),
  )
  expect(namesOf(config)).toEqual(['u'])
  expect(config.problems).toEqual([])
})

test('nothing is told when nothing is different', async () => {
  const world = await createConfigWorld()
  const content = { hooks: [gate('a')] }
  await world.write('user/hooks.json', content)
  const { loads, watch, until } = await watchWorld(world)
  await world.write('user/hooks.json', content)
  await watch.reload()
  await world.write(
    'user/hooks.toml',
    '[[hooks]]\non = "event"\nhandler = { type = "builtin", name = "x" }',
  )
  await until(({ hooks }) => hooks.length === 2)
  expect(loads).toHaveLength(2)
})

test('F126 a storm of writes is at most two loads a second, and its end counts', async () => {
  const world = await createConfigWorld()
  const file = await world.write('user/hooks.json', { hooks: [] })
  const { loads, until } = await watchWorld(world, { settleMs: 0 })
  const start = performance.now()
  let writes = 0
  while (performance.now() - start < 1_500 || writes <= 100) {
    await writeFile(file, JSON.stringify({ hooks: [gate(`h${writes++}`)] }))
  }
  await writeFile(file, JSON.stringify({ hooks: [gate('last')] }))
  await until(has('last'))
  const seconds = (performance.now() - start) / 1_000
  expect(loads.length).toBeLessThanOrEqual(2 * seconds + 2)
})

/** A table of what was loaded, with hooks that do nothing. */
function compile({ hooks }: LoadedConfig) {
  const bound = hooks.map(({ name, definition }): Hook => {
    const {
      handler: _,
      on,
      mustAnswer: __,
      description: ___,
      ...rest
    } = definition as HookDefinition // what these tests write is nothing else
    return {
      ...rest,
      name,
      on: points[on as PointName],
      run: () => proceed,
    } as Hook
  })
  return compileTable(bound)
}

test('F113 F125 a table that cannot be is not swapped in: the last good one stays', async () => {
  const world = await createConfigWorld()
  const engine = createEngine(emptyTable)
  const faults: unknown[] = []
  const { watch, until } = await watchWorld(world, {
    onLoad: (config) => engine.swap(compile(config)),
    onFault: (error) => faults.push(error),
    maxHooks: 20_000,
  })
  const good = [gate('a'), gate('b', { after: ['a'], priority: 1 })]
  await world.write('user/hooks.json', { hooks: good })
  await until(has('a', 'b'))
  const { table } = engine
  expect(table.hooks.map(({ name }) => name)).toEqual(['a', 'b'])

  const cyclic = [
    gate('a', { after: ['b'] }),
    gate('b', { after: ['a'], priority: 1 }),
  ]
  const selfish = [gate('a', { after: ['a'] })]
  const many = Array.from({ length: 10_001 }, (_, at) =>
    observer(`h${at}`, { priority: at }),
  )
  for (const hooks of [cyclic, selfish, many]) {
    await world.write('user/hooks.json', { hooks })
    await watch.reload()
    expect(engine.table).toBe(table)
  }
  expect(faults.map((fault) => (fault as { code: string }).code)).toEqual([
    'dependency-cycle',
    'dependency-self',
    'too-many-hooks',
  ])
  await world.write('user/hooks.json', { hooks: [gate('c')] })
  await until(has('c'))
  expect(engine.table.hooks.map(({ name }) => name)).toEqual(['c'])
})

test('F113 at the start with nothing but a bad managed file, the result says that no session may start', async () => {
  const world = await createConfigWorld()
  await world.write('managed/hooks.json', '{')
  const { watch, until } = await watchWorld(world)
  expect(watch.current.fatal).toMatchObject({
    code: 'syntax',
    layer: 'managed',
  })
  await world.write('managed/hooks.json', { hooks: [gate('m')] })
  const config = await until(has('m'))
  expect(config.fatal).toBeUndefined()
})

test('what a listener throws is told and ends nothing', async () => {
  const world = await createConfigWorld()
  const faults: unknown[] = []
  const { until } = await watchWorld(world, {
    onLoad: () => Promise.reject(new Error('no')),
    onFault: (error) => {
      faults.push(error)
      throw new Error('not even that')
    },
  })
  expect(faults).toMatchObject([{ message: 'no' }])
  await world.write('user/hooks.json', { hooks: [gate('a')] })
  await until(has('a'))
  expect(faults).toHaveLength(2)
})
