import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createDurableRuntime, openStore } from '../../durable.ts'
import { createPolicy } from '../../index.ts'
import { scriptedModel } from '../../testing/index.ts'
import { callsOf, echoTool } from '../fixtures/play.ts'
import { approval } from './approval.ts'

const ann = { kind: 'user', id: 'ann' } as const

test('a yes for the session still counts where another process goes on', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'hookline-approval-'))
  const file = join(folder, 'store.db')
  /** One process: a turn with one call, and how often people were asked. */
  const live = async () => {
    const store = await openStore({ database: { file } })
    const model = scriptedModel([
      callsOf('write', { path: 'a' }),
      { text: 'Done.' },
    ])
    const runtime = createDurableRuntime({
      store,
      models: { resolve: () => model },
      policy: createPolicy({ mode: 'open' }),
      tools: [echoTool('write')],
      plugins: [approval({ rules: [{ lasts: 'session' }] })],
    })
    await runtime.register({ name: 'main', model: 'x', instructions: '' })
    const session = await runtime.openSession({ agent: 'main', id: 's' })
    let asked = 0
    store.approvals.onAsked(({ id, shownHash }) => {
      asked++
      const reply = { type: 'allow', shownHash } as const
      void store.approvals.answer(id, reply, ann)
    })
    const { status } = await session.send('Go.').result
    await runtime.close()
    await store.close()
    return { asked, status }
  }
  try {
    expect(await live()).toEqual({ asked: 1, status: 'succeeded' })
    expect(await live()).toEqual({ asked: 0, status: 'succeeded' })
  } finally {
    await rm(folder, { recursive: true })
  }
})
