import { ask, defineHook, proceed } from 'hookline'
import { audit, sessionEnd, toolGuard, turnPostTurn } from 'hookline/lifecycle'
import { expect, test } from 'vitest'
import {
  createMemoryStore,
  createPolicy,
  type Model,
  type SessionStore,
} from '../index.ts'
import { verifyAudit } from '../store/audit/verify-audit.ts'
import { forEachDatabase } from '../store/fixtures/databases.ts'
import { listRuns } from '../store/queries/list-runs.ts'
import { whyCall } from '../store/queries/why-call.ts'
import { getSession } from '../store/sessions/list-sessions.ts'
import { askingModel, live, notedTool } from './fixtures/crashes.ts'
import { beginLife } from './fixtures/durable.ts'

const policy = createPolicy({ mode: 'open' })
const models = (model: Model) => ({ resolve: () => model })
const ann = { kind: 'user', id: 'ann' } as const

forEachDatabase((kit) => {
  test('a session goes on in another process', async () => {
    const place = await kit.newPlace()
    const ran: string[] = []
    const common = {
      place,
      policy,
      tools: [notedTool('one', ran)],
      models: models(askingModel(['one'])),
    }
    const first = await beginLife(common)
    const opened = await first.runtime.openSession({ agent: 'main', id: 's' })
    expect((await opened.send('Go.').result).status).toBe('succeeded')
    const { messages } = opened
    await first.close()
    const second = await beginLife(common)
    const session = await second.runtime.openSession({ agent: 'main', id: 's' })
    expect(session.messages).toEqual(messages)
    expect(session.interrupted).toBeUndefined()
    await session.send('Again.').result
    expect(ran).toEqual(['one'])
    await second.close()
  })

  test("a session that was closed is nobody's, and its process keeps nothing of it", async () => {
    const place = await kit.newPlace()
    const model = models(askingModel([]))
    const stubborn = defineHook({
      name: 'stubborn',
      on: sessionEnd,
      onFailure: 'required',
      run: (_, { scope }) => {
        if (scope.sessionId === 'kept') throw new Error('Not now.')
        return proceed
      },
    })
    const hooks = [stubborn]
    const life = await beginLife({ place, policy, models: model, hooks })
    const { runtime, store } = life
    for (const id of ['one', 'kept']) {
      const session = await runtime.openSession({ agent: 'main', id })
      await session.send('Go.').result
      const closed = session.close()
      if (id === 'one') await closed
      else await expect(closed).rejects.toThrow()
      const listed = await getSession(store.parts, id)
      expect(listed).toMatchObject({ worker: null })
      expect(listed?.endReason).toBe(id === 'one' ? 'closed' : null)
      const late = store.sessions.append(id, [
        { type: 'session-end', reason: 'closed' },
      ])
      await expect(late).rejects.toMatchObject({ code: 'session-elsewhere' })
    }
    // What could not be closed goes on with whoever opens it.
    const other = await beginLife({ place, policy, models: model })
    await other.runtime.openSession({ agent: 'main', id: 'kept' })
    await other.close()
    await life.close()
  })

  test('two processes do not have one session at the same time', async () => {
    const place = await kit.newPlace()
    const common = { place, policy, models: models(askingModel([])) }
    const [first, second] = [await beginLife(common), await beginLife(common)]
    const options = { agent: 'main', id: 's' }
    const session = await first.runtime.openSession(options)
    await expect(second.runtime.openSession(options)).rejects.toMatchObject({
      code: 'session-elsewhere',
    })
    await session.detach()
    await second.runtime.openSession(options)
    await first.close()
    await second.close()
  })

  test('I3 who judged a call, and its seal, are on the disk before the call runs, and why it ran can be asked', async () => {
    const place = await kit.newPlace()
    const guard = defineHook({
      name: 'guard',
      on: toolGuard,
      run: async () => proceed,
    })
    const seen: unknown[] = []
    const life = await beginLife({
      place,
      policy,
      hooks: [guard],
      tools: [
        {
          ...notedTool('one', []),
          dispatch: async () => {
            const { parts } = life.store
            const { runs } = await listRuns(parts, { hook: 'guard' })
            const [run] = runs
            const about = { turnId: run?.turnId ?? '', callId: 'call-one' }
            const { seal, verdicts } = (await whyCall(parts, about)) ?? {}
            seen.push({ runs: runs.length, seal, verdicts: verdicts?.length })
            return { content: [], isError: false }
          },
        },
      ],
      models: models(askingModel(['one'])),
    })
    const session = await life.runtime.openSession({ agent: 'main', id: 's' })
    const { turnId } = await session.send('Go.').result
    await life.runtime.drain()
    const why = await whyCall(life.store.parts, { turnId, callId: 'call-one' })
    expect(why?.seal).toMatch(/^\w{64}$/)
    expect(seen).toEqual([{ runs: 1, seal: why?.seal, verdicts: 1 }])
    expect(why).toMatchObject({
      tool: 'one',
      status: 'executed',
      verdicts: [{ hook: 'guard', point: 'tool.guard', answer: 'proceed' }],
    })
    await life.close()
  })

  test('I5 F182 F186 a question is answered in another process, and the call runs once, where its tool is', async () => {
    const place = await kit.newPlace()
    const ran: string[] = []
    const asks = defineHook({
      name: 'asks',
      on: toolGuard,
      run: () => ask('May it?'),
    })
    const common = {
      place,
      policy,
      hooks: [asks],
      tools: [notedTool('one', ran)],
      models: models(askingModel(['one'])),
      storeOptions: { key: 'a key of sixteen bytes or more' },
    }
    const first = await beginLife(common)
    const opened = await first.runtime.openSession({ agent: 'main', id: 's' })
    const turn = opened.send('Go.')
    await expect
      .poll(async () => (await first.store.approvals.pending()).items.length)
      .toBe(1)
    await opened.detach()
    await turn.result
    const [open] = (await first.store.approvals.pending()).items
    const { id = '', shownHash = '' } = open ?? {}
    const reply = { type: 'allow', shownHash } as const
    expect(await first.store.approvals.answer(id, reply, ann)).toMatchObject({
      type: 'accepted',
    })
    await first.close()

    const bare = await beginLife({ ...common, tools: [] })
    const there = await bare.runtime.openSession({ agent: 'main', id: 's' })
    expect(() => there.resume()).toThrow(
      expect.objectContaining({ code: 'missing-tool' }),
    )
    expect(await bare.store.approvals.get(id)).toMatchObject({
      state: 'approved',
    })
    await bare.close()

    const second = await beginLife(common)
    const { approvals, parts, audit: log } = second.store
    const session = await second.runtime.openSession({ agent: 'main', id: 's' })
    expect(session.interrupted?.questions).toMatchObject([{ id }])
    const { status, turnId } = await session.resume().result
    expect(status).toBe('succeeded')
    expect(ran).toEqual(['one'])
    expect(await approvals.get(id)).toMatchObject({ state: 'used' })
    const why = await whyCall(parts, { turnId, callId: 'call-one' })
    expect(why?.approvedBy).toMatchObject({
      kind: 'person',
      name: expect.stringContaining('ann'),
    })
    expect(why?.approvals).toMatchObject([{ id, state: 'used' }])
    await log.flush()
    expect(
      await verifyAudit(parts, { key: common.storeOptions.key }),
    ).toMatchObject({ isIntact: true })
    await second.close()
  })

  test('a background hook runs as a job, also one of a process that stopped', async () => {
    const place = await kit.newPlace()
    const told: string[] = []
    const after = defineHook({
      name: 'after',
      on: turnPostTurn,
      execution: 'background',
      run: ({ status }) => {
        told.push(status)
      },
    })
    const common = {
      place,
      policy,
      hooks: [after],
      models: models(askingModel([])),
    }
    const first = await beginLife({ ...common, worker: false })
    const session = await first.runtime.openSession({ agent: 'main', id: 's' })
    await session.send('Go.').result
    await first.close()
    expect(told).toEqual([])
    const second = await beginLife(common)
    await expect.poll(() => told).toEqual(['succeeded'])
    await second.close()
  })

  test('what hooks want to be remembered is in the audit chain', async () => {
    const place = await kit.newPlace()
    const notes = defineHook({
      name: 'notes',
      on: toolGuard,
      capabilities: [audit.kind],
      run: (_, { contribute }) => {
        contribute(audit({ event: 'seen', details: {}, isSafeForUser: true }))
        return proceed
      },
    })
    const life = await beginLife({
      place,
      policy,
      hooks: [notes],
      tools: [notedTool('one', [])],
      models: models(askingModel(['one'])),
    })
    const session = await life.runtime.openSession({ agent: 'main', id: 's' })
    await session.send('Go.').result
    await life.store.audit.flush()
    const sql = 'SELECT kind, actor FROM audit ORDER BY seq'
    const rows = await life.store.parts.database.read({ sql, values: [] })
    expect(rows).toEqual([
      { kind: 'hook.audit', actor: 'notes' },
      { kind: 'call.sealed', actor: null },
    ])
    await life.close()
  })
})

test('a store that writes when the call has run would be noticed', async () => {
  const order: string[] = []
  const store = createMemoryStore()
  const late: SessionStore = {
    ...store,
    append(sessionId, entries) {
      const write = () => {
        order.push(...entries.map(({ type }) => type))
        return store.append(sessionId, entries)
      }
      // Broken on purpose: it says that it is written before it is.
      setTimeout(() => void write(), 0)
    },
  }
  const session = await live({
    store: late,
    model: askingModel(['one']),
    tools: [
      {
        ...notedTool('one', order),
        dispatch: async () => {
          order.push('ran')
          return { content: [], isError: false }
        },
      },
    ],
  })
  await session.send('Go.').result
  await expect.poll(() => order).toContain('turn-end')
  expect(order.indexOf('ran')).toBeLessThan(order.indexOf('call-seal'))
})
