import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { Heartbeats } from './heartbeats.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

test('each of thousands beats once in an interval, a few at a time, with one timer', () => {
  const hearts = new Heartbeats(32_000)
  const beats = Array.from({ length: 1_000 }, () => 0)
  for (const at of beats.keys()) {
    const beat = () => {
      beats[at] = (beats[at] ?? 0) + 1
    }
    hearts.add({ beat })
  }
  expect(vi.getTimerCount()).toBe(1)
  const all = () => beats.reduce((sum, one) => sum + one, 0)
  vi.advanceTimersByTime(1_000)
  expect(all()).toBe(32)
  vi.advanceTimersByTime(3 * 32_000)
  expect(Math.min(...beats)).toBeGreaterThanOrEqual(3)
  expect(Math.max(...beats)).toBeLessThanOrEqual(4)
})

test('whoever comes later has its turn, and whoever has gone has none', () => {
  const hearts = new Heartbeats(320)
  const beaten: string[] = []
  const heart = (name: string) => ({ beat: () => void beaten.push(name) })
  const [first, second] = [heart('first'), heart('second')]
  hearts.add(first)
  vi.advanceTimersByTime(320)
  hearts.add(second)
  vi.advanceTimersByTime(320)
  expect(new Set(beaten)).toEqual(new Set(['first', 'second']))
  hearts.remove(first)
  beaten.length = 0
  vi.advanceTimersByTime(320)
  expect(new Set(beaten)).toEqual(new Set(['second']))
  hearts.remove(second)
  expect(vi.getTimerCount()).toBe(0)
})

test('one that ends while it beats does not keep others from it', () => {
  const hearts = new Heartbeats(320)
  let beats = 0
  const ending = { beat: () => hearts.remove(ending) }
  hearts.add(ending)
  hearts.add({ beat: () => void beats++ })
  vi.advanceTimersByTime(320)
  expect(beats).toBeGreaterThan(0)
})
