import { expect, test } from 'vitest'
import { hostWorld } from './fixtures/host-world.ts'
import { contextOf } from './fixtures/open-host.ts'

const soon = { timeout: 20_000, interval: 20 }
// So long nobody looks by themselves.
const store = { signals: { pollMs: 3_600_000 } }

test('a daemon that did not ask goes on at once when a question is answered there', {
  timeout: 60_000,
}, async () => {
  const { open, effects } = await hostWorld()
  const asking = await open({ store })
  const context = contextOf()
  const { id: sessionId } = await asking.service.createSession(
    { agent: 'main' },
    context,
  )
  await asking.service.send({ sessionId, input: 'run' }, context)
  const pending = async () => (await asking.store.approvals.pending()).items
  await expect.poll(pending, soon).toHaveLength(1)
  const [asked = expect.fail()] = await pending()
  await asking.close()

  const { store: theirs, service } = await open({ store })
  const state = async () =>
    (await service.getSession({ sessionId }, context)).state
  expect(await state()).toBe('waiting')
  expect(effects()).toEqual([])
  const { id, shownHash } = asked
  const bob = { kind: 'user', id: 'bob' } as const
  await theirs.approvals.answer(id, { type: 'allow', shownHash }, bob)
  await expect.poll(effects, soon).toHaveLength(1)
  await expect.poll(state, soon).toBe('idle')
})
