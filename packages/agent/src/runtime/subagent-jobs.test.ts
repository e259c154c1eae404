import { defineHook, type Hook, proceed } from 'hookline'
import {
  type AgentConfig,
  type AgentScope,
  audit,
  turnPostTurn,
} from 'hookline/lifecycle'
import { expect, test } from 'vitest'
import { createPolicy } from '../index.ts'
import { forEachDatabase } from '../store/fixtures/databases.ts'
import type { DatabasePlace } from '../store/fixtures/places.ts'
import { openStore } from '../store/open-store.ts'
import { listOwed } from '../store/sessions/owed-turns.ts'
import { scriptedModel } from '../testing/index.ts'
import { createDurableRuntime, type DurableOptions } from './durable-runtime.ts'
import { tool } from './fixtures/tools.ts'
import type { AnyContext } from './runtime.ts'
import { settleOwed } from './settle-owed.ts'

const main: AgentConfig = { name: 'main', model: 'main', instructions: '' }
const helper: AgentConfig = { ...main, name: 'helper', model: 'helper' }
const made: AgentConfig = { ...helper, name: 'made' }

interface Family extends Partial<DurableOptions> {
  readonly place: DatabasePlace
  /** Who does the task; absent: nobody is given one. */
  readonly child?: string | AgentConfig
  readonly ofMain?: readonly Hook[]
  readonly ofHelper?: readonly Hook[]
}

/** A process with an agent that hands its work on to another. */
async function beginFamily(options: Family) {
  const { place, child = 'helper', ofMain = [], ofHelper, ...rest } = options
  const store = await openStore({ database: place })
  const hand = tool('hand', async (_call, context) => {
    const { status } = await context.delegate({ agent: child, task: 'Do it.' })
    return status
  })
  const scripts = new Map([
    ['main', scriptedModel([{ calls: [{ tool: 'hand' }] }, { text: 'Done.' }])],
    ['helper', scriptedModel([{ text: 'Helped.' }])],
  ])
  const runtime = createDurableRuntime({
    tools: [hand],
    policy: createPolicy({ mode: 'open' }),
    models: { resolve: (name) => scripts.get(name) ?? scriptedModel([]) },
    ...rest,
    store,
  })
  if (ofHelper) await runtime.register(helper, { hooks: ofHelper })
  await runtime.register(main, { hooks: ofMain })
  return {
    store,
    runtime,
    async work() {
      const session = await runtime.openSession({ agent: 'main', id: 's' })
      expect((await session.send('Go.').result).status).toBe('succeeded')
      await runtime.drain()
    },
    async close() {
      await runtime.close()
      await store.close()
    },
  }
}

type Life = Awaited<ReturnType<typeof beginFamily>>

/** A hook that notes whose turns it was told of, and for whom they worked. */
function noting(name: string, told: string[], more: object = {}) {
  return defineHook({
    name,
    on: turnPostTurn,
    execution: 'background',
    match: { agent: ['helper', 'made'] },
    run: (_input, { scope }) => {
      told.push(`${name}: ${pathOf(scope)}`)
    },
    ...more,
  })
}

const pathOf = ({ agent, parents = [] }: AgentScope) =>
  [...parents, agent].join('/')

const statesOf = async ({ runtime }: Life) =>
  (await runtime.queue.list()).jobs.map(({ state, reason }) =>
    [state, reason].join(' ').trim(),
  )

