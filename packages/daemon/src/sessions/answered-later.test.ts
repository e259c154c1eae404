import { defineHook, proceed } from 'hookline'
import { turnOutput } from 'hookline/lifecycle'
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

test('words that came too late for their turn are asked about elsewhere, too', {
  timeout: 60_000,
}, async () => {
  const { open, effects } = await hostWorld()
  const context = contextOf()
  let say = async () => {}
  const late = defineHook({
    name: 'late',
    on: turnOutput,
    run: async () => {
      await say()
      return proceed
    },
  })
  const asking = await open({ store, hooks: [late] })
  const { service } = asking
  const { id: sessionId } = await service.createSession({}, context)
  say = async () => {
    say = async () => {}
    // With a key it settles when the session has it.
    await service.steer({ sessionId, input: 'run', key: 'late' }, context)
  }
  await service.send({ sessionId, input: 'Hello.', wait: true }, context)
  const pending = async () => (await asking.store.approvals.pending()).items
  await expect.poll(pending, soon).toHaveLength(1)
  const [asked = expect.fail()] = await pending()
  await asking.close()

  const { store: theirs } = await open({ store })
  const { id, shownHash } = asked
  const bob = { kind: 'user', id: 'bob' } as const
  const said = { type: 'allow', shownHash } as const
  const outcome = await theirs.approvals.answer(id, said, bob)
  expect(outcome.type).toBe('accepted')
  await expect.poll(effects, soon).toHaveLength(1)
})
