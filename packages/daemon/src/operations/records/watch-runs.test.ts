import { defineHook, proceed, reject } from 'hookline'
import { toolGuard, toolPreCall } from 'hookline/lifecycle'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import type { InputOf, OutputOf } from '../../protocol/operations.ts'
import { makeGate } from '../../reload/fixtures/gate.ts'
import {
  admin,
  as,
  longMs,
  openWorld,
  runner,
  type World,
} from '../fixtures/open-world.ts'

vi.setConfig({ testTimeout: longMs })

const internal = defineHook({
  name: 'internal',
  on: toolPreCall,
  run: () => proceed,
})
const seen = defineHook({
  name: 'seen',
  on: toolGuard,
  visibility: 'user_visible',
  run: ({ args }) => (args['command'] === 'rm' ? reject('No.') : proceed),
})

type Item = OutputOf<'watchRuns'>

/** Reads from now on; what is read is not read again. */
async function follow(
  { operations }: World,
  input: InputOf<'watchRuns'> = {},
  { caller } = admin,
) {
  const stop = new AbortController()
  onTestFinished(() => stop.abort())
  const context = { caller, signal: stop.signal }
  const stream = await operations.watchRuns(input, context)
  const items = stream[Symbol.asyncIterator]()
  const first = (await items.next()).value as Item // it has not ended
  expect(first).toMatchObject({ type: 'notice', name: 'runs-followed' })
  let cursor = first.cursor ?? ''
  return {
    end: () => stop.abort(),
    /** How so many runs ended, and where. */
    async read(count: number) {
      const runs: string[] = []
      while (runs.length < count) {
        const item = (await items.next()).value as Item // it has not ended
        cursor = item.cursor ?? cursor
        if (item.type === 'run') runs.push(`${item.run.hook} ${item.run.state}`)
      }
      return runs
    },
    async isOver() {
      return (await items.next()).done
    },
    get cursor() {
      return cursor
    },
  }
}

describe.each(['sqlite', 'postgres'] as const)('on %s', (engine) => {
  test('runs are told as they end, each once, to those who may see them', async () => {
    const world = await openWorld({ engine, hooks: [internal, seen] })
    await world.callTool({ command: 'ls' })
    const all = await follow(world)
    const some = await follow(world, {}, runner)
    const refusals = await follow(world, { hook: 'seen', state: 'completed' })
    await world.callTool({ command: 'rm' })
    const both = ['internal completed', 'seen completed']
    expect((await all.read(2)).toSorted()).toEqual(both)
    await world.callTool({ command: 'ls' })
    expect((await all.read(2)).toSorted()).toEqual(both)
    expect(await some.read(2)).toEqual(['seen completed', 'seen completed'])
    expect(await refusals.read(2)).toEqual(['seen completed', 'seen completed'])
    all.end()
    expect(await all.isOver()).toBe(true)
  })

  test('a run that had begun before is told when it ends', async () => {
    const gate = makeGate()
    const slow = defineHook({
      name: 'slow',
      on: toolGuard,
      async run() {
        await gate.pass()
        return proceed
      },
    })
    const world = await openWorld({ engine, hooks: [slow] })
    const call = world.callTool({})
    await gate.arrived
    const { operations } = world
    const isStarted = async () => {
      const started = { state: 'started' } as const
      const { items } = await operations.listRuns(started, admin)
      expect(items).toHaveLength(1)
    }
    await vi.waitFor(isStarted, { timeout: longMs / 2, interval: 20 })
    const failures = await follow(world, { state: 'failed' })
    const stream = await follow(world)
    gate.open()
    expect(await stream.read(1)).toEqual(['slow completed'])
    await call
    failures.end()
    expect(await failures.isOver()).toBe(true)
  })

  test('whoever was away goes on after their cursor, and nothing is lost', async () => {
    const world = await openWorld({ engine, hooks: [seen] })
    const first = await follow(world)
    await world.callTool({ command: 'ls' })
    await first.read(1)
    first.end()
    await world.callTool({ command: 'ls' })
    await world.callTool({ command: 'ls' })
    const second = await follow(world, { after: first.cursor })
    await world.callTool({ command: 'ls' })
    // The one that was told before may come again.
    expect(await second.read(4)).toHaveLength(4)
    const odd = async () => world.operations.watchRuns({ after: 'x' }, admin)
    await expect(odd()).rejects.toMatchObject({ code: 'bad-request' })
  })
})

test('there is a bound to how many follow, in all and of one, and whoever has gone does not count', async () => {
  const world = await openWorld()
  const { operations } = world
  const more = async (name: string) => operations.watchRuns({}, as(name, 'run'))
  const refusal = { code: 'too-many' }
  const callers = [1, 2, 3, 4, 5].map((one) => as(`caller-${one}`, 'run'))
  const streams = await Promise.all(
    callers.flatMap((caller) =>
      Array.from({ length: 10 }, () => follow(world, {}, caller)),
    ),
  )
  await expect(more('late')).rejects.toMatchObject(refusal)
  for (const stream of streams.splice(10)) {
    stream.end()
    expect(await stream.isOver()).toBe(true)
  }
  const again = await follow(world, {}, as('late', 'run'))
  again.end()
  // One of them has as many as one may have.
  await expect(more('caller-1')).rejects.toMatchObject(refusal)
  for (const stream of streams) stream.end()
})
