import { expect, test } from 'vitest'
import { growthOf, linear } from '../../../../../core/fixtures/time-ratio.ts'
import type { Run } from '../../../data/protocol.ts'
import { ticksIn, zoom } from './axis.ts'
import { buildTree } from './build-tree.ts'
import { flatten } from './flatten.ts'
import { foldTold } from './fold-told.ts'
import { type Node, type Trace, tookMs } from './nodes.ts'
import { nothingTold, type ToldTurn } from './told-turn.ts'

const place = { sessionId: 's', turnId: 't' }

type Event = Parameters<typeof foldTold>[1] & { type: 'event' }

/** Each at its own time: its place in the list, in tens of milliseconds. */
function tell(...events: readonly object[]): ToldTurn {
  const path = ['main']
  return events.reduce<ToldTurn>((told, event, seq) => {
    const whole: object = { ...place, path, seq, ...event }
    const at = 1_000 + seq * 10
    return foldTold(
      told,
      // Each has what is read of its type.
      { type: 'event', cursor: 'c', at, event: whole as Event['event'] },
      place,
    )
  }, nothingTold)
}

const turn: Trace['turn'] = {
  id: 't',
  sessionId: 's',
  number: 1,
  agent: 'main',
  model: 'm',
  inputId: null,
  status: 'succeeded',
  startedAt: 1_000,
  endedAt: 1_200,
  elapsedMs: 200,
  steps: 1,
  toolCount: 1,
  inputTokens: 1,
  outputTokens: 1,
  error: null,
}

function run(given: Partial<Run>): Run {
  const { dispatch = 'd', hook = 'h' } = given
  return {
    id: `${dispatch}/${hook}`,
    dispatch,
    hook,
    point: 'tool.guard',
    attempt: 1,
    state: 'completed',
    startedAt: 1_000,
    latencyMs: 5,
    answer: 'proceed',
    decided: false,
    failedOpen: false,
    contributions: [],
    diagnostics: [],
    ...given,
  }
}

function outline(node: Node): readonly string[] {
  const { children, name, start, end } = node
  const own = `${name} ${start}–${end}`
  return [own, ...children.flatMap(outline).map((line) => `  ${line}`)]
}

const call = { id: 'c1', tool: 'read' }

test('a turn is a tree: steps, their model calls and tools, and the hooks of each', () => {
  const told = tell(
    { type: 'step-start', step: 1 },
    { type: 'text-start', id: 'x' },
    { type: 'usage-delta', model: 'm', usage: {} },
    { type: 'tool-start', call },
    { type: 'permission-start', question: { id: 'q', call } },
    {
      type: 'permission-end',
      questionId: 'q',
      decision: { type: 'deny' },
      by: { kind: 'person', name: 'user:ann' },
    },
    { type: 'tool-end', callId: 'c1', tool: 'read', status: 'denied' },
    { type: 'step-end', step: 1 },
    { type: 'turn-end', status: 'succeeded' },
  )
  const runs = [
    run({ dispatch: 'a', point: 'turn.input', startedAt: 995 }),
    // Its step was written down a moment later.
    run({ dispatch: 'b', point: 'llm.pre_call', startedAt: 998 }),
    run({ dispatch: 'c', startedAt: 1_035, callId: 'c1' }),
    run({ dispatch: 'e', startedAt: 1_036, inside: 'c/h', latencyMs: 1 }),
    run({ dispatch: 'f', point: 'turn.end', startedAt: 1_190 }),
  ]
  const tree = buildTree({ turn, calls: [], runs }, told)
  expect(outline(tree)).toEqual([
    'Turn 1 995–1200',
    '  turn.input 995–1000',
    '    h 995–1000',
    '  Step 1 998–1070',
    '    llm.pre_call 998–1003',
    '      h 998–1003',
    '    m 1003–1020',
    '    read 1030–1060',
    '      tool.guard 1035–1040',
    '        h 1035–1040',
    '          tool.guard 1036–1037',
    '            h 1036–1037',
    '      Asked: user:ann 1040–1050',
    '  turn.end 1190–1195',
    '    h 1190–1195',
  ])
  const rows = flatten(tree, new Set(), { outcome: 'denied' })
  expect(rows.map(({ node }) => node.name)).toEqual([
    'Turn 1',
    'Step 1',
    'read',
    'Asked: user:ann',
  ])
  const folded = flatten(tree, new Set(['step-1']))
  expect(folded.map(({ node }) => node.name)).toContain('Step 1')
  expect(folded.map(({ node }) => node.name)).not.toContain('read')
})

test('a question that nobody answered is not told as one that somebody was asked', () => {
  const told = tell(
    { type: 'step-start', step: 1 },
    { type: 'tool-start', call },
    { type: 'permission-start', question: { id: 'q', call } },
    {
      type: 'permission-end',
      questionId: 'q',
      decision: { type: 'deny' },
      by: { kind: 'nobody', because: 'unanswered' },
    },
    { type: 'tool-end', callId: 'c1', tool: 'read', status: 'denied' },
  )
  const tree = buildTree({ turn, calls: [], runs: [] }, told)
  const names = flatten(tree, new Set()).map(({ node }) => node.name)
  expect(names).toEqual([
    'Turn 1',
    'Step 1',
    'Model',
    'read',
    'Nobody answered',
  ])
})

