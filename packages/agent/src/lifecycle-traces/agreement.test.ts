import { ask, defineHook, proceed, reject } from 'hookline'
import { toolGuard, toolPostCall, toolPreCall } from 'hookline/lifecycle'
import { describe, expect, test } from 'vitest'
import { createMemoryApprovals, defineTool } from '../index.ts'
import { heldTool, quickTool } from './fixtures/held-tool.ts'
import { unpairedIn, witnessedStage } from './fixtures/witnesses.ts'

const reason = 'Not that one.'

const denyFirst = defineHook({
  name: 'gate',
  on: toolPreCall,
  match: { tool: 'first' },
  run: () => reject(reason),
})

const bothCalls = [
  { calls: [{ tool: 'first' }, { tool: 'second' }] },
  { text: 'Done.' },
]

/** Ends when it is told to stop. */
const obedient = defineTool({
  name: 'second',
  description: 'Waits to be told to stop.',
  input: { type: 'object' },
  safety: 'read_only',
  execute: (_, { signal }) =>
    new Promise((_resolve, stop) => {
      signal.addEventListener('abort', () => stop(new Error('Stopped.')))
    }),
})

describe('deny, then cancel', () => {
  test('F133 a call that ran is kept with the one that was denied, and all agree', async () => {
    const stage = witnessedStage(bothCalls, {
      hooks: [denyFirst],
      tools: [quickTool('first', 'Never.'), obedient],
    })
    const session = await stage.open()
    const turn = session.send('Both.')
    await stage.trace.seen('point tool.guard call-2')
    await stage.clock.settle()
    turn.cancel('Enough.')
    expect(await turn.result).toMatchObject({
      status: 'cancelled',
      reason: 'Enough.',
    })
    const said = await stage.testify(session)
    expect(said.history).toEqual([
      'user: Both.',
      'assistant: first()|second()',
      `tool: call-1 error ${reason}|call-2 error The call was cancelled while it ran.`,
      'assistant: [turn cancelled: Enough.]',
    ])
    expect(said.kept).toEqual(said.history)
    expect(said.events).toEqual({
      calls: ['call-1 denied', 'call-2 cancelled'],
      turn: 'cancelled',
    })
    expect(said.journal).toEqual(said.events)
    expect(said.begun).toEqual(['call-2'])
    expect(said.open).toBe(0)
    expect(said.records).toEqual(['gate reject'])
  })

  test('a turn whose tools never started leaves history unchanged, and all agree', async () => {
    const approvals = createMemoryApprovals()
    const askSecond = defineHook({
      name: 'asks',
      on: toolGuard,
      match: { tool: 'second' },
      run: () => ask('May it?'),
    })
    const stage = witnessedStage(bothCalls, {
      hooks: [denyFirst, askSecond],
      tools: [quickTool('first', 'Never.'), quickTool('second', 'Never.')],
      approvals,
    })
    const session = await stage.open()
    const turn = session.send('Both.')
    await stage.trace.seen('point permission.request call-2')
    await stage.clock.settle()
    turn.cancel()
    expect(await turn.result).toMatchObject({ status: 'cancelled' })
    const said = await stage.testify(session)
    expect(said.events).toEqual({
      calls: ['call-1 denied', 'call-2 cancelled'],
      turn: 'cancelled',
    })
    expect(said.journal).toEqual(said.events)
    expect(said.begun).toEqual([])
    expect(said.records).toEqual(['gate reject', 'asks ask'])
    expect(said.kept).toEqual(said.history)
    expect(said.history).toEqual([])
  })

  test('a turn that was only denied leaves nothing behind, and all agree', async () => {
    const stage = witnessedStage(
      [
        { calls: [{ tool: 'first' }] },
        { text: 'Late.', waitFor: Promise.withResolvers().promise },
      ],
      { hooks: [denyFirst], tools: [quickTool('first', 'Never.')] },
    )
    const session = await stage.open()
    const turn = session.send('One.')
    await stage.trace.seen('event step-start 2')
    await stage.clock.settle()
    turn.cancel()
    expect(await turn.result).toMatchObject({ status: 'cancelled' })
    const said = await stage.testify(session)
    expect(said.history).toEqual([])
    expect(said.kept).toEqual(said.history)
    expect(said.events).toEqual({ calls: ['call-1 denied'], turn: 'cancelled' })
    expect(said.journal).toEqual(said.events)
    expect(said.records).toEqual(['gate reject'])
  })
})

