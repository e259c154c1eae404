import { defineHook, proceed } from 'hookline'
import { toolGuard } from 'hookline/lifecycle'
import { expect, test } from 'vitest'
import {
  createMemoryStore,
  createPolicy,
  type JournalEntry,
  type SessionStore,
} from '../index.ts'
import {
  defer,
  openBench,
  recorder,
  sealsOf,
  settle,
} from './fixtures/tool-bench.ts'

const calls = [{ tool: 'write', id: 'c1', args: { x: 1 } }]

/** A store that loses entries of some types, and says so. */
function failingStore(
  fails: (entry: JournalEntry) => boolean,
  how: 'throws' | 'rejects' = 'throws',
): SessionStore {
  const store = createMemoryStore()
  return {
    ...store,
    append(sessionId, entries) {
      if (!entries.some(fails)) return store.append(sessionId, entries)
      const error = new Error('disk full')
      if (how === 'throws') throw error
      return Promise.reject(error)
    },
  }
}

test.each(['throws', 'rejects'] as const)(
  'no action without its record: a store that %s runs nothing',
  async (how) => {
    const { tool, ran } = recorder('write')
    const store = failingStore(({ type }) => type === 'call-seal', how)
    const bench = await openBench({ calls, tools: [tool], store })
    const { status, error } = await bench.session.send('go').result
    expect(ran).toEqual([])
    expect(status).toBe('failed')
    expect(error?.message).toContain('disk full')
  },
)

test('a store that keeps nothing any more fails the turn and nothing else', async () => {
  const { tool, ran } = recorder('write')
  const gate = defer()
  const slow = defineHook({
    name: 'slow',
    on: toolGuard,
    match: { args: { x: 2 } },
    run: () => gate.promise.then(() => proceed),
  })
  const isOfCall = ({ type }: JournalEntry) => type.startsWith('call-')
  const two = [...calls, { tool: 'write', id: 'c2', args: { x: 2 } }]
  const bench = await openBench({
    calls: two,
    tools: [tool],
    hooks: [slow],
    store: failingStore(isOfCall),
  })
  const { result } = bench.session.send('go')
  await settle()
  gate.resolve()
  expect(await result).toMatchObject({ status: 'failed' })
  expect(ran).toEqual([])
})

test('a call is recorded, with its seal and its verdicts, before the tool is told to run', async () => {
  const kept = defer()
  const order: string[] = []
  const store = createMemoryStore()
  const { tool } = recorder('write', {
    execute: () => {
      order.push('ran')
      return 'ran'
    },
  })
  const bench = await openBench({
    calls,
    tools: [tool],
    store: {
      ...store,
      async append(sessionId, entries) {
        for (const { type } of entries) order.push(type)
        if (entries.at(-1)?.type === 'call-seal') await kept.promise
        await store.append(sessionId, entries)
      },
    },
  })
  const { result } = bench.session.send('go')
  await settle()
  expect(order).toEqual(['turn-start', 'step-open', 'call-seal'])
  kept.resolve()
  await result
  expect(order.slice(3, 6)).toEqual(['ran', 'call-end', 'step-commit'])
})

test('a cancel while the record is being written runs nothing', async () => {
  const asked = defer()
  const kept = defer()
  const store = createMemoryStore()
  const { tool, ran } = recorder('write')
  const bench = await openBench({
    calls,
    tools: [tool],
    store: {
      ...store,
      async append(sessionId, entries) {
        if (entries.at(-1)?.type === 'call-seal') {
          asked.resolve()
          await kept.promise
        }
        await store.append(sessionId, entries)
      },
    },
  })
  const turn = bench.session.send('go')
  await asked.promise
  turn.cancel()
  kept.resolve()
  expect(await turn.result).toMatchObject({ status: 'cancelled' })
  expect(ran).toEqual([])
})

test('the record says which hooks judged the call, at which point, and what they said', async () => {
  const { tool } = recorder('write')
  const first = defineHook({ name: 'b', on: toolGuard, run: () => proceed })
  const second = defineHook({
    name: 'a',
    on: toolGuard,
    priority: 1,
    run: () => proceed,
  })
  const hooks = [first, second]
  const bench = await openBench({ calls, tools: [tool], hooks })
  await bench.session.send('go').result
  const [record] = sealsOf(bench)
  expect(record?.verdicts).toMatchObject([
    { hook: 'a', point: 'tool.guard', answer: 'proceed' },
    { hook: 'b', point: 'tool.guard', answer: 'proceed' },
  ])
})

const broken = () => {
  throw new Error('out of order')
}

test.each<[string, Partial<Parameters<typeof openBench>[0]>]>([
  ['the journal', {}],
  ['a gate', { policy: { ...createPolicy(), grant: broken } }],
  [
    'the approvals',
    {
      policy: createPolicy({ mode: 'ask-writes' }),
      approvals: { ask: broken },
    },
  ],
])(
  'a call that %s stopped is put down to that, and not to policy',
  async (what, parts) => {
    const { tool, ran } = recorder('write')
    const entries: JournalEntry[] = []
    const kept = failingStore(
      ({ type }) => what === 'the journal' && type === 'call-seal',
    )
    const store: SessionStore = {
      ...kept,
      append(id, more) {
        entries.push(...more)
        return kept.append(id, more)
      },
    }
    const bench = await openBench({ calls, tools: [tool], store, ...parts })
    await bench.session.send('go').result
    expect(ran).toEqual([])
    expect(entries.find(({ type }) => type === 'call-end')).toMatchObject({
      decidedBy: { kind: 'fault', name: what },
    })
  },
)
