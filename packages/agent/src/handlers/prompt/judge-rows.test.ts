import { describe, expect, test } from 'vitest'
import { askJudge } from './fixtures/ask-judge.ts'
import { type JudgeRow, judgeRows } from './fixtures/judge-rows.ts'

describe.for(['closed', 'open'] as const)(
  'under the policy %s',
  (onFailure) => {
    for (const row of judgeRows) {
      test(`${row.name} is no answer`, () => checkRow(row, onFailure))
    }

    test('all of them, four at a time, are no answers', async () => {
      const left = [...judgeRows]
      const work = async () => {
        for (let row = left.pop(); row; row = left.pop()) {
          await checkRow(row, onFailure)
        }
      }
      await Promise.all(Array.from({ length: 4 }, work))
    })
  },
)

async function checkRow(
  { script, code, prompt = {}, hook, diagnostic, calls }: JudgeRow,
  onFailure: 'closed' | 'open',
): Promise<void> {
  const judged = await askJudge(script, {
    prompt,
    hook: { ...hook, onFailure },
  })
  const { outcome, record, diagnostics, requests, clock } = judged
  // The engine and the handler keep the same time; either may be first.
  const isEngines = code === 'timed-out' && record.state === 'timed_out'
  if (!isEngines) expect(diagnostics).toContain(`handler.${code}`)
  if (diagnostic !== undefined) expect(diagnostics).toContain(diagnostic)
  expect(requests).toHaveLength(calls)
  // That of the engine, which it keeps for its next run.
  expect(clock.pending).toBeLessThanOrEqual(1)
  expect(record.failedOpen).toBe(onFailure === 'open')
  expect(outcome.type).toBe(onFailure === 'open' ? 'proceed' : 'reject')
}
