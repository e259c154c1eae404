import { expect, test } from 'vitest'
import { inspectJson } from '../../handlers/answer/strict-json.ts'
import type { DialectName } from '../dialect.ts'
import { dialects, fileOf } from '../fixtures/hook-files.ts'
import { hostileOutput, numbersFrom } from '../fixtures/hostile-outputs.ts'
import { openRuleBench } from '../fixtures/rule-bench.ts'

const events: Readonly<Partial<Record<DialectName, string>>> = {
  codex: 'PreToolUse',
  gemini: 'BeforeTool',
  cursor: 'preToolUse',
  copilot: 'preToolUse',
  'vs-code': 'PreToolUse',
}
const count = 2_000

test.each(Object.entries(events))(
  'F028 F029 F033 F049 whatever a hook of %s prints, what is no document never allows or changes anything',
  async (name, event) => {
    // The keys are names of dialects.
    const dialect = dialects[name as DialectName]
    const file = fileOf[dialect.name](event ?? '', 'x', {})
    const next = numbersFrom(42)
    let printed = ''
    const parts = {
      isStrict: true,
      mayApprove: () => true,
      speak: () => ({ stdout: printed, exitCode: next() < 0.2 ? 2 : 0 }),
    }
    const bench = await openRuleBench(dialect, file, parts)
    const before = Object.getOwnPropertyNames(Object.prototype)
    let refused = 0
    for (let round = 0; round < count; round++) {
      printed = hostileOutput(next)
      const { type, writers } = await bench.ask('tool.pre_call', event ?? '')
      const { problem } = inspectJson(printed.trim())
      if (problem !== undefined && !/\n/.test(printed)) {
        expect({ printed, writers }).toMatchObject({ writers: [] })
      }
      if (type === 'reject') refused++
    }
    expect(Object.getOwnPropertyNames(Object.prototype)).toEqual(before)
    expect(Object({})).not.toHaveProperty('polluted')
    // Else it would show nothing.
    expect(refused).toBeGreaterThan(count / 4)
    expect(refused).toBeLessThan(count)
  },
)
