import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { captureOutput } from '../fixtures/captured-output.ts'
import { withProgress } from './progress.ts'
import { age, duration, exactMs, readDuration } from './times.ts'

test.each([
  { isTerminal: true, env: {}, isPainted: true },
  { isTerminal: false, env: {}, isPainted: false },
  { isTerminal: true, env: { NO_COLOR: '1' }, isPainted: false },
  { isTerminal: true, env: { NO_COLOR: '' }, isPainted: true },
  { isTerminal: true, env: { TERM: 'dumb' }, isPainted: false },
  { isTerminal: false, env: { FORCE_COLOR: '1' }, isPainted: true },
  { isTerminal: true, env: { FORCE_COLOR: '0' }, isPainted: false },
  {
    isTerminal: false,
    env: { FORCE_COLOR: '1', NO_COLOR: '1' },
    isPainted: true,
  },
])('colour follows the terminal and the environment: %j', (given) => {
  const { isPainted, ...rest } = given
  const { output } = captureOutput(rest)
  expect(output.style('red', 'no').includes('\x1b[31m')).toBe(isPainted)
  expect(output.noteStyle('red', 'no').includes('\x1b[31m')).toBe(isPainted)
})

test('JSON is one line in a pipe, and several where a person looks', () => {
  const piped = captureOutput()
  piped.output.json({ a: [1] })
  expect(piped.written.stdout).toBe('{"a":[1]}\n')
  const seen = captureOutput({ isTerminal: true })
  seen.output.json({ a: [1] })
  expect(seen.written.stdout).toBe('{\n  "a": [\n    1\n  ]\n}\n')
})

test('a terminal that does not know its width has 80 columns', () => {
  const { output } = captureOutput({ isTerminal: true, columns: 0 })
  expect(output.columns).toBe(80)
  expect(output.noteColumns).toBe(80)
})

test('nothing is written when nobody reads any more', () => {
  const { output, written } = captureOutput()
  output.close()
  output.line('a')
  output.note('b')
  expect(written).toEqual({ stdout: '', stderr: '' })
})

describe('progress', () => {
  beforeEach(() => {
    vi.useFakeTimers()
  })
  afterEach(() => {
    vi.useRealTimers()
  })

  test('what takes long says so on a terminal, and leaves no trace', async () => {
    const { output, written } = captureOutput({ isTerminal: true })
    const work = Promise.withResolvers<string>()
    const waiting = withProgress(output, 'Counting \x1b[2J', work.promise)
    await vi.advanceTimersByTimeAsync(900)
    expect(written.stderr).toBe('')
    await vi.advanceTimersByTimeAsync(200)
    expect(written.stderr).toContain('Counting \\u{1b}[2J')
    work.resolve('done')
    expect(await waiting).toBe('done')
    expect(written.stderr.endsWith('\r\x1b[K')).toBe(true)
    expect(vi.getTimerCount()).toBe(0)
    expect(written.stdout).toBe('')
  })

  test('where nothing can be drawn over it says nothing', async () => {
    const env = { TERM: 'dumb' }
    const { output, written } = captureOutput({ isTerminal: true, env })
    const work = Promise.withResolvers<void>()
    const waiting = withProgress(output, 'Counting', work.promise)
    await vi.advanceTimersByTimeAsync(5_000)
    work.resolve()
    await waiting
    expect(written.stderr).toBe('')
  })

  test('in a pipe it says nothing', async () => {
    const { output, written } = captureOutput()
    const work = Promise.withResolvers<void>()
    const waiting = withProgress(output, 'Counting', work.promise)
    await vi.advanceTimersByTimeAsync(5_000)
    work.resolve()
    await waiting
    expect(written.stderr).toBe('')
  })

  test('what fails leaves no timer behind', async () => {
    const { output } = captureOutput({ isTerminal: true })
    const failed = withProgress(output, 'x', Promise.reject(new Error('no')))
    await expect(failed).rejects.toThrow('no')
    expect(vi.getTimerCount()).toBe(0)
  })
})

test.each([
  [5, '5 ms'],
  [1_500, '1.5 s'],
  [90_000, '2 min'],
  [7_200_000, '2 h'],
  [10 * 86_400_000, '10 d'],
])('%i milliseconds are %s', (ms, text) => {
  expect(duration(ms)).toBe(text)
})

test('programs get milliseconds without the noise of their last digits', () => {
  expect(exactMs(46.88864799999999)).toBe(46.889)
  expect(exactMs(12)).toBe(12)
})

test('a moment is told by how far it is from now', () => {
  expect(age(1_000, 61_000)).toBe('1 min ago')
  expect(age(61_000, 1_000)).toBe('in 1 min')
})

test.each([
  ['30s', 30_000],
  ['1.5h', 5_400_000],
  ['7d', 604_800_000],
  ['250 ms', 250],
  ['7', undefined],
  ['-5s', undefined],
  ['soon', undefined],
])('"%s" is read as %s milliseconds', (text, ms) => {
  expect(readDuration(text)).toBe(ms)
})
