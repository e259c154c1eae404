import type { PointName } from 'hookline/lifecycle'
import { expect, test } from 'vitest'
import { cursor } from './cursor/cursor.ts'
import { codesOf } from './fixtures/hook-bench.ts'
import { openRuleBench, type RuleOptions } from './fixtures/rule-bench.ts'

async function ask(event: string, point: PointName, options: RuleOptions = {}) {
  const hooks = { [event]: [{ command: 'x' }] }
  const said = { permission: 'ask', agent_message: 'Sure?' }
  const bench = await openRuleBench(
    cursor,
    { version: 1, hooks },
    { ...options, speak: () => ({ stdout: JSON.stringify(said) }) },
  )
  return bench.ask(point, event)
}

test.each([
  ['beforeSubmitPrompt', 'turn.pre_turn'],
  ['subagentStart', 'subagent.start'],
] as const)(
  'a question at %s, where nobody is asked, is a refusal in strict mode, and on record else',
  async (event, point) => {
    const open = await ask(event, point)
    expect(open.type).toBe('proceed')
    expect(codesOf(open)).toContain('not-honoured')
    expect(await ask(event, point, { isStrict: true })).toMatchObject({
      type: 'reject',
      reason: 'Sure?',
    })
  },
)

test.each([
  ['postToolUse', 'tool.post_call'],
  ['preCompact', 'compaction.pre'],
  ['sessionStart', 'session.start'],
] as const)(
  'a question at %s, where nothing can be refused, goes on, and is on record',
  async (event, point) => {
    for (const isStrict of [false, true]) {
      const outcome = await ask(event, point, { isStrict })
      expect(outcome.type).toBe('proceed')
      expect(codesOf(outcome)).toContain('not-honoured')
    }
  },
)
