import { Script } from 'node:vm'
import { afterEach, expect, test, vi } from 'vitest'
import { loadRegexEngine } from './foreign-regex.ts'

afterEach(() => {
  vi.restoreAllMocks()
})

async function compile(pattern: string) {
  const compiled = (await loadRegexEngine()).compile(pattern)
  if ('problem' in compiled) throw new Error(compiled.problem)
  return compiled
}

test('a pattern that had no turn on a busy machine is tried again', async () => {
  const { test, isLinear } = await compile('^(?!Read$).*')
  expect(isLinear).toBe(false)
  const run = vi.spyOn(Script.prototype, 'runInContext')
  const late = () => {
    throw new Error('Script execution timed out after 50ms')
  }
  run.mockImplementationOnce(late).mockImplementationOnce(late)
  expect(test('Read')).toBe(false)
  expect(run).toHaveBeenCalledTimes(3)
  expect(test('Write')).toBe(true)
})

test('T59 a pattern that comes to no end is tried for a moment, and taken to match', async () => {
  const { test } = await compile('^(?=(a+)+$)')
  const run = vi.spyOn(Script.prototype, 'runInContext')
  expect(test(`${'a'.repeat(150)}b`)).toBe(true)
  expect(run.mock.calls.length).toBeLessThanOrEqual(10)
  run.mockClear()
  vi.spyOn(process, 'threadCpuUsage').mockReturnValue({ user: 0, system: 0 })
  expect(test(`${'a'.repeat(150)}b`)).toBe(true)
  expect(run).toHaveBeenCalledTimes(10)
})

test('a pattern that is not linear is tried with texts of any length', async () => {
  const { test } = await compile('rm(?!dir)')
  const padding = ` # ${'x'.repeat(200)}`
  expect(test(`rm -rf ~/x${padding}`)).toBe(true)
  expect(test(`rmdir ~/x${padding}`)).toBe(false)
  expect(test(`rm${' '.repeat(1_000_000)}`)).toBe(true)
})
