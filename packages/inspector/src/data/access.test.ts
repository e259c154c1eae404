import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { askOtherTabs, type Login } from './access.ts'

const login: Login = { token: 'hkl_x', who: 'user:owner' }

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  vi.stubGlobal('navigator', { locks: createLocks() })
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

/** Of those that browsers have, as much as a tab uses; not every Node has them. */
function createLocks() {
  const held = new Set<{ readonly name: string }>()
  return {
    async request(name: string, _: object, use: () => Promise<void>) {
      const lock = { name }
      held.add(lock)
      await use()
      held.delete(lock)
    },
    query: async () => ({ held: [...held] }),
  }
}

/** A tab that somebody is in, and that has not answered yet. */
async function openTab() {
  const name = 'hookline-access'
  const { promise: left, resolve: leave } = Promise.withResolvers<void>()
  const { promise: held, resolve: hold } = Promise.withResolvers<void>()
  const released = navigator.locks.request(name, { mode: 'shared' }, () => {
    hold()
    return left
  })
  await held
  let asks = 0
  const channel = new BroadcastChannel(name)
  channel.onmessage = () => asks++
  const close = async () => {
    leave()
    await released
    channel.close()
  }
  onTestFinished(close)
  return {
    async asked(times: number) {
      while (asks < times) await nextTurn()
    },
    answer: () => channel.postMessage(login),
    close,
  }
}

/** Whoever polls lets fake time pass, too: here it only passes on purpose. */
const nextTurn = () => new Promise((done) => setImmediate(done))

test('a tab that stands still is asked again until it answers', async () => {
  const tab = await openTab()
  const found = askOtherTabs()
  for (const times of [1, 2, 3, 4]) {
    await tab.asked(times)
    await vi.advanceTimersByTimeAsync(250)
  }
  await tab.asked(5)
  tab.answer()
  expect(await found).toEqual(login)
})

test('a tab that never answers is given up', async () => {
  const tab = await openTab()
  const found = askOtherTabs()
  for (let times = 1; times <= 20; times++) {
    await tab.asked(times)
    await vi.advanceTimersByTimeAsync(250)
  }
  expect(await found).toBeUndefined()
})

test('nobody waits for a tab that was closed, nor where there is none', async () => {
  const tab = await openTab()
  const found = askOtherTabs()
  await tab.asked(1)
  await tab.close()
  await vi.advanceTimersByTimeAsync(250)
  expect(await found).toBeUndefined()
  expect(await askOtherTabs()).toBeUndefined()
})

test('where nobody knows whether there is another tab, it is asked once', async () => {
  vi.stubGlobal('navigator', {})
  const found = askOtherTabs()
  await vi.advanceTimersByTimeAsync(250)
  expect(await found).toBeUndefined()
})
