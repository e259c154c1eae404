import { expect, test } from 'vitest'
import type { ListedRun } from '../../../protocol/schemas/runs.ts'
import { renderTable } from '../../output/table.ts'
import { runColumns } from './run-columns.ts'

test('programs read how long a run took without the noise of its last digits', () => {
  // Only what is listed of it is written down.
  const run = {
    id: 'r',
    hook: 'h',
    point: 'p',
    state: 'completed',
    startedAt: 0,
    latencyMs: 46.88864799999999,
  } as unknown as ListedRun
  const cells = renderTable([run], runColumns).split('\t')
  expect(cells[5]).toBe('46.889')
})
