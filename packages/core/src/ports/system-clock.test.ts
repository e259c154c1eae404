import { setImmediate, setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import type { Clock } from '../engine/index.ts'
import { systemClock } from './system-clock.ts'

type ClockModule = typeof import('./system-clock.ts')

afterEach(() => {
  vi.useRealTimers()
})

describe('now', () => {
  test('never goes back, and passes as time does', async () => {
    const before = systemClock.now()
    await sleep(20)
    const passedMs = systemClock.now() - before
    // Timers of Node may fire up to a millisecond early.
    expect(passedMs).toBeGreaterThanOrEqual(19)
  })

  test('does not follow the wall clock', () => {
    const before = systemClock.now()
    vi.useFakeTimers({ toFake: ['Date'], now: 0 })
    expect(systemClock.now()).toBeGreaterThanOrEqual(before)
  })
})

describe('wallAt', () => {
  test('is the time of day at a moment', () => {
    const off = systemClock.wallAt(systemClock.now()) - Date.now()
    expect(Math.abs(off)).toBeLessThan(60_000)
  })

  test('keeps the distance between two moments', () => {
    const now = systemClock.now()
    const apart = systemClock.wallAt(now) - systemClock.wallAt(now - 5_000)
    expect(apart).toBeCloseTo(5_000, 3)
  })

  test('follows a wall clock that was set, within a second', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: 1_000_000 })
    // The clock remembers what it read last: another one has read nothing yet.
    const another: string = './system-clock.ts?another'
    const { systemClock: fresh }: ClockModule = await import(another)
    let now = systemClock.now() + 10_000
    const performanceNow = vi.spyOn(performance, 'now')
    performanceNow.mockImplementation(() => now)
    try {
      expect(fresh.wallAt(now)).toBeCloseTo(1_000_000, 3)
      vi.setSystemTime(5_000_000)
      now += 1_000
      expect(fresh.wallAt(now)).toBeCloseTo(5_000_000, 3)
      vi.setSystemTime(2_000_000)
      now += 1_000
      expect(fresh.wallAt(now)).toBeCloseTo(2_000_000, 3)
    } finally {
      performanceNow.mockRestore()
    }
  })
})

describe('after', () => {
  test('calls back once, not before the time has passed', async () => {
    const fired: number[] = []
    const started = systemClock.now()
    systemClock.after(20, () => fired.push(systemClock.now() - started))
    await sleep(80)
    expect(fired).toHaveLength(1)
    expect(fired[0]).toBeGreaterThanOrEqual(19)
  })

  test.each([2 ** 31 - 1, 2 ** 31, 2 ** 32 + 1, 1e15, Infinity])(
    'does not fire at once for %d ms',
    async (ms) => {
      const fired: number[] = []
      const timer = systemClock.after(ms, () => fired.push(ms))
      await sleep(30)
      timer.stop()
      expect(fired).toEqual([])
    },
  )

  test('does not call back once stopped, and can be stopped twice', async () => {
    const fired: string[] = []
    const timer = systemClock.after(10, () => fired.push('fired'))
    timer.stop()
    timer.stop()
    await sleep(40)
    expect(fired).toEqual([])
  })

  describe('of a long time', () => {
    const started: NodeJS.Timeout[] = []
    const stopped: NodeJS.Timeout[] = []
    let clock: Clock = systemClock
    // Others have timers in this process, too: only those of the clock count.
    const isKept = () => started.at(-1)?.hasRef()

    beforeAll(async () => {
      const [start, stop] = [setTimeout, clearTimeout]
      vi.stubGlobal('setTimeout', (callback: () => void, ms: number) => {
        const timer = start(callback, ms)
        started.push(timer)
        return timer
      })
      vi.stubGlobal('clearTimeout', (timer: NodeJS.Timeout) => {
        stopped.push(timer)
        stop(timer)
      })
      const another: string = './system-clock.ts?watched'
      const module: ClockModule = await import(another)
      vi.unstubAllGlobals()
      clock = module.systemClock
    })

    test('keeps the process alive, unless it is told not to', async () => {
      const timer = clock.after(60_000, () => {})
      expect(isKept()).toBe(true)
      timer.hold(false)
      await setImmediate()
      expect(isKept()).toBe(false)
      timer.hold(true)
      expect(isKept()).toBe(true)
      timer.stop()
      expect(stopped.at(-1)).toBe(started.at(-1))
    })

    test('keeps the process alive if it is told so again at once', async () => {
      const timer = clock.after(60_000, () => {})
      timer.hold(false)
      timer.hold(true)
      await setImmediate()
      expect(isKept()).toBe(true)
      timer.hold(false)
      await setImmediate()
      expect(isKept()).toBe(false)
      timer.stop()
    })
  })

  test('has a timer that can be held where timers are only numbers', () => {
    vi.stubGlobal('setTimeout', () => 7)
    vi.stubGlobal('clearTimeout', () => {})
    try {
      const timer = systemClock.after(1, () => {})
      timer.hold(false)
      timer.hold(true)
      timer.stop()
    } finally {
      vi.unstubAllGlobals()
    }
  })
})
