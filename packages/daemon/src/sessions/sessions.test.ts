import { deleteSession } from '@hookline/agent/durable'
import { describe, expect, test } from 'vitest'
import type { StreamItem } from '../protocol/schemas/events.ts'
import { hostWorld } from './fixtures/host-world.ts'
import { contextOf } from './fixtures/open-host.ts'
import { lastOutcome } from './turn-outcome.ts'

const context = contextOf()

describe.each(['sqlite', 'postgres'] as const)('on %s', (dialect) => {
  test('a session is begun, answers, and can be looked at', async () => {
    const { open } = await hostWorld(dialect)
    const { service } = await open()
    const { id, state } = await service.createSession({}, context)
    expect(state).toBe('idle')
    const sent = { sessionId: id, input: 'Hello.', wait: true }
    const outcome = await service.send(sent, context)
    expect(outcome).toMatchObject({
      status: 'succeeded',
      text: 'You said: Hello.',
    })
    const { messages } = await service.listMessages({ sessionId: id }, context)
    expect(messages).toHaveLength(2)
    const turns = await service.listTurns({ sessionId: id }, context)
    expect(turns.items).toMatchObject([{ status: 'succeeded' }])
  })

  test('a list tells what each session does, and finds some of them', async () => {
    const { open, openGate } = await hostWorld(dialect)
    const { service } = await open()
    const { id: slow } = await service.createSession({}, context)
    const { id: idle } = await service.createSession({}, context)
    const { id: over } = await service.createSession({}, context)
    await service.closeSession({ sessionId: over }, context)
    const turn = service.send({ sessionId: slow, input: 'slow' }, context)
    const list = async (input = {}) => {
      const { items } = await service.listSessions(input, context)
      return Object.fromEntries(items.map(({ id, state }) => [id, state]))
    }
    await expect
      .poll(() => list())
      .toEqual({
        [slow]: 'running',
        [idle]: 'idle',
        [over]: 'ended',
      })
    expect(await list({ state: 'ended' })).toEqual({ [over]: 'ended' })
    expect(await list({ search: idle.toUpperCase() })).toEqual({
      [idle]: 'idle',
    })
    expect(await list({ search: `${idle} nothing-like-it` })).toEqual({})
    expect(await list({ search: idle, state: 'ended' })).toEqual({})
    openGate()
    await turn
  })

  test('messages come in pages, from the last ones back', async () => {
    const { open } = await hostWorld(dialect)
    const { service } = await open()
    const { id: sessionId } = await service.createSession({}, context)
    for (const input of ['One.', 'Two.']) {
      await service.send({ sessionId, input, wait: true }, context)
    }
    const page = async (more: { limit?: number; before?: number }) =>
      await service.listMessages({ sessionId, ...more }, context)
    const all = await page({})
    expect(all).toMatchObject({ from: 0 })
    expect(all.messages).toHaveLength(4)
    const last = await page({ limit: 3 })
    expect(last).toEqual({ from: 1, messages: all.messages.slice(1) })
    const first = await page({ limit: 3, before: last.from })
    expect(first).toEqual({ from: 0, messages: all.messages.slice(0, 1) })
    expect(await page({ before: 0 })).toEqual({ from: 0, messages: [] })
    expect(await page({ before: 99, limit: 1 })).toEqual({
      from: 3,
      messages: all.messages.slice(3),
    })
  })

  test('F201 the same key is answered once, and once more after a restart', async () => {
    const { open, effects } = await hostWorld(dialect)
    const one = await open()
    const { id: sessionId } = await one.service.createSession({}, context)
    const sent = { sessionId, input: 'Hello.', key: 'k', wait: true }
    const first = await one.service.send(sent, context)
    const again = await one.service.send(sent, context)
    expect(again).toMatchObject({ turnId: first.turnId, isDuplicate: true })
    await one.close()
    const two = await open()
    expect(await two.service.send(sent, context)).toMatchObject({
      turnId: first.turnId,
      text: first.text,
      isDuplicate: true,
    })
    const turns = await two.service.listTurns({ sessionId }, context)
    expect(turns.items).toHaveLength(1)
    expect(effects()).toEqual([])
  })

  test('what is said while a turn runs is said when it has ended', async () => {
    const { open, openGate } = await hostWorld(dialect)
    const { service } = await open()
    const { id: sessionId } = await service.createSession({}, context)
    const slow = service.send({ sessionId, input: 'slow', wait: true }, context)
    await expect
      .poll(
        async () => (await service.getSession({ sessionId }, context)).state,
      )
      .toBe('running')
    const next = service.send(
      { sessionId, input: 'Next.', wait: true },
      context,
    )
    openGate()
    expect((await slow).text).toBe('Done: slow')
    expect((await next).text).toBe('You said: Next.')
  })

  test('what waits when a session is closed is told so, and is not begun', async () => {
    const { open, openGate } = await hostWorld(dialect)
    const { service, store } = await open()
    const { id: sessionId } = await service.createSession({}, context)
    const slow = service.send({ sessionId, input: 'slow', wait: true }, context)
    const stateNow = async () =>
      (await service.getSession({ sessionId }, context)).state
    await expect.poll(stateNow).toBe('running')
    const next = service.send(
      { sessionId, input: 'Next.', key: 'next', wait: true },
      context,
    )
    const waiting = async () => (await store.inbox.read(sessionId)).length
    await expect.poll(waiting).toBe(1)
    await service.closeSession({ sessionId }, context)
    openGate()
    expect((await next).status).toBe('cancelled')
    expect((await slow).status).toBe('cancelled')
  })

  test('a stream tells what happens, and goes on from a cursor', async () => {
    const { open } = await hostWorld(dialect)
    const { service } = await open()
    const { id: sessionId } = await service.createSession({}, context)
    const gone = new AbortController()
    const watching = contextOf({ signal: gone.signal })
    const stream = await service.watchSession({ sessionId }, watching)
    await service.send({ sessionId, input: 'Hello.' }, context)
    const seen: StreamItem[] = []
    for await (const item of stream) {
      seen.push(item)
      if (item.type === 'event' && item.event.type === 'turn-end') break
    }
    const types = seen.flatMap((item) =>
      item.type === 'event' ? [item.event.type] : [],
    )
    expect(types).toContain('turn-start')
    expect(types).toContain('text-delta')
    const [first] = seen.filter(({ type }) => type === 'event')
    const rest: StreamItem[] = []
    const again = await service.watchSession(
      { sessionId, after: first?.cursor ?? '' },
      watching,
    )
    for await (const item of again) {
      rest.push(item)
      if (item.type === 'event' && item.event.type === 'turn-end') break
    }
    const from = seen.indexOf(first as StreamItem) + 1
    expect(rest).toEqual(seen.slice(from))
    gone.abort()
  })

  test('a session that is deleted while it is being taken is not begun anew', async () => {
    const { open, effects } = await hostWorld(dialect)
    const first = await open()
    const { id: sessionId } = await first.service.createSession({}, context)
    await first.close()
    const { service, store, workspace } = await open({ countsSessions: true })
    const { runtime } = workspace
    const openSession = runtime.openSession.bind(runtime)
    const deletes: typeof openSession = async (options) => {
      await deleteSession(store.parts, sessionId)
      return await openSession(options)
    }
    Object.assign(runtime, { openSession: deletes })
    const sent = { sessionId, input: 'Hello.', wait: true }
    const code = 'not-found'
    await expect(service.send(sent, context)).rejects.toMatchObject({ code })
    const gone = service.getSession({ sessionId }, context)
    await expect(gone).rejects.toMatchObject({ code })
    expect(effects()).toEqual([])
  })

  test('what a turn tells when its session is deleted is not kept', async () => {
    const { open } = await hostWorld(dialect)
    const { service, store, host } = await open()
    const { id: sessionId } = await service.createSession({}, context)
    const sent = service.send({ sessionId, input: 'slow', wait: true }, context)
    const stateOf = async () =>
      (await service.getSession({ sessionId }, context)).state
    await expect.poll(stateOf).toBe('running')
    await service.deleteSession({ sessionId }, context)
    await sent
    await host.drain(0)
    for (const table of ['events', 'runs']) {
      const sql = `SELECT * FROM ${table} WHERE session_id = ?`
      const rows = await store.parts.database.read({ sql, values: [sessionId] })
      expect(rows, table).toEqual([])
    }
  })

  test('whoever waits for an input hears that its session is over, also if they come late', async () => {
    const { open } = await hostWorld(dialect)
    const { service, store } = await open()
    for (const end of ['closeSession', 'deleteSession'] as const) {
      const { id } = await service.createSession({}, context)
      expect(await lastOutcome({ store }, id, 'never')).toBeUndefined()
      await service[end]({ sessionId: id }, context)
      const { reason, status } =
        (await lastOutcome({ store }, id, 'never')) ?? {}
      expect(status).toBe('cancelled')
      expect(reason).toMatch(/^The session was (closed|deleted)\.$/)
    }
  })
})
