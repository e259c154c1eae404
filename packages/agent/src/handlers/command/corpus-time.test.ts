import { expect, test } from 'vitest'
import { graceMs, testCorpus } from './fixtures/corpus/run-corpus.ts'
import { survivorsRows } from './fixtures/corpus/survivor-rows.ts'
import { timeRows } from './fixtures/corpus/time-rows.ts'

const figures = testCorpus([...timeRows, ...survivorsRows])

test('T31 a tree whose time is up is gone within timeout, grace and 0.5 s', () => {
  // Ten times as much, for a machine that has other things to do.
  expect(figures.goneMs).toBeLessThan(graceMs + 10 * 500)
  expect(figures.goneMs).toBeGreaterThan(0)
})
