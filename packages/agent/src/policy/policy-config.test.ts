import { expect, test } from 'vitest'
import { timeRatio } from '../../../core/fixtures/time-ratio.ts'
import { AgentError } from '../ports/agent-error.ts'
import { createPolicy } from './create-policy.ts'
import { callOf, scope } from './fixtures/calls.ts'

function errorOf(options: object): unknown {
  try {
    return createPolicy(options)
  } catch (error) {
    return error
  }
}

test.each<[string, object]>([
  ['mode', { mode: 'readonly' }],
  ['mode', { mode: null }],
  ['mode', { mode: 'constructor' }],
  ['Mode', { Mode: 'open' }],
  ['rules', { rules: {} }],
  ['rules', { rules: null }],
  ['sandbox', { sandbox: 'strict' }],
  ['roots', { roots: '/repo' }],
  ['roots', { roots: [''] }],
  ['network', { network: 'some' }],
  ['network', { network: { hosts: ['https://a.org'] } }],
  ['timeoutMs', { timeoutMs: 0 }],
  ['timeoutMs', { timeoutMs: -1 }],
  ['timeoutMs', { timeoutMs: Number.NaN }],
  ['timeoutMs', { timeoutMs: Infinity }],
  ['maxOutputBytes', { maxOutputBytes: '1' }],
  ['gated', { gated: 'bash' }],
  ['gated', { gated: [''] }],
  ['gated', { gated: ['{a'] }],
])('a policy with a bad `%s` is refused: %j', (key, options) => {
  const error = errorOf(options)
  expect(error).toBeInstanceOf(AgentError)
  expect(error).toMatchObject({ code: 'invalid-config' })
  expect(String(error)).toContain(`\`${key}\``)
})

test.each<[string, unknown]>([
  ['', 7],
  ['.decision', {}],
  ['.decision', { decision: 'Allow' }],
  ['.tools', { decision: 'deny', tools: 'bash' }],
  ['.tool', { decision: 'deny', tool: undefined }],
  ['.tool', { decision: 'deny', tool: null }],
  ['.tool', { decision: 'deny', tool: 7 }],
  ['.tool', { decision: 'deny', tool: '' }],
  ['.tool', { decision: 'deny', tool: '{a' }],
  ['.tool', { decision: 'deny', tool: {} }],
  ['.tool', { decision: 'deny', tool: { name: 'bash' } }],
  ['.tool', { decision: 'deny', tool: { $regex: 'a' } }],
  ['.tool', { decision: 'deny', tool: ['a', 7] }],
  ['.tool', { decision: 'allow', tool: { $not: 7 } }],
  ['.tool', { decision: 'deny', tool: { $is: 7 } }],
  ['.owner', { decision: 'deny', owner: true }],
  ['.agent', { decision: 'deny', agent: { $unknown: 'a' } }],
  ['.safety', { decision: 'deny', safety: 'readonly' }],
  ['.safety', { decision: 'deny', safety: ['mutating', 'destrutive'] }],
  ['.args', { decision: 'deny', args: 'rm' }],
  ['.args', { decision: 'deny', args: { command: undefined } }],
  ['.reason', { decision: 'deny', reason: ' ' }],
  ['.reason', { decision: 'deny', reason: 7 }],
  ['.sandbox', { decision: 'deny', sandbox: 'x' }],
  ['.roots', { decision: 'deny', roots: [7] }],
  ['.network', { decision: 'deny', network: [] }],
  ['.timeoutMs', { decision: 'deny', timeoutMs: 0 }],
  ['.maxOutputBytes', { decision: 'deny', maxOutputBytes: null }],
])('a rule with a bad `%s` is refused by its index: %j', (key, rule) => {
  const error = errorOf({ rules: [{ decision: 'allow' }, rule] })
  expect(error).toBeInstanceOf(AgentError)
  expect(error).toMatchObject({ code: 'invalid-config' })
  expect(String(error)).toContain(`\`rules[1]${key}\``)
})

test('a regex from configuration runs on the engine that is given', async () => {
  const regex = (source: string) => (text: string) => text.includes(source)
  const policy = createPolicy({
    mode: 'open',
    rules: [{ tool: { $regex: 'as' }, decision: 'deny' }],
    match: { regex },
  })
  expect((await policy.grant(callOf(), scope)).decision).toBe('deny')
})

test('rules are compiled once: what is changed later changes nothing', async () => {
  const rule = { tool: ['bash'], decision: 'deny' as 'deny' | 'allow' }
  const policy = createPolicy({ rules: [rule] })
  rule.decision = 'allow'
  rule.tool.length = 0
  expect((await policy.grant(callOf(), scope)).decision).toBe('deny')
})

test('to judge a call takes no longer than to write it down a few times', async () => {
  const policy = createPolicy({
    rules: [{ tool: 'git_*', decision: 'allow' }],
  })
  const call = callOf()
  const times = (work: () => unknown) => () => {
    for (let round = 0; round < 1_000; round++) work()
  }
  const ratio = await timeRatio(
    times(() => void policy.grant(call, scope)),
    times(() => JSON.stringify(call)),
    10,
  )
  expect(ratio).toBeLessThanOrEqual(10)
})
