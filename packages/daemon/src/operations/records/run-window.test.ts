import type { EndedRun, HookRecord, RunState } from 'hookline'
import { expect, test, vi } from 'vitest'
import { longMs, openWorld } from '../fixtures/open-world.ts'
import { RunWindow } from './run-window.ts'

vi.setConfig({ testTimeout: longMs })

/** A hook that was queued long ago, and how it is now. */
function ended(state: RunState): EndedRun {
  const record: HookRecord = {
    dispatch: 'd1',
    inside: undefined,
    scope: { agent: 'tester' },
    point: 'tool.guard',
    hook: 'mail',
    handler: { id: 'mail', kind: 'function', version: '1' },
    visibility: 'internal',
    mode: 'enforce',
    attempt: 1,
    state,
    note: undefined,
    startedAt: 1_000,
    latencyMs: 1,
    answer: undefined,
    reason: undefined,
    decided: false,
    failure: undefined,
    policy: undefined,
    failedOpen: false,
    contributions: [],
    diagnostics: [],
  }
  return { point: record.point, record, ending: {} }
}

test('whoever follows runs hears how one ended that was queued long before', async () => {
  const { workspace } = await openWorld()
  const { store } = workspace
  const write = async (state: RunState) => {
    store.records.end(ended(state))
    await store.records.flush()
  }
  await write('backgrounded')
  const window = new RunWindow(store, { from: 1_000_000, hook: 'mail' })
  await window.noteOpen()
  const news = async () => {
    const told: string[] = []
    for await (const one of window.news()) {
      if (one.type === 'runs') told.push(...one.runs.map(({ state }) => state))
    }
    return told
  }
  expect(await news()).toEqual([])
  await write('completed')
  expect(await news()).toEqual(['completed'])
  expect(await news()).toEqual([])
})