test('a model that was asked again shows every attempt that hooks saw', () => {
  const told = tell(
    { type: 'step-start', step: 1 },
    {},
    {},
    {},
    {},
    { type: 'usage-delta', model: 'm', usage: {} },
    { type: 'step-end', step: 1 },
  )
  const runs = [
    run({ dispatch: 'a', point: 'llm.pre_call', startedAt: 1_001 }),
    run({ dispatch: 'b', point: 'llm.error', startedAt: 1_015 }),
    run({ dispatch: 'c', point: 'llm.pre_call', startedAt: 1_025 }),
  ]
  const [step] = buildTree({ turn, calls: [], runs }, told).children
  const models = step?.children.filter(({ kind }) => kind === 'model')
  expect(models).toMatchObject([
    { start: 1_006, end: 1_015, outcome: 'failed' },
    { start: 1_030, end: 1_050, outcome: 'done' },
  ])
})

test('without events a turn is drawn from its records', () => {
  const recorded = {
    callId: 'c1',
    tool: 'read',
    owner: 'os',
    safety: 'read_only',
    state: 'ended',
    status: 'executed',
    isUngated: true,
    startedAt: 1_100,
    endedAt: 1_150,
  } as const
  const tree = buildTree({ turn, calls: [recorded], runs: [] }, nothingTold)
  expect(outline(tree)).toEqual(['Turn 1 1000–1200', '  read 1100–1150'])
})

test('what goes on has no end, and what was left open ends with the turn', () => {
  const told = tell(
    { type: 'step-start', step: 1 },
    { type: 'tool-start', call },
  )
  const running = { ...turn, status: 'running', endedAt: null } as const
  const open = buildTree({ turn: running, calls: [], runs: [] }, told)
  expect(outline(open)).toEqual([
    'Turn 1 1000–undefined',
    '  Step 1 1000–undefined',
    '    Model 1000–undefined',
    '    read 1010–undefined',
  ])
  const over = buildTree({ turn, calls: [], runs: [] }, told)
  expect(over.children[0]).toMatchObject({ end: 1_200, outcome: 'done' })
})

test('a turn took as long as its record says, though what nobody waits for goes on', () => {
  const after = run({
    point: 'turn.post_turn',
    startedAt: 1_190,
    latencyMs: 60,
  })
  const root = buildTree({ turn, calls: [], runs: [after] }, nothingTold)
  expect(root.end).toBe(1_250)
  expect(tookMs(root, 2_000)).toBe(200)
  expect(root.children.map((child) => tookMs(child, 2_000))).toEqual([60])
})

test('what was written down after a turn had ended makes it no longer', () => {
  const told = tell(
    { type: 'step-start', step: 1 },
    { type: 'tool-start', call },
    { type: 'compaction-start' },
    { type: 'permission-start', question: { id: 'q', call } },
    { type: 'subagent-start', child: 'scout' },
    { type: 'usage-delta', model: 'm', usage: {} },
    { type: 'subagent-end', child: 'scout', status: 'succeeded' },
    { type: 'permission-end', questionId: 'q', decision: { type: 'allow' } },
    { type: 'compaction-end', removedCount: 1 },
    { type: 'tool-end', callId: 'c1', tool: 'read', status: 'executed' },
    { type: 'step-end', step: 1 },
    { type: 'step-start', step: 2 },
    { type: 'step-end', step: 2 },
  )
  const short = { ...turn, endedAt: 1_015 }
  const root = buildTree({ turn: short, calls: [], runs: [] }, told)
  const latest = (node: Node): number =>
    Math.max(node.start, node.end ?? 0, ...node.children.map(latest))
  expect(latest(root)).toBe(1_015)
  expect(flatten(root, new Set())).toHaveLength(9)
})

test('a child is linked to by what it tells itself', () => {
  const told = tell(
    { type: 'subagent-start', child: 'scout' },
    {
      type: 'step-start',
      step: 1,
      sessionId: 's2',
      turnId: 't2',
      path: ['main', 'scout'],
      within: ['s'],
    },
    { type: 'subagent-end', child: 'scout', status: 'succeeded' },
  )
  expect(told.steps).toEqual([])
  const tree = buildTree({ turn, calls: [], runs: [] }, told)
  expect(tree.children[0]).toMatchObject({
    kind: 'subagent',
    outcome: 'done',
    about: { child: { sessionId: 's2', turnId: 't2' } },
  })
})

test('the axis has round times, and zooms within the turn', () => {
  expect(ticksIn({ from: 0, to: 1_000 }, 5)).toEqual([
    0, 200, 400, 600, 800, 1_000,
  ])
  expect(ticksIn({ from: 3, to: 4 }, 5)).toEqual([3, 3.2, 3.4, 3.6, 3.8, 4])
  const whole = { from: 0, to: 100 }
  const closer = zoom(whole, whole, { factor: 0.5, around: 0 })
  expect(closer).toEqual({ from: 0, to: 50 })
  expect(zoom(closer, whole, { factor: 4, around: 50 })).toEqual(whole)
})

test('ten thousand events are put together in linear time', async () => {
  const growth = await growthOf(2_500, (count) => {
    const events = Array.from({ length: count }, (_, at) => [
      { type: 'step-start', step: at },
      { type: 'tool-start', call: { id: `c${at}`, tool: 'read' } },
      { type: 'tool-end', callId: `c${at}`, tool: 'read', status: 'executed' },
      { type: 'step-end', step: at },
    ]).flat()
    const told = tell(...events)
    const runs = Array.from({ length: count }, (_, at) =>
      run({
        dispatch: `d${at}`,
        callId: `c${at}`,
        startedAt: 1_000 + at * 40,
      }),
    )
    const tree = buildTree({ turn, calls: [], runs }, told)
    expect(flatten(tree, new Set())).toHaveLength(1 + 5 * count)
  })
  expect(growth).toBeLessThan(linear)
})
