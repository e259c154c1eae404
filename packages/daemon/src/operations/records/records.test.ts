import { defineHook, proceed, reject, transform } from 'hookline'
import { toolGuard, toolPreCall } from 'hookline/lifecycle'
import { describe, expect, test, vi } from 'vitest'
import type { InputOf } from '../../protocol/operations.ts'
import { admin, longMs, openWorld, runner } from '../fixtures/open-world.ts'
import { ask } from '../fixtures/strict-output.ts'

vi.setConfig({ testTimeout: longMs })

const guard = defineHook({
  name: 'no-rm',
  on: toolGuard,
  visibility: 'user_visible',
  run(call, context) {
    context.diagnose('looked', 'For operators.')
    context.diagnose('told', 'For all.', { safeForUser: true })
    const { command } = call.args
    return command === 'rm' ? reject('No rm here.') : proceed
  },
})
const secret = defineHook({
  name: 'internal',
  on: toolPreCall,
  run: () => proceed,
})

describe.each(['sqlite', 'postgres'] as const)('on %s', (engine) => {
  const setUp = () => openWorld({ engine, hooks: [guard, secret] })

  test('runs are listed page by page, to those who may see them', async () => {
    const { operations, callTool } = await setUp()
    for (const command of ['ls', 'rm', 'cat']) await callTool({ command })
    const all = await ask(operations, 'listRuns', { limit: 4 }, admin)
    expect(all.items).toHaveLength(4)
    const { next = '' } = all
    const rest = await ask(operations, 'listRuns', { after: next }, admin)
    const names = [...all.items, ...rest.items].map(({ hook }) => hook)
    expect(names.filter((name) => name === 'no-rm')).toHaveLength(3)
    expect(names.filter((name) => name === 'internal')).toHaveLength(3)
    expect(rest.next).toBeUndefined()

    const seen = await ask(operations, 'listRuns', { limit: 2 }, runner)
    expect(seen.items.map(({ hook }) => hook)).toEqual(['no-rm', 'no-rm'])
    const more = await ask(
      operations,
      'listRuns',
      { limit: 2, after: seen.next ?? '' },
      runner,
    )
    expect(more.items.map(({ hook }) => hook)).toEqual(['no-rm'])
    const told = seen.items[0]?.diagnostics
    expect(told).toEqual([
      { code: 'told', message: 'For all.', safeForUser: true },
    ])
    expect(all.items.flatMap(({ diagnostics }) => diagnostics)).toContainEqual(
      expect.objectContaining({ code: 'looked' }),
    )
  })

  test('a run that its caller may not see is not there', async () => {
    const { operations, callTool } = await setUp()
    await callTool({ command: 'ls' })
    const { items } = await ask(operations, 'listRuns', {}, admin)
    const hidden = items.find(({ hook }) => hook === 'internal')?.id ?? ''
    const found = await ask(operations, 'getRun', { runId: hidden }, admin)
    expect(found.attempts).toMatchObject([{ attempt: 1, state: 'completed' }])
    const asked = ask(operations, 'getRun', { runId: hidden }, runner)
    await expect(asked).rejects.toMatchObject({ code: 'not-found' })
    const odd = ask(operations, 'listRuns', { after: 'nonsense' }, admin)
    await expect(odd).rejects.toMatchObject({ code: 'bad-request' })
  })

  test('runs are found by what came of them, and by words', async () => {
    const { operations, callTool } = await setUp()
    for (const command of ['ls', 'rm', 'cat']) await callTool({ command })
    const find = async (input: InputOf<'listRuns'>, context = admin) => {
      const { items, next } = await ask(operations, 'listRuns', input, context)
      expect(items.every(({ content }) => content === undefined)).toBe(true)
      return { hooks: items.map(({ hook }) => hook), next }
    }
    expect(await find({ outcome: 'rejected' })).toEqual({
      hooks: ['no-rm'],
      next: undefined,
    })
    const passed = { outcome: 'proceeded' } as const
    const first = await find({ ...passed, limit: 4 })
    expect(first.hooks).toHaveLength(4)
    const after = first.next ?? ''
    const rest = await find({ ...passed, limit: 4, after })
    expect([rest.hooks.length, rest.next]).toEqual([1, undefined])
    const words = { search: 'here NO-RM' }
    expect((await find(words)).hooks).toEqual(['no-rm'])
    // What operators alone may see is found by nobody else.
    const told = { search: 'operators' }
    expect((await find(told)).hooks).toHaveLength(3)
    expect((await find(told, runner)).hooks).toEqual([])
    const internal = { search: 'internal' }
    expect((await find(internal)).hooks).toHaveLength(3)
    expect((await find(internal, runner)).hooks).toEqual([])
  })

  test('a run names the point that its hook was asked at', async () => {
    const { operations, callTool } = await setUp()
    await callTool({ command: 'rm' })
    const { items } = await ask(operations, 'listRuns', {}, admin)
    const points = new Map(items.map(({ hook, point }) => [hook, point]))
    expect(points.get('no-rm')).toBe('tool.guard')
    expect(points.get('internal')).toBe('tool.pre_call')
  })

  test('an opened run says what it changed, who else was asked, and why it stands there', async () => {
    const change = defineHook({
      name: 'flagged',
      on: toolPreCall,
      visibility: 'user_visible',
      writes: true,
      match: { tool: 'probe' },
      run: ({ args }) => transform({ ...args, flag: '-q' }),
    })
    const { operations, callTool } = await openWorld({
      engine,
      hooks: [change, secret],
    })
    await callTool({ command: 'ls' })
    const found = await ask(operations, 'listRuns', { hook: 'flagged' }, admin)
    const which = { runId: found.items[0]?.id ?? '' }
    const run = await ask(operations, 'getRun', which, admin)
    expect(run).toMatchObject({
      given: { type: 'whole', value: { args: { command: 'ls' } } },
      value: { type: 'whole', value: { command: 'ls', flag: '-q' } },
      change: {
        subject: 'args',
        before: { command: 'ls' },
        after: { command: 'ls', flag: '-q' },
      },
      beside: [{ hook: 'flagged', answer: 'transform' }, { hook: 'internal' }],
      hidden: 0,
      attempts: [{ attempt: 1, state: 'completed' }],
      now: {
        order: 1,
        among: 2,
        matcher: 'tool is "probe"',
        isSame: true,
        source: { kind: 'code' },
      },
    })
    expect(run.now?.because).toContain('the lowest first')
    const seen = await ask(operations, 'getRun', which, runner)
    expect(seen).toMatchObject({ beside: [{ hook: 'flagged' }], hidden: 1 })
  })

  test('a hook that was never asked stands beside the one that decided', async () => {
    const later = defineHook({
      name: 'z-later',
      on: toolGuard,
      visibility: 'user_visible',
      run: () => proceed,
    })
    const { operations, callTool } = await openWorld({
      engine,
      hooks: [guard, later],
    })
    await callTool({ command: 'rm' })
    const both = [
      { hook: 'no-rm', answer: 'reject', decided: true },
      { hook: 'z-later', state: 'skipped', note: 'chain-ended' },
    ]
    const { items } = await ask(operations, 'listRuns', {}, runner)
    expect(items).toHaveLength(2)
    for (const { id: runId } of items) {
      const { beside } = await ask(operations, 'getRun', { runId }, runner)
      expect(beside).toMatchObject(both)
    }
  })

  test('of a run whose content is not kept that is what is said', async () => {
    const { operations, callTool } = await openWorld({
      engine,
      hooks: [
        defineHook({
          name: 'quiet',
          on: toolPreCall,
          writes: true,
          run: ({ args }) => transform({ ...args, flag: '-q' }),
        }),
      ],
      config: { store: { content: { runs: 'metadata' } } },
    })
    await callTool({ command: 'ls' })
    const { items } = await ask(operations, 'listRuns', {}, admin)
    const which = { runId: items[0]?.id ?? '' }
    const run = await ask(operations, 'getRun', which, admin)
    const none = { type: 'not-kept' }
    expect([run.given, run.value, run.change]).toEqual([none, none, undefined])
  })

  test('figures of a hook are for those who may see its runs', async () => {
    const { operations, callTool } = await setUp()
    await callTool({ command: 'ls' })
    await callTool({ command: 'rm' })
    const all = await ask(operations, 'hookFigures', {}, admin)
    expect(all.items.map(({ hook }) => hook)).toEqual(['internal', 'no-rm'])
    const seen = await ask(operations, 'hookFigures', {}, runner)
    expect(seen.items).toMatchObject([{ hook: 'no-rm', count: 2 }])
    const one = { hook: 'internal' }
    expect(await ask(operations, 'hookFigures', one, runner)).toEqual({
      items: [],
    })
  })

  test('why a call was denied is found by its id alone', async () => {
    const { operations, callTool } = await setUp()
    await callTool({ command: 'rm' }, { id: 'call-1' })
    await callTool({ command: 'ls' }, { id: 'call-2' })
    const why = await ask(operations, 'whyCall', { callId: 'call-1' }, admin)
    expect(why).toMatchObject({
      callId: 'call-1',
      status: 'denied',
      args: { command: 'rm' },
      decidedBy: { kind: 'hook', name: 'no-rm', reason: 'No rm here.' },
      hidden: 0,
    })
    expect(why.verdicts).toMatchObject([
      { hook: 'internal', answer: 'proceed' },
      { hook: 'no-rm', answer: 'reject', reason: 'No rm here.', decided: true },
    ])
    const told = await ask(operations, 'whyCall', { callId: 'call-1' }, runner)
    expect(told).toMatchObject({ hidden: 1, verdicts: [{ hook: 'no-rm' }] })
    const none = ask(operations, 'whyCall', { callId: 'call-9' }, admin)
    await expect(none).rejects.toMatchObject({ code: 'not-found' })
  })

  test('of a hook that somebody may not see they hear neither its name nor its words', async () => {
    const guarded = defineHook({
      name: 'secret-guard',
      on: toolGuard,
      run: () => reject('The password is 1234.'),
    })
    const { operations, callTool } = await openWorld({
      engine,
      hooks: [guarded],
      config: { store: { content: { runs: 'redacted', journal: 'redacted' } } },
    })
    await callTool({ command: 'ls' }, { id: 'call-1' })
    const input = { callId: 'call-1' }
    const why = await ask(operations, 'whyCall', input, admin)
    expect(why.decidedBy).toMatchObject({ name: 'secret-guard' })
    const told = await ask(operations, 'whyCall', input, runner)
    expect(told).toMatchObject({ hidden: 1, decidedBy: { kind: 'hook' } })
    expect(JSON.stringify(told)).not.toMatch(/secret-guard|1234/)
  })

  test('a call id that two sessions have is asked back about', async () => {
    const { operations, callTool, openSession } = await setUp()
    const [one, other] = [await openSession(), await openSession()]
    await callTool({ command: 'ls' }, { id: 'same', session: one })
    await callTool({ command: 'rm' }, { id: 'same', session: other })
    const which = ask(operations, 'whyCall', { callId: 'same' }, admin)
    const candidates = [other, one].map(({ id }) => ({
      path: expect.stringContaining(`${id}/`),
    }))
    await expect(which).rejects.toMatchObject({
      code: 'conflict',
      problems: candidates,
    })
    const [choice] = await which.catch(({ problems }) => problems)
    expect(choice.message).toMatch(/^"\w+" in "\/.+", \d{4}-.+Z$/)
    const input = { callId: 'same', sessionId: one.id }
    const why = await ask(operations, 'whyCall', input, admin)
    expect(why).toMatchObject({ sessionId: one.id, status: 'executed' })
  })

  test('the trace of a turn has its calls and every run that may be seen', async () => {
    const { operations, callTool, openSession } = await setUp()
    const session = await openSession()
    await callTool({ command: 'rm' }, { session, id: 'c1' })
    const { items } = await ask(operations, 'listRuns', {}, admin)
    const turnId = items[0]?.turnId ?? ''
    const which = { sessionId: session.id, turnId }
    const all = await ask(operations, 'traceTurn', which, admin)
    expect(all).toMatchObject({ isCut: false, hidden: 0 })
    expect(all.turn).toMatchObject({ id: turnId, status: 'succeeded' })
    expect(all.calls).toMatchObject([{ callId: 'c1', status: 'denied' }])
    expect(all.runs.map(({ hook }) => hook)).toEqual(['internal', 'no-rm'])
    const seen = await ask(operations, 'traceTurn', which, runner)
    expect(seen.runs.map(({ hook }) => hook)).toEqual(['no-rm'])
    expect(seen.hidden).toBe(1)
    const none = ask(operations, 'traceTurn', { ...which, turnId: 'no' }, admin)
    await expect(none).rejects.toMatchObject({ code: 'not-found' })
  })

  test('the trace of a turn is read page by page', async () => {
    const { operations, callTool, openSession } = await setUp()
    const session = await openSession()
    await callTool({ command: 'rm' }, { session, id: 'c1' })
    const { items } = await ask(operations, 'listRuns', {}, admin)
    const sessionId = session.id
    const turnId = items[0]?.turnId ?? ''
    const which = { sessionId, turnId, limit: 1 }
    const first = await ask(operations, 'traceTurn', which, admin)
    expect(first.runs.map(({ hook }) => hook)).toEqual(['internal'])
    expect(first.calls).toHaveLength(1)
    // Nobody has written its events down here.
    expect(first.events).toBeUndefined()
    const after = first.next ?? ''
    const second = await ask(
      operations,
      'traceTurn',
      { ...which, after },
      admin,
    )
    expect(second.runs.map(({ hook }) => hook)).toEqual(['no-rm'])
    expect(second).toMatchObject({ calls: [], hidden: 0 })
    expect(second.next).toBeUndefined()
    const odd = { ...which, after: 'nonsense' }
    const asked = ask(operations, 'traceTurn', odd, admin)
    await expect(asked).rejects.toMatchObject({ code: 'bad-request' })
  })

  test('the audit log is listed from its end, and verified', async () => {
    const { operations, workspace } = await setUp()
    for (const number of [1, 2, 3]) {
      const sessionId = number === 2 ? 's2' : 's1'
      workspace.store.audit.record({
        kind: 'test',
        sessionId,
        body: { number },
      })
    }
    const page = await ask(operations, 'listAudit', { limit: 2 }, admin)
    const numbers = (items: typeof page.items) =>
      items.map(({ body }) => Object(body).number)
    expect(numbers(page.items)).toEqual([3, 2])
    const after = page.next ?? ''
    const rest = await ask(operations, 'listAudit', { after }, admin)
    expect(numbers(rest.items)).toEqual([1])
    expect(rest.next).toBeUndefined()
    const own = await ask(operations, 'listAudit', { sessionId: 's2' }, admin)
    expect(numbers(own.items)).toEqual([2])
    const report = await ask(operations, 'verifyAudit', {}, admin)
    expect(report).toMatchObject({ isIntact: true, upTo: 3 })
    const odd = ask(operations, 'listAudit', { after: 'x' }, admin)
    await expect(odd).rejects.toMatchObject({ code: 'bad-request' })
  })

  test('jobs are listed with how many there are of each state', async () => {
    const { operations, workspace } = await setUp()
    const { queue } = workspace.runtime
    await queue.add([{ kind: 'later', lane: 'a', payload: 1, delayMs: 60_000 }])
    const page = await ask(operations, 'listJobs', {}, admin)
    expect(page.items).toMatchObject([{ kind: 'later', state: 'delayed' }])
    expect(page.counts).toMatchObject({ delayed: 1, queued: 0 })
    const none = await ask(operations, 'listJobs', { state: 'done' }, admin)
    expect(none.items).toEqual([])
  })
})