forEachDatabase((kit) => {
  test.each([
    ['here', {}],
    ['in another process', { worker: false }],
  ] as const)(
    "a background hook of a parent runs for its sub-agents' turns, %s",
    async (_, first) => {
      const place = await kit.newPlace()
      const told: string[] = []
      const ofMain = [noting('of-main', told)]
      const common = { place, ofMain, ofHelper: [] }
      const one = await beginFamily({ ...common, ...first })
      await one.work()
      if ('worker' in first) await one.close()
      const last = 'worker' in first ? await beginFamily(common) : one
      await expect.poll(() => told).toEqual(['of-main: main/helper'])
      await expect.poll(() => statesOf(last)).toEqual(['done'])
      await last.close()
    },
  )

  test("a background hook of a parent is tried again as it says, also for a sub-agent's turn", async () => {
    const place = await kit.newPlace()
    const retry = { type: 'fixed', delayMs: 0, maxAttempts: 3 } as const
    const hook = noting('of-main', [], { idempotent: true, retry })
    const life = await beginFamily({
      ...{ place, ofMain: [hook], ofHelper: [], worker: false },
    })
    await life.work()
    const { jobs } = await life.runtime.queue.list()
    expect(jobs).toMatchObject([{ isIdempotent: true, maxAttempts: 3 }])
    await life.close()
  })

  test('a background hook runs for an agent that was made for a task and is gone', async () => {
    const place = await kit.newPlace()
    const told: string[] = []
    const common = {
      ...{ place, child: made },
      hooks: [noting('of-all', told)],
      ofMain: [noting('of-main', told)],
    }
    const first = await beginFamily({ ...common, worker: false })
    await first.work()
    expect(first.runtime.agents.map(({ name }) => name)).toEqual(['main'])
    await first.close()
    const second = await beginFamily(common)
    await expect
      .poll(() => told.toSorted())
      .toEqual(['of-all: main/made', 'of-main: main/made'])
    await expect.poll(() => statesOf(second)).toEqual(['done', 'done'])
    expect(second.runtime.agents.map(({ name }) => name)).toEqual(['main'])
    await second.close()
  })

  test('a background hook of an agent that is not here waits for it, though its parent is', async () => {
    const place = await kit.newPlace()
    const told: string[] = []
    const ofHelper = [noting('of-helper', told)]
    const first = await beginFamily({ place, ofHelper, worker: false })
    await first.work()
    await first.close()
    const second = await beginFamily({ place })
    await expect.poll(() => statesOf(second)).toEqual(['delayed no_agent'])
    await second.runtime.register(helper, { hooks: ofHelper })
    await expect.poll(() => told, { timeout: 10_000 }).toHaveLength(1)
    await second.close()
  })

  test.each([
    ['one that is registered', 'helper', ['of-all', 'of-helper', 'of-main']],
    ['one that was made for the task', made, ['of-all', 'of-main']],
  ])(
    'hooks that are owed the end of a turn are told it as of a sub-agent: %s',
    async (_, child, names) => {
      const place = await kit.newPlace()
      const told: string[] = []
      const waited = { execution: 'record' }
      const common = {
        ...{ place, child, recovers: false },
        hooks: [noting('of-all', told, waited)],
        ofMain: [noting('of-main', told, waited)],
        ofHelper: [noting('of-helper', told, waited)],
      }
      const life = await beginFamily(common)
      await life.work()
      const first = told.splice(0)
      const name = typeof child === 'string' ? child : child.name
      expect(first).toEqual(names.map((one) => `${one}: main/${name}`))
      await owe(life, name)
      expect(await settle(life)).toBe(1)
      expect(told).toEqual(first)
      expect(await listOwed(life.store.parts, 10)).toEqual([])
      await life.close()
    },
  )

  test('hooks of agents that are on their way are told with the others what they are owed', async () => {
    const place = await kit.newPlace()
    const told: string[] = []
    const common = { place, recovers: false }
    const first = await beginFamily({ ...common, ofHelper: [] })
    await first.work()
    await owe(first, 'helper')
    await first.close()
    const ofHelper = noting('of-helper', told, { execution: 'record' })
    const second = await beginFamily(common)
    expect(await settle(second, { isStarting: () => true })).toBe(0)
    await second.runtime.register(helper, { hooks: [ofHelper] })
    expect(await settle(second, { isStarting: () => true })).toBe(1)
    expect(told).toEqual(['of-helper: main/helper'])
    await second.close()
  })

  test('whoever collects what hooks contribute to an owed end does not keep others from it', async () => {
    const place = await kit.newPlace()
    const entry = { event: 'seen', details: {}, isSafeForUser: true }
    const alarms: string[] = []
    const life = await beginFamily({
      ...{ place, ofHelper: [], recovers: false },
      onAlarm: (code, about) => void alarms.push(`${code} ${about}`),
      hooks: ['one', 'two'].map((name) =>
        noting(name, [], {
          execution: 'blocking',
          capabilities: [audit.kind],
          run: (_: unknown, { contribute }: AnyContext) => {
            contribute(audit(entry))
            return proceed
          },
        }),
      ),
    })
    await life.work()
    await owe(life, 'helper')
    const heard: string[] = []
    const errors: unknown[] = []
    await settle(life, {
      onError: (error) => void errors.push(error),
      collect: ({ by }) => {
        heard.push(by)
        throw new Error('No room.')
      },
    })
    expect({ heard, errors }).toEqual({ heard: ['one', 'two'], errors: [] })
    expect(alarms).toEqual(['port-threw collect', 'port-threw collect'])
    await life.close()
  })
})

/** As if the process had died before it told hooks of the turn's end. */
async function owe({ store }: Life, agent: string): Promise<void> {
  const sql = 'UPDATE turns SET owed_by = ? WHERE agent = ?'
  const statements = [{ sql, values: ['gone', agent] }]
  await store.parts.database.write({ name: 'test.owe', statements })
}

const settle = (
  { store, runtime }: Life,
  more: Partial<Parameters<typeof settleOwed>[0]> = {},
) =>
  settleOwed(
    {
      ...{ store, runtime, collect: () => {}, isStarting: () => false },
      onError: (error) => {
        throw error
      },
      ...more,
    },
    100,
  )
