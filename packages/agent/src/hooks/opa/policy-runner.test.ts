import { createFakeClock } from 'hookline/testing'
import { expect, test } from 'vitest'
import { createRunner } from './policy-runner.ts'
import type { PolicyThread } from './threaded-policy.ts'

const { signal } = new AbortController()

/** Threads that do what the test says. */
function runnerOf(evaluate: PolicyThread['evaluate'], open = async () => {}) {
  const clock = createFakeClock()
  const log: string[] = []
  let count = 0
  const start = (): PolicyThread => {
    const id = ++count
    let isEnded = false
    log.push(`start ${id}`)
    return {
      get isEnded() {
        return isEnded
      },
      openNow: () => log.push(`open ${id}`),
      open,
      evaluate,
      end() {
        isEnded = true
        log.push(`end ${id}`)
      },
    }
  }
  const runner = createRunner({ clock, timeoutMs: 100, start })
  return { clock, log, runner }
}

const never = () => new Promise<never>(() => {})
const echo = async (input: string) => input

test('a policy is open before anything is asked', async () => {
  const { log, runner } = runnerOf(echo)
  expect(log).toEqual(['start 1', 'open 1'])
  expect(await runner.evaluate('a', signal)).toBe('a')
  expect(log).toHaveLength(2)
})

test('one that cannot be opened leaves no thread', () => {
  let isEnded = false
  const start = (): PolicyThread => ({
    isEnded: false,
    openNow() {
      throw new Error('No.')
    },
    ...{ open: never, evaluate: never },
    end() {
      isEnded = true
    },
  })
  const clock = createFakeClock()
  expect(() => createRunner({ clock, timeoutMs: 1, start })).toThrow('No.')
  expect(isEnded).toBe(true)
  expect(clock.pending).toBe(0)
})

test('evaluations come one after another, each with all of its time', async () => {
  const { clock, log, runner } = runnerOf((input) =>
    input === 'bad' ? never() : echo(input),
  )
  const all = Promise.allSettled(
    ['bad', 'a', 'bad', 'b'].map((input) => runner.evaluate(input, signal)),
  )
  await clock.advance(99)
  expect(log).toHaveLength(2)
  await clock.advance(101)
  expect(await all).toMatchObject([
    { reason: { message: 'The policy took longer than 100 ms.' } },
    { value: 'a' },
    { reason: { message: 'The policy took longer than 100 ms.' } },
    { value: 'b' },
  ])
  expect(log.slice(2)).toEqual(['end 1', 'start 2', 'end 2', 'start 3'])
})

test('a caller that has left is not waited for', async () => {
  const { log, runner } = runnerOf(never)
  const leaving = new AbortController()
  const first = runner.evaluate('a', leaving.signal)
  const second = runner.evaluate('b', leaving.signal)
  await Promise.resolve()
  leaving.abort(new Error('Gone.'))
  await expect(first).rejects.toThrow('Gone.')
  await expect(second).rejects.toThrow('Gone.')
  expect(log).toEqual(['start 1', 'open 1', 'end 1'])
})

test('a thread that nobody asks ends, and the next call has another', async () => {
  const { clock, log, runner } = runnerOf(echo)
  await clock.advance(59_999)
  expect(await runner.evaluate('a', signal)).toBe('a')
  await clock.advance(59_999)
  expect(log).toEqual(['start 1', 'open 1'])
  await clock.advance(1)
  expect(log.at(-1)).toBe('end 1')
  expect(await runner.evaluate('b', signal)).toBe('b')
  expect(log.slice(2)).toEqual(['end 1', 'start 2'])
  await clock.advance(60_000)
  expect(log.at(-1)).toBe('end 2')
  expect(clock.pending).toBe(0)
})

test('one that does not open again is given up, and tried with the next call', async () => {
  let tries = 0
  const { clock, log, runner } = runnerOf(echo, async () => {
    if (++tries === 1) await never()
    if (tries === 2) throw new Error('No.')
  })
  await clock.advance(60_000)
  const first = runner.evaluate('a', signal)
  const failed = expect(first).rejects.toThrow('longer than 5000 ms')
  await clock.advance(5_000)
  await failed
  await expect(runner.evaluate('b', signal)).rejects.toThrow('No.')
  expect(await runner.evaluate('c', signal)).toBe('c')
  expect(log.slice(2)).toEqual([
    ...['end 1', 'start 2', 'end 2', 'end 2'],
    ...['start 3', 'end 3', 'start 4'],
  ])
})
