import { ask, defineHook, endTurn } from 'hookline'
import { toolGuard, toolPostCall, toolPreCall } from 'hookline/lifecycle'
import { expect, test } from 'vitest'
import { createMemoryApprovals } from '../index.ts'
import { heldTool, quickTool } from './fixtures/held-tool.ts'
import { witnessedStage } from './fixtures/witnesses.ts'

const script = [
  { calls: [{ tool: 'first' }, { tool: 'second' }] },
  { text: 'Never.' },
]

test('a call that waits for a person has not started, so endTurn cancels it', async () => {
  const approvals = createMemoryApprovals()
  const first = heldTool('first', 'mutating')
  const asks = defineHook({
    name: 'asks',
    on: toolGuard,
    match: { tool: 'first' },
    run: () => ask('May it?'),
  })
  const ends = defineHook({
    name: 'ends',
    on: toolPreCall,
    match: { tool: 'second' },
    run: () => endTurn('Enough.'),
  })
  const stage = witnessedStage(script, {
    hooks: [asks, ends],
    tools: [first.tool, quickTool('second', 'Never.')],
    approvals,
  })
  const session = await stage.open()
  const turn = session.send('Both.')
  await stage.trace.seen('event tool-end call-2')
  expect(await stage.until(turn.result)).toMatchObject({ reason: 'Enough.' })
  expect(approvals.pending()).toEqual([])
  expect(first.ran).toEqual([])
  const { journal } = await stage.testify(session)
  expect(journal.calls).toEqual(['call-2 cancelled', 'call-1 cancelled'])
})

test('a call that waits for its siblings has not started, so endTurn cancels it', async () => {
  const first = heldTool('first')
  const second = heldTool('second')
  const ends = defineHook({
    name: 'ends',
    on: toolPostCall,
    match: { tool: 'first' },
    run: () => endTurn('Enough.'),
  })
  const stage = witnessedStage(script, {
    hooks: [ends],
    tools: [first.tool, second.tool],
    toolConcurrency: 1,
  })
  const session = await stage.open()
  const turn = session.send('Both.')
  await stage.trace.seen('point tool.guard call-2')
  await stage.clock.settle()
  first.release('Done.')
  second.release('Never.')
  expect(await stage.until(turn.result)).toMatchObject({ reason: 'Enough.' })
  expect(second.ran).toEqual([])
  const { journal } = await stage.testify(session)
  expect(journal.calls).toEqual(['call-1 executed', 'call-2 cancelled'])
})

test('a call that runs when the turn is ended comes to its own end', async () => {
  const first = heldTool('first')
  const ends = defineHook({
    name: 'ends',
    on: toolPreCall,
    match: { tool: 'second' },
    run: () => endTurn('Enough.'),
  })
  const stage = witnessedStage(script, {
    hooks: [ends],
    tools: [first.tool, quickTool('second', 'Never.')],
  })
  const session = await stage.open()
  const turn = session.send('Both.')
  await stage.trace.seen('event tool-end call-2')
  first.release('Done.')
  expect(await stage.until(turn.result)).toMatchObject({ reason: 'Enough.' })
  const { journal, history } = await stage.testify(session)
  expect(journal.calls).toEqual(['call-2 cancelled', 'call-1 executed'])
  expect(history[2]).toContain('call-1 ok Done.')
})
