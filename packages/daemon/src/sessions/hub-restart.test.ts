import type { EventLog } from '@hookline/agent/durable'
import { expect, test } from 'vitest'
import { EventHub } from './event-hub.ts'
import { openLog, readSeqs } from './fixtures/open-log.ts'

const ofS = { isWhole: true, sessionId: 's' }

/** The same log, whose next read waits until it is let go on. */
function heldLog(log: EventLog) {
  const reached = Promise.withResolvers<void>()
  const released = Promise.withResolvers<void>()
  let isHeld = false
  const held: Pick<EventLog, 'read' | 'head' | 'onAppend'> = {
    head: () => log.head(),
    onAppend: (listener) => log.onAppend(listener),
    async read(options) {
      if (isHeld) {
        reached.resolve()
        await released.promise
      }
      return await log.read(options)
    },
  }
  return {
    held,
    hold: () => {
      isHeld = true
    },
    reached: reached.promise,
    release: () => {
      isHeld = false
      released.resolve()
    },
  }
}

test('a reader who comes while the last one leaves is told all that follows', async () => {
  const { store, tell } = await openLog('sqlite')
  const { held, hold, reached, release } = heldLog(store.events)
  const hub = new EventHub({
    log: held,
    clock: store.parts.clock,
    isVisible: () => false,
    onError: (error) => {
      throw error
    },
  })
  await tell(1)
  const after = await store.events.head()
  const last = await hub.open(ofS, {})
  await tell(1)
  await readSeqs(last, 1)
  hold()
  // It catches up with the log; meanwhile nobody else watches any more.
  const coming = hub.open(ofS, { after })
  await reached
  last.end()
  release()
  const next = await coming
  expect(await readSeqs(next, 1)).toEqual([2])
  // By now it has read all that the log had, and waits to be told.
  const more = readSeqs(next, 2)
  await tell(2)
  expect(await more).toEqual([3, 4])
  await hub.close()
}, 20_000)