describe('cancel, then answer', () => {
  test('F133 a tool that does not end leaves an unknown outcome, and its late result changes nothing', async () => {
    const slow = heldTool('first')
    const stage = witnessedStage(
      [{ calls: [{ tool: 'first' }] }, { text: 'Done.' }],
      { tools: [slow.tool], graceMs: 5_000 },
    )
    const session = await stage.open()
    const turn = session.send('One.')
    await stage.trace.seen('point tool.guard call-1')
    await stage.clock.settle()
    turn.cancel('Enough.')
    await stage.clock.advance(5_000)
    expect(await turn.result).toMatchObject({ status: 'cancelled' })
    const said = await stage.testify(session)
    expect(said.events).toEqual({
      calls: ['call-1 unknown_outcome'],
      turn: 'cancelled',
    })
    expect(said.journal).toEqual(said.events)
    expect(said.kept).toEqual(said.history)
    expect(unpairedIn(session.messages)).toEqual([])
    slow.release('Late.')
    await stage.clock.advance(60_000)
    expect(await stage.testify(session)).toEqual(said)
    expect(said.everything).not.toContain('Late.')
  })

  test('an approval that comes after a cancel is void: nothing runs, nothing changes', async () => {
    const approvals = createMemoryApprovals()
    const tool = heldTool('first', 'mutating')
    const asks = defineHook({
      name: 'asks',
      on: toolGuard,
      run: () => ask('May it?'),
    })
    const stage = witnessedStage([{ calls: [{ tool: 'first' }] }], {
      hooks: [asks],
      tools: [tool.tool],
      approvals,
    })
    const session = await stage.open()
    const turn = session.send('One.')
    await stage.trace.seen('point permission.request')
    await stage.clock.settle()
    const [pending] = approvals.pending()
    turn.cancel('Enough.')
    expect(await turn.result).toMatchObject({ status: 'cancelled' })
    const said = await stage.testify(session)
    expect(said.events).toEqual({
      calls: ['call-1 cancelled'],
      turn: 'cancelled',
    })
    expect(said.journal).toEqual(said.events)
    expect([said.history, said.kept]).toEqual([[], []])
    const id = pending?.question.id ?? ''
    expect(approvals.answer(id, { type: 'allow' }, 'ann')).toBe('unknown')
    await stage.clock.advance(60_000)
    expect(tool.ran).toEqual([])
    expect(await stage.testify(session)).toEqual(said)
  })

  test('F131 a gate that answers after a cancel lets nothing run, and is no failure', async () => {
    const answer = Promise.withResolvers<typeof proceed>()
    const tool = heldTool('first')
    const slowGate = defineHook({
      name: 'gate',
      on: toolPreCall,
      run: () => answer.promise,
    })
    const stage = witnessedStage([{ calls: [{ tool: 'first' }] }], {
      hooks: [slowGate],
      tools: [tool.tool],
    })
    const session = await stage.open()
    const turn = session.send('One.')
    await stage.trace.seen('event usage-delta')
    await stage.clock.settle()
    turn.cancel()
    expect(await turn.result).toMatchObject({ status: 'cancelled' })
    const said = await stage.testify(session)
    expect(said.records).toEqual(['gate cancelled'])
    expect(said.events).toEqual({
      calls: ['call-1 cancelled'],
      turn: 'cancelled',
    })
    expect(said.journal).toEqual(said.events)
    expect([said.history, said.kept]).toEqual([[], []])
    answer.resolve(proceed)
    await stage.clock.advance(60_000)
    expect(tool.ran).toEqual([])
    expect(await stage.testify(session)).toEqual(said)
  })

  test('a result that a client brings after a cancel changes nothing', async () => {
    const remote = defineTool({
      name: 'first',
      description: 'Runs at the client.',
      input: { type: 'object' },
      safety: 'read_only',
      execute: 'client',
    })
    const stage = witnessedStage([{ calls: [{ tool: 'first' }] }], {
      tools: [remote],
    })
    const session = await stage.open()
    const turn = session.send('One.')
    await stage.trace.seen('point tool.guard call-1')
    await stage.clock.settle()
    turn.cancel()
    await stage.clock.advance(5_000)
    expect(await turn.result).toMatchObject({ status: 'cancelled' })
    const said = await stage.testify(session)
    const content = [{ type: 'text' as const, text: 'Late.' }]
    try {
      session.resolveCall('call-1', { content, isError: false })
    } catch {
      // Whether a client is told so is not what this is about.
    }
    await stage.clock.advance(60_000)
    expect(await stage.testify(session)).toEqual(said)
    expect(said.kept).toEqual(said.history)
    expect(said.journal).toEqual(said.events)
  })
})

