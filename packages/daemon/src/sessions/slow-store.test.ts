import { expect, onTestFinished, test } from 'vitest'
import {
  makePlace,
  removePlace,
} from '../../../agent/src/store/fixtures/places.ts'
import {
  contextOf,
  type OpenHostOptions,
  openHost,
} from './fixtures/open-host.ts'

const context = contextOf()

/** A host that hears late that an entry of a journal, the how many-th, is kept. */
async function openSlow(hit: number, more: Partial<OpenHostOptions> = {}) {
  const place = await makePlace('sqlite')
  const stall = { hit, do: 'stall', stallMs: 1_500 } as const
  const failpoints = { 'session.append:after-commit': stall }
  const database = { ...place, failpoints }
  const opened = await openHost({ database, ...more })
  onTestFinished(async () => {
    await opened.close()
    await removePlace(place)
  })
  const { service } = opened
  const { id: sessionId } = await service.createSession({}, context)
  return { ...opened, sessionId }
}

test.each([1, 2, 3])(
  'the messages of a turn are there as soon as it is seen to have ended, though the store is slow to tell (%d)',
  async (hit) => {
    const { service, sessionId } = await openSlow(hit)
    await service.send({ sessionId, input: 'Hello.' }, context)
    const status = async () => {
      const { items } = await service.listTurns({ sessionId }, context)
      return items[0]?.status
    }
    await expect.poll(status).toBe('succeeded')
    const { messages } = await service.listMessages({ sessionId }, context)
    expect(messages).toHaveLength(2)
  },
)

test.each([2, 3, 4])(
  'a turn whose question was answered is not let go of again, though the store takes longer than it would have waited (%d)',
  async (hit) => {
    const host = { waitMs: 100 }
    const { service, store, sessionId } = await openSlow(hit, { host })
    const sent = service.send({ sessionId, input: 'run', wait: true }, context)
    await expect
      .poll(() => service.getSession({ sessionId }, context))
      .toMatchObject({ state: 'waiting', worker: null })
    const [pending] = (await store.approvals.pending()).items
    const { id = '', shownHash = '' } = pending ?? {}
    const by = { kind: 'user', id: 'ann' } as const
    await store.approvals.answer(id, { type: 'allow', shownHash }, by)
    expect(await sent).toMatchObject({ status: 'succeeded' })
    const { items } = await store.events.read({ after: '0' })
    const left = items.filter(
      (item) => item.type === 'notice' && item.name === 'turn-suspended',
    )
    expect(left).toHaveLength(1)
  },
)
