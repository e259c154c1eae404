import type { HeapInfo } from 'node:v8'
import { createFakeClock } from 'hookline/testing'
import { expect, test } from 'vitest'
import { MemoryWatch } from './memory-watch.ts'

/** A thread that says what it has, one look after the other; none: no thread. */
function watchOver(...megabytes: (number | undefined)[]) {
  const clock = createFakeClock()
  let looks = 0
  let excesses = 0
  const watch = new MemoryWatch(
    {
      async getHeapStatistics() {
        const now = megabytes[looks++]
        if (now === undefined) throw new Error('The thread does not run.')
        // Nothing else of it is looked at.
        return { external_memory: now * 1_048_576 } as HeapInfo
      },
    },
    {
      clock,
      maxMemoryMb: 64,
      onExcess: () => {
        excesses++
        watch.stop()
      },
    },
  )
  return { clock, watch, found: () => ({ looks, excesses }) }
}

test('F023 a thread that was slow to begin is looked after nevertheless', async () => {
  const { clock, watch, found } = watchOver(undefined, undefined, 10, 65, 99)
  watch.lookEvery(50)
  await clock.advance(150)
  expect(found()).toEqual({ looks: 3, excesses: 0 })
  await clock.advance(500)
  expect(found()).toEqual({ looks: 4, excesses: 1 })
})

test('a watch that is stopped, also while it looks, looks no more', async () => {
  const { clock, watch, found } = watchOver(1, 99)
  watch.lookEvery(50)
  const looking = clock.advance(50)
  watch.stop()
  await looking
  await clock.advance(500)
  expect(found().excesses).toBe(0)
})

test('how often it looks can be changed', async () => {
  const { clock, watch, found } = watchOver(1, 1, 1, 1, 1)
  watch.lookEvery(1_000)
  await clock.advance(900)
  watch.lookEvery(50)
  await clock.advance(100)
  expect(found()).toEqual({ looks: 2, excesses: 0 })
})