describe('a hook after the fact throws when the tool has acted', () => {
  const script = [{ calls: [{ tool: 'first' }] }, { text: 'Done.' }]
  const broken = () => {
    throw new Error('Broken.')
  }
  const tool = quickTool('first', 'Opened the vault.', 'mutating')

  test('F136 closed: the effect stays, its result is withheld everywhere, and all agree', async () => {
    const judge = defineHook({ name: 'judge', on: toolPostCall, run: broken })
    const stage = witnessedStage(script, { hooks: [judge], tools: [tool] })
    const session = await stage.open()
    const { status, text } = await session.send('One.').result
    expect([status, text]).toEqual(['succeeded', 'Done.'])
    const said = await stage.testify(session)
    expect(said.events).toEqual({
      calls: ['call-1 executed'],
      turn: 'succeeded',
    })
    expect(said.journal).toEqual(said.events)
    expect(said.begun).toEqual(['call-1'])
    expect(said.history[2]).toMatch(/^tool: call-1 error \[withheld: .*\]$/)
    expect(said.kept).toEqual(said.history)
    expect(said.records).toEqual(['judge failed closed'])
    expect(said.everything).not.toContain('vault')
  })

  test('F136 open: what was done is told as it is, and the failure recorded', async () => {
    const judge = defineHook({
      name: 'judge',
      on: toolPostCall,
      onFailure: 'open',
      run: broken,
    })
    const stage = witnessedStage(script, { hooks: [judge], tools: [tool] })
    const session = await stage.open()
    await session.send('One.').result
    const said = await stage.testify(session)
    expect(said.events).toEqual({
      calls: ['call-1 executed'],
      turn: 'succeeded',
    })
    expect(said.journal).toEqual(said.events)
    expect(said.history[2]).toBe('tool: call-1 ok Opened the vault.')
    expect(said.kept).toEqual(said.history)
    expect(said.records).toEqual(['judge failed open'])
  })

  test('required: the turn fails, and the model will know what was done', async () => {
    const judge = defineHook({
      name: 'judge',
      on: toolPostCall,
      onFailure: 'required',
      run: broken,
    })
    const stage = witnessedStage(script, { hooks: [judge], tools: [tool] })
    const session = await stage.open()
    const { status } = await session.send('One.').result
    expect(status).toBe('failed')
    const said = await stage.testify(session)
    expect(said.events).toEqual({ calls: ['call-1 executed'], turn: 'failed' })
    expect(said.journal).toEqual(said.events)
    expect(said.history[2]).toMatch(/^tool: call-1 error \[withheld: .*\]$/)
    expect(said.history[3]).toMatch(/^assistant: \[turn failed: .*\]$/)
    expect(said.kept).toEqual(said.history)
    expect(unpairedIn(session.messages)).toEqual([])
    expect(said.records).toEqual(['judge failed required'])
    expect(said.everything).not.toContain('vault')
  })
})
