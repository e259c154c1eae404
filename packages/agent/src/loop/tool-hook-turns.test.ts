import { createMemoryRecords, defineHook, type Hook, proceed } from 'hookline'
import {
  permissionResolved,
  toolPostBatch,
  toolPostCall,
  turnPostTurn,
  turnPreTurn,
} from 'hookline/lifecycle'
import { expect, test } from 'vitest'
import {
  createAsyncScope,
  createMemoryApprovals,
  createPolicy,
  type Session,
} from '../index.ts'
import {
  type Bench,
  defer,
  openBench,
  recorder,
  settle,
} from './fixtures/tool-bench.ts'

type Run = () => Promise<typeof proceed>

/** A hook at a point that is about what has happened. */
const heldAt = {
  'tool.post_call': (run) =>
    defineHook({ name: 'held', on: toolPostCall, run }),
  'permission.resolved': (run) =>
    defineHook({ name: 'held', on: permissionResolved, run }),
  'tool.post_batch': (run) =>
    defineHook({ name: 'held', on: toolPostBatch, run }),
  'turn.post_turn': (run) =>
    defineHook({
      name: 'held',
      on: turnPostTurn,
      match: (_turn, { sessionId }) => sessionId === 'other',
      run,
    }),
} satisfies Record<string, (run: Run) => Hook>

const yes = { type: 'allow' } as const

/**
 * A hook that sends something to another session and answers, while that turn
 * is held at a point that is about what has happened.
 */
async function openHeld(point: keyof typeof heldAt) {
  const held = { judging: defer(), judged: defer() }
  const judge = heldAt[point](async () => {
    held.judging.resolve()
    await held.judged.promise
    return proceed
  })
  const started: ReturnType<Session['send']>[] = []
  const starts: Hook = defineHook({
    name: 'starts',
    on: turnPreTurn,
    match: (_turn, { sessionId }) => sessionId === 'session',
    run: async () => {
      started.push((await other).send('go'))
      await held.judging.promise
      return proceed
    },
  })
  const { tool, ran } = recorder('write')
  const records = createMemoryRecords()
  const approvals = createMemoryApprovals({
    onQuestion: ({ question }) => approvals.answer(question.id, yes, 'ann'),
  })
  const bench: Bench = await openBench({
    script: [
      { calls: [{ tool: 'write', id: 'c1', args: { x: 1 } }] },
      { text: 'done' },
      { text: 'done' },
    ],
    tools: [tool],
    hooks: [starts, judge],
    engine: { asyncScope: createAsyncScope(), records },
    policy: createPolicy({ mode: 'ask-writes' }),
    approvals,
  })
  const other = bench.runtime.openSession({ agent: 'main', id: 'other' })
  await other
  return { bench, held, started, ran, records }
}

test.each([
  'tool.post_call',
  'permission.resolved',
  'tool.post_batch',
  'turn.post_turn',
] as const)(
  'F019 a turn that a hook has begun goes on when that hook answers while `%s` is asked, also where an async scope knows whose it is',
  async (point) => {
    const { bench, held, started, ran, records } = await openHeld(point)
    const first = bench.session.send('go')
    await held.judging.promise
    expect((await first.result).status).toBe('succeeded')
    held.judged.resolve()
    const result = await started[0]?.result
    await settle()
    expect(result?.error).toBeUndefined()
    const runs = records.all().filter(({ hook }) => hook === 'held')
    expect(runs).toMatchObject([{ point, state: 'completed' }])
    expect(ran).toEqual([{ x: 1 }])
    const ends = bench.journal.flatMap((entry) =>
      entry.type === 'call-end' ? [entry.ended] : [],
    )
    expect(ends).toMatchObject([
      { status: 'executed', result: { isError: false } },
    ])
  },
)
