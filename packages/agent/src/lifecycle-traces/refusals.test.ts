import { describe, expect, test } from 'vitest'
import { type Refused, reason, refusals } from './fixtures/refusals.ts'

const denials = [
  ['tool.pre_call', refusals.denyBefore],
  ['tool.guard', refusals.denyAtGuard],
] as const

const feedback = `<feedback from="h">\n${reason}\n</feedback>`

describe.each(denials)('to deny a call at %s', (_, deny) => {
  test('is not to synthesize its result: one is an error, one a success', async () => {
    const denied = await deny()
    const given = await refusals.synthesize()
    expect(denied.call).toEqual({ status: 'denied', told: `error: ${reason}` })
    expect(given.call).toEqual({ status: 'synthesized', told: reason })
    expect(endsOf(denied)).toMatchObject([{ result: { error: 'denied' } }])
    expect(endsOf(given)).toMatchObject([{ result: { isError: false } }])
    expect([denied.isToolRun, given.isToolRun]).toEqual([false, false])
  })

  test('is not to end the turn: one asks the model again, one does not', async () => {
    const denied = await deny()
    const ended = await refusals.endTurn()
    expect(denied.asked).toEqual(['user: Act.', `tool: call-1 error ${reason}`])
    expect(ended.asked).toEqual(['user: Act.'])
    expect(denied.result).toMatchObject({ status: 'succeeded', text: 'Done.' })
    expect(ended.result).toMatchObject({ reason, text: '' })
    expect([denied.call.status, ended.call.status]).toEqual([
      'denied',
      'cancelled',
    ])
  })

  test('is not to keep the turn alive: one stops the tool, one the end', async () => {
    const denied = await deny()
    const kept = await refusals.keepAlive()
    expect([denied.isToolRun, kept.isToolRun]).toEqual([false, true])
    expect(denied.call.told).toBe(`error: ${reason}`)
    expect(kept.call).toEqual({ status: 'executed', told: 'Acted.' })
    expect(denied.result).toMatchObject({ text: 'Done.', steps: 2 })
    expect(kept.result).toMatchObject({ text: 'More.', steps: 3 })
  })

  test('is not to veto a mutation: one is about the call, one about history', async () => {
    const denied = await deny()
    const vetoed = await refusals.veto()
    expect([denied.isToolRun, vetoed.isToolRun]).toEqual([false, true])
    expect([denied.compaction, vetoed.compaction]).toEqual(['done', 'vetoed'])
    expect(denied.call.told).toBe(`error: ${reason}`)
    expect(vetoed.call).toEqual({ status: 'executed', told: 'Acted.' })
    expect(vetoed.history.join()).not.toContain(reason)
  })
})

describe('to synthesize a result', () => {
  test('is not to end the turn: one goes on with the result, one not at all', async () => {
    const given = await refusals.synthesize()
    const ended = await refusals.endTurn()
    expect(given.asked).toEqual(['user: Act.', `tool: call-1 ok ${reason}`])
    expect(ended.asked).toEqual(['user: Act.'])
    expect(given.result).toMatchObject({ status: 'succeeded', text: 'Done.' })
    expect(given.result.reason).toBeUndefined()
    expect(ended.result.reason).toBe(reason)
    expect(given.call.told).toBe(reason)
    expect(ended.call.told).toMatch(/^error: /)
    expect(ended.call.told).toContain(reason)
  })

  test('is not to keep the turn alive: one is a result, one is feedback', async () => {
    const given = await refusals.synthesize()
    const kept = await refusals.keepAlive()
    expect(given.asked.at(-1)).toBe(`tool: call-1 ok ${reason}`)
    expect(kept.asked.at(-1)).toBe(`user: ${feedback}`)
    expect([given.call.status, kept.call.status]).toEqual([
      'synthesized',
      'executed',
    ])
    expect([given.isToolRun, kept.isToolRun]).toEqual([false, true])
  })

  test('is not to veto a mutation: one takes the place of an action', async () => {
    const given = await refusals.synthesize()
    const vetoed = await refusals.veto()
    expect(given.call).toEqual({ status: 'synthesized', told: reason })
    expect(vetoed.call).toEqual({ status: 'executed', told: 'Acted.' })
    expect([given.compaction, vetoed.compaction]).toEqual(['done', 'vetoed'])
    expect([given.history.length, vetoed.history.length]).toEqual([8, 10])
  })
})

describe('to end the turn', () => {
  test('is not to keep it alive: one makes it shorter, one longer', async () => {
    const ended = await refusals.endTurn()
    const kept = await refusals.keepAlive()
    expect(ended.asked).toEqual(['user: Act.'])
    expect(kept.asked).toEqual([
      'user: Act.',
      'tool: call-1 ok Acted.',
      `user: ${feedback}`,
    ])
    expect(ended.result).toMatchObject({ steps: 1, reason })
    expect(kept.result).toMatchObject({ steps: 3, text: 'More.' })
    expect(kept.result.reason).toBeUndefined()
  })

  test('is not to veto a mutation: a veto where it can go on ends nothing', async () => {
    const ended = await refusals.endTurn()
    const vetoed = await refusals.veto()
    expect(ended.result).toMatchObject({ text: '', reason })
    expect(vetoed.result).toMatchObject({ text: 'Done.', status: 'succeeded' })
    expect(ended.call.told).toContain(reason)
    expect(vetoed.call.told).toBe('Acted.')
    expect([ended.compaction, vetoed.compaction]).toEqual(['done', 'vetoed'])
  })
})

test('to keep the turn alive is not to veto a mutation: only one is told the model', async () => {
  const kept = await refusals.keepAlive()
  const vetoed = await refusals.veto()
  expect(kept.asked.at(-1)).toBe(`user: ${feedback}`)
  expect(vetoed.asked).toEqual(['user: Act.', 'tool: call-1 ok Acted.'])
  expect([kept.result.text, vetoed.result.text]).toEqual(['More.', 'Done.'])
  expect(compactionOf(kept)).toMatchObject({ removedCount: 4 })
  expect(compactionOf(vetoed)).toMatchObject({ removedCount: 0, vetoedBy: 'h' })
})

test('what a refusal puts in is told with its author', async () => {
  const given = await refusals.synthesize()
  const kept = await refusals.keepAlive()
  expect(editsOf(kept)).toEqual(['hook-inject feedback by h'])
  expect(editsOf(given)).toEqual(['hook-inject result by h'])
})

function endsOf({ events }: Refused) {
  return events.filter((event) => event.type === 'tool-end')
}

function compactionOf({ events }: Refused) {
  return events.find((event) => event.type === 'compaction-end')
}

/** What the hook put in, changed or kept out, as watchers are told. */
function editsOf({ events }: Refused): readonly string[] {
  return events.flatMap((event) =>
    'hook' in event && 'subject' in event
      ? [`${event.type} ${event.subject} by ${event.hook}`]
      : [],
  )
}
