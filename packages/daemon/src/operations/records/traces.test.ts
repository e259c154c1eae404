import { ask as askFirst, defineHook, type Hook, respond } from 'hookline'
import { permissionRequest, toolGuard } from 'hookline/lifecycle'
import { describe, expect, test, vi } from 'vitest'
import { admin, longMs, openWorld, runner } from '../fixtures/open-world.ts'
import { ask } from '../fixtures/strict-output.ts'

vi.setConfig({ testTimeout: longMs })

const careful = defineHook({
  name: 'careful',
  on: toolGuard,
  visibility: 'user_visible',
  run: () => askFirst('Is this well?'),
})

const standIn = (visibility: 'internal' | 'user_visible') =>
  defineHook({
    name: 'stand-in',
    on: permissionRequest,
    visibility,
    capabilities: ['approve'],
    run: () => respond({ type: 'allow' }),
  })

describe.each(['sqlite', 'postgres'] as const)('on %s', (engine) => {
  /** A call that a hook has agreed to. */
  async function setUp(hook: Hook) {
    const world = await openWorld({ engine, hooks: [careful, hook] })
    const { operations, callTool, openSession, workspace } = world
    const session = await openSession()
    await callTool({ command: 'ls' }, { session, id: 'c1' })
    const { items } = await ask(operations, 'listRuns', {}, admin)
    const turnId = items[0]?.turnId ?? ''
    const turn = { sessionId: session.id, turnId }
    return { operations, turn, database: workspace.store.parts.database }
  }

  test.each([
    ['', {}],
    [', also of a call of an older version', { isOld: true }],
  ])(
    'a hook that agreed to a call is not named to whoever may not see it%s',
    async (_, { isOld = false }: { isOld?: boolean }) => {
      const { operations, turn, database } = await setUp(standIn('internal'))
      const sql = 'UPDATE calls SET approver = NULL'
      const statements = isOld ? [{ sql, values: [] }] : []
      await database.write({ name: 'test.age', statements })
      const which = { callId: 'c1' }
      const approvedBy = { kind: 'hook', name: 'stand-in' }
      const whole = await ask(operations, 'whyCall', which, admin)
      expect(whole).toMatchObject({ approvedBy, decidedBy: approvedBy })
      const why = await ask(operations, 'whyCall', which, runner)
      expect(why.approvedBy).toEqual({ kind: 'hook' })
      expect(JSON.stringify(why)).not.toContain('stand-in')
      const all = await ask(operations, 'traceTurn', turn, admin)
      expect(all.calls).toMatchObject([{ approvedBy }])
      const trace = await ask(operations, 'traceTurn', turn, runner)
      expect(trace.calls).toMatchObject([{ approvedBy: { kind: 'hook' } }])
      expect(JSON.stringify(trace)).not.toContain('stand-in')
    },
  )

  test('a hook that may be seen is named with its call, whichever page its run is on', async () => {
    const { operations, turn } = await setUp(standIn('user_visible'))
    const first = { ...turn, limit: 1 }
    const trace = await ask(operations, 'traceTurn', first, runner)
    expect(trace.runs.map(({ hook }) => hook)).toEqual(['careful'])
    const approvedBy = { kind: 'hook', name: 'stand-in' }
    expect(trace.calls).toMatchObject([{ approvedBy }])
    const why = await ask(operations, 'whyCall', { callId: 'c1' }, runner)
    expect(why.approvedBy).toEqual(approvedBy)
  })
})
