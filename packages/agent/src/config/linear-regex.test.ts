import { compileTable, createEngine, defineHook, reject } from 'hookline'
import { type AgentScope, toolGuard } from 'hookline/lifecycle'
import { toolCall } from 'hookline/testing'
import { expect, test } from 'vitest'
import { growthOf, linear } from '../../../core/fixtures/time-ratio.ts'
import { loadLinearRegex } from './linear-regex.ts'

test('T59 an expression that hangs other engines takes linear time', async () => {
  const compile = await loadLinearRegex()
  const test = compile('(a+)+b')
  const growth = await growthOf(20_000, (length) => {
    expect(test('a'.repeat(length))).toBe(false)
    expect(test(`${'a'.repeat(length)}b`)).toBe(true)
  })
  expect(growth).toBeLessThan(linear)
})

test('T22 an expression is about the whole text, over its line breaks', async () => {
  const compile = await loadLinearRegex()
  expect(compile('rm -rf')('sudo rm -rf /')).toBe(false)
  expect(compile('.*rm -rf.*')('echo\nrm -rf /\n')).toBe(true)
  expect(compile('https://ok[.]example/.*')('https://ok.example.evil/')).toBe(
    false,
  )
})

test('T59 a text beyond all measure is refused, which a gate fails closed on', async () => {
  const regex = await loadLinearRegex()
  expect(() => regex('a*')('a'.repeat(1_000_001))).toThrow('longer than')
  const hook = defineHook({
    name: 'a',
    on: toolGuard,
    match: { args: { command: { $regex: '.*x.*' } } },
    run: () => reject('It has an x.'),
  })
  const engine = createEngine(compileTable([hook], { match: { regex } }))
  const call = toolCall('bash', { command: 'y'.repeat(1_000_001) })
  const scope = { agent: 'a' } as AgentScope
  const outcome = await engine.run(toolGuard, call, { scope })
  expect(outcome.type).toBe('reject')
})
