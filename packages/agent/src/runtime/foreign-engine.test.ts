import { defineCell, defineHook, proceed } from 'hookline'
import { audit, job, turnInput } from 'hookline/lifecycle'
import { expect, test } from 'vitest'
import { defineJob } from '../jobs/define-job.ts'
import { listAudit } from '../store/audit/list-audit.ts'
import { forEachDatabase } from '../store/fixtures/databases.ts'
import { askingModel } from './fixtures/crashes.ts'
import { beginLife } from './fixtures/durable.ts'

const models = { resolve: () => askingModel([]) }
const asked = defineCell('asked', { initial: () => 0, scope: 'session' })
const soon = { timeout: 20_000 }

forEachDatabase((kit) => {
  test('what hooks leave to be done for an agent of another product is done, though its session is not here, and with the state that they had', async () => {
    const done: unknown[] = []
    const note = defineJob('note', {
      run: (payload, { sessionId }) => void done.push([payload, sessionId]),
    })
    const gate = defineHook({
      name: 'gate',
      on: turnInput,
      capabilities: ['audit', 'job'],
      run: async (_, context) => {
        await context.state.update(asked, (count) => count + 1)
        context.contribute(audit({ event: 'looked' }))
        context.contribute(job({ id: 'note', payload: 'contributed' }))
        return proceed
      },
    })
    const later = defineHook({
      name: 'later',
      on: turnInput,
      execution: 'background',
      run: async (_, { state, scope }) => {
        done.push([await state.get(asked), scope.sessionId])
      },
    })
    const life = await beginLife({
      ...{ place: await kit.newPlace(), models, jobs: [note] },
      hooks: [gate, later],
    })
    const { runtime, store } = life
    const theirs = {
      agent: 'theirs',
      origin: 'user',
      coreType: 'codex',
    } as const
    const scope = { ...theirs, sessionId: 's1' }
    const input = { content: [{ type: 'text', text: 'Hi.' }] } as const
    await runtime.engineFor(() => 'main').run(turnInput, input, { scope })
    await runtime.drain()
    await expect.poll(() => done.length, soon).toBe(2)
    expect(done).toContainEqual(['contributed', undefined])
    expect(done).toContainEqual([1, 's1'])
    const { records } = await listAudit(store.parts, { limit: 10 })
    expect(records.map(({ kind }) => kind)).toContain('hook.audit')
    await life.close()
  })
})
