import {
  ask,
  createMemoryRecords,
  defineHook,
  type Hook,
  proceed,
  respond,
} from 'hookline'
import {
  type PermissionDecision,
  type PermissionResolvedInput,
  permissionRequest,
  permissionResolved,
  toolGuard,
  toolPreCall,
} from 'hookline/lifecycle'
import { expect, test } from 'vitest'
import {
  createMemoryApprovals,
  createPolicy,
  type PendingApproval,
} from '../index.ts'
import {
  type Bench,
  type BenchOptions,
  defer,
  endOf,
  openBench,
  recorder,
  runTurn,
  sealsOf,
  settle,
  told,
} from './fixtures/tool-bench.ts'

const calls = [{ tool: 'write', id: 'c1', args: { x: 1 } }]
const askWrites = createPolicy({ mode: 'ask-writes' })

const preAsk = defineHook({
  name: 'pre-ask',
  on: toolPreCall,
  run: () => ask('pre?'),
})
const guardAsk = defineHook({
  name: 'guard-ask',
  on: toolGuard,
  run: () => ask('guard?'),
})

/** Approvals that answer every question at once, and keep them. */
function answering(decision: PermissionDecision, by = 'ann') {
  const asked: PendingApproval[] = []
  const approvals = createMemoryApprovals({
    onQuestion: (pending) => {
      asked.push(pending)
      approvals.answer(pending.question.id, decision, by)
    },
  })
  return { approvals, asked }
}

/** A hook that answers for the user. */
function answerer(
  decision: unknown,
  capabilities: readonly string[] = ['approve'],
): Hook {
  return defineHook({
    name: 'answerer',
    on: permissionRequest,
    capabilities,
    run: () => respond(decision as PermissionDecision),
  })
}

test('F203 a verdict has the time of its hook, also where the wall clock is set while a person thinks', async () => {
  const began = Date.UTC(2026, 0, 1)
  const { tool } = recorder('write')
  const asked: string[] = []
  const approvals = createMemoryApprovals({
    onQuestion: ({ question }) => void asked.push(question.id),
  })
  const records = createMemoryRecords()
  const bench = await openBench({
    calls,
    tools: [tool],
    approvals,
    hooks: [preAsk],
    engine: { records },
  })
  bench.clock.setWall(began)
  const { result } = bench.session.send('go')
  await settle()
  bench.clock.setWall(began + 8 * 3_600_000)
  approvals.answer(asked[0] ?? '', { type: 'allow' }, 'ann')
  await result
  const verdicts = sealsOf(bench).flatMap((sealed) => sealed.verdicts)
  expect(verdicts).toMatchObject([{ hook: 'pre-ask', startedAt: began }])
  const recorded = records.all().filter(({ hook }) => hook === 'pre-ask')
  expect(recorded).toMatchObject([{ startedAt: began }])
})

test.each([
  ['policy', { policy: askWrites }, 'policy'],
  ['tool.pre_call', { hooks: [preAsk] }, 'pre-ask'],
  ['tool.guard', { hooks: [guardAsk] }, 'guard-ask'],
] satisfies [string, BenchOptions, string][])(
  'a question of %s is put to a person, and runs the call once they allow it',
  async (_name, options, by) => {
    const { tool, ran } = recorder('write')
    const { approvals, asked } = answering({ type: 'allow' })
    const bench = await runTurn({ calls, tools: [tool], approvals, ...options })
    expect(asked.map(({ question }) => question.questions[0]?.by)).toEqual([by])
    expect(ran).toEqual([{ x: 1 }])
    const ann = { kind: 'person', name: 'ann' }
    expect(sealsOf(bench)[0]?.approvedBy).toEqual(ann)
  },
)

test('T47 the questions of policy, tool.pre_call and tool.guard are one, bound to the seal of what runs', async () => {
  const { tool } = recorder('write')
  const { approvals, asked } = answering({ type: 'allow' })
  const bench = await runTurn({
    calls,
    tools: [tool],
    approvals,
    policy: askWrites,
    hooks: [preAsk, guardAsk],
  })
  expect(asked).toHaveLength(1)
  const question = asked[0]?.question
  const asking = question?.questions.map(({ by }) => by)
  expect(asking).toEqual(['policy', 'pre-ask', 'guard-ask'])
  expect(question?.call.seal).toBe(sealsOf(bench)[0]?.call.seal)
})

test('a call that nobody asks about is not put to anybody', async () => {
  const { tool, ran } = recorder('write')
  const { approvals, asked } = answering({ type: 'deny', reason: 'no' })
  const bench = await runTurn({ calls, tools: [tool], approvals })
  expect(asked).toEqual([])
  expect(ran).toHaveLength(1)
  expect(sealsOf(bench)[0]?.approvedBy).toBeUndefined()
})

test('a denial runs nothing, and the model is told the reason under the call id', async () => {
  const { tool, ran } = recorder('write')
  const { approvals } = answering({ type: 'deny', reason: 'not on a Friday' })
  const hooks = [guardAsk]
  const bench = await runTurn({ calls, tools: [tool], approvals, hooks })
  expect(ran).toEqual([])
  expect(told(bench, 'c1')).toBe('not on a Friday')
  expect(endOf(bench, 'c1')).toMatchObject({
    status: 'denied',
    error: 'denied',
  })
  expect(bench.model.requests).toHaveLength(2)
})

test('where nobody can be asked, what would be asked is denied', async () => {
  const { tool, ran } = recorder('write')
  const bench = await runTurn({ calls, tools: [tool], policy: askWrites })
  expect(ran).toEqual([])
  expect(endOf(bench, 'c1').status).toBe('denied')
})

test('I2 T16 an allow answers the question and lifts no denial', async () => {
  const { tool, ran } = recorder('write')
  const { approvals, asked } = answering({ type: 'allow' })
  const policy = createPolicy({ mode: 'deny-all' })
  const hooks = [preAsk, answerer({ type: 'allow' })]
  await runTurn({ calls, tools: [tool], approvals, policy, hooks })
  expect(asked).toEqual([])
  expect(ran).toEqual([])
})

test('a hook that may approve answers for the user, who is not asked, and is told as a hook', async () => {
  const { tool, ran } = recorder('write')
  const { resolved, watch } = watcher()
  const { approvals, asked } = answering({ type: 'deny', reason: 'no' })
  const hooks = [guardAsk, answerer({ type: 'allow' }), watch]
  const bench = await runTurn({ calls, tools: [tool], approvals, hooks })
  expect(asked).toEqual([])
  expect(ran).toEqual([{ x: 1 }])
  const by = { kind: 'hook', name: 'answerer' }
  expect(sealsOf(bench)[0]?.approvedBy).toEqual(by)
  expect(resolved).toMatchObject([{ by }])
  const end = bench.events.find(({ type }) => type === 'permission-end')
  expect(end).toMatchObject({ by })
})

test('what nobody decided agrees to nothing, whatever the port says', async () => {
  const { tool, ran } = recorder('write')
  const decision = { type: 'allow' } as const
  const answer = { decision, by: 'expiry', isUnanswered: true }
  const approvals = { ask: async () => answer }
  await runTurn({ calls, tools: [tool], approvals, hooks: [guardAsk] })
  expect(ran).toEqual([])
})

test('T16 a hook without the right to approve answers nothing: the user is asked', async () => {
  const { tool, ran } = recorder('write')
  const { approvals, asked } = answering({ type: 'deny', reason: 'no' })
  const hooks = [guardAsk, answerer({ type: 'allow' }, [])]
  await runTurn({ calls, tools: [tool], approvals, hooks })
  expect(asked).toHaveLength(1)
  expect(ran).toEqual([])
})

test.each([
  ['deny', 0],
  ['ask', 1],
] as const)(
  'T20 a judge that repeats the consent it read lifts no %s of a rule: of a question, a person has the last word',
  async (decision, questions) => {
    const consent = { type: 'allow' } as const
    const read: unknown[] = []
    const judges = [
      defineHook({
        name: 'repeats',
        on: toolGuard,
        run: ({ args }) => {
          read.push(args)
          return proceed
        },
      }),
      answerer(consent, []),
    ]
    const { tool, ran } = recorder('write')
    const { approvals, asked } = answering({ type: 'deny', reason: 'no' })
    const policy = createPolicy({
      mode: 'open',
      rules: [{ decision, tool: 'write' }],
    })
    const args = { x: JSON.stringify(consent) }
    const bench = await runTurn({
      calls: [{ tool: 'write', id: 'c1', args }],
      ...{ tools: [tool], approvals, policy, hooks: judges },
    })
    expect(asked).toHaveLength(questions)
    expect(read).toEqual(decision === 'ask' ? [args] : [])
    expect(ran).toEqual([])
    expect(endOf(bench, 'c1').status).toBe('denied')
  },
)

test('T16 a hook without the right to approve consents to nothing where nobody is there', async () => {
  const { tool, ran } = recorder('write')
  const hooks = [guardAsk, answerer({ type: 'allow' }, [])]
  await runTurn({ calls, tools: [tool], hooks })
  expect(ran).toEqual([])
})

test.each([
  ['nothing', null],
  ['a word', 'allow'],
  ['no decision that there is', { type: 'yes' }],
  ['an edit without arguments', { type: 'edit' }],
  ['a denial without a reason', { type: 'deny' }],
])(
  'an answer that is %s runs nothing, and the turn goes on',
  async (_name, decision) => {
    const { tool, ran } = recorder('write')
    const hooks = [guardAsk, answerer(decision)]
    const bench = await runTurn({ calls, tools: [tool], hooks })
    expect(ran).toEqual([])
    expect(bench.model.requests).toHaveLength(2)
  },
)

test('an approvals port that fails runs nothing', async () => {
  const { tool, ran } = recorder('write')
  const approvals = { ask: () => Promise.reject(new Error('offline')) }
  const hooks = [guardAsk]
  await runTurn({ calls, tools: [tool], approvals, hooks })
  expect(ran).toEqual([])
})

/** A hook that keeps what questions came to. */
function watcher() {
  const resolved: PermissionResolvedInput[] = []
  const watch = defineHook({
    name: 'watch',
    on: permissionResolved,
    run: (input) => {
      resolved.push(input)
      return proceed
    },
  })
  return { resolved, watch }
}

test('permission.resolved and the events tell the same decision of the same person', async () => {
  const { tool } = recorder('write')
  const { resolved, watch } = watcher()
  const { approvals } = answering({ type: 'deny', reason: 'no' }, 'bob')
  const hooks = [guardAsk, watch]
  const { events } = await runTurn({ calls, tools: [tool], approvals, hooks })
  const start = events.find(({ type }) => type === 'permission-start')
  const end = events.find(({ type }) => type === 'permission-end')
  const [seen] = resolved
  expect(resolved).toHaveLength(1)
  expect(start).toMatchObject({ question: { id: seen?.id } })
  const decision = { type: 'deny', reason: 'no' }
  const by = { kind: 'person', name: 'bob' }
  expect(end).toMatchObject({ questionId: seen?.id, decision, by })
  expect(seen).toMatchObject({ decision, by })
})

async function waiting(options: BenchOptions = {}): Promise<{
  readonly bench: Bench
  readonly answer: (decision: PermissionDecision) => string
  readonly result: Promise<unknown>
}> {
  const opened = defer<PendingApproval>()
  const approvals = createMemoryApprovals({ onQuestion: opened.resolve })
  const policy = createPolicy({
    mode: 'open',
    rules: [{ tool: 'write', decision: 'ask' }],
  })
  const bench = await openBench({ calls, approvals, policy, ...options })
  const { result } = bench.session.send('go')
  const { question } = await opened.promise
  await settle()
  const answer = (decision: PermissionDecision) =>
    approvals.answer(question.id, decision, 'ann')
  return { bench, answer, result }
}

test('a waiting approval holds no sibling', async () => {
  const { tool, ran } = recorder('write')
  const other = recorder('read')
  const two = [...calls, { tool: 'read', id: 'c2' }]
  const { bench, answer, result } = await waiting({
    calls: two,
    tools: [tool, other.tool],
    toolConcurrency: 1,
  })
  expect(other.ran).toEqual([{}])
  expect(endOf(bench, 'c2').status).toBe('executed')
  expect(ran).toEqual([])
  answer({ type: 'allow' })
  await result
  expect(ran).toEqual([{ x: 1 }])
})

test('a cancel while a person is asked runs nothing, and their answer comes to nobody', async () => {
  const { tool, ran } = recorder('write')
  const { bench, answer, result } = await waiting({ tools: [tool] })
  bench.session.cancel('changed my mind')
  expect(await result).toMatchObject({ status: 'cancelled' })
  expect(answer({ type: 'allow' })).toBe('unknown')
  await settle()
  expect(ran).toEqual([])
  expect(sealsOf(bench)).toEqual([])
  expect(endOf(bench, 'c1')).toMatchObject({
    status: 'cancelled',
    error: 'cancelled',
  })
})

test('a question that was cancelled ends for whoever watches', async () => {
  const { tool } = recorder('write')
  const { bench, result } = await waiting({ tools: [tool] })
  bench.session.cancel()
  await result
  await settle()
  const types = bench.events.map(({ type }) => type)
  expect(types.filter((type) => type === 'permission-start')).toHaveLength(1)
  expect(types.filter((type) => type === 'permission-end')).toHaveLength(1)
})

test('a question that was cancelled ends for hooks as it does for whoever watches', async () => {
  const { tool } = recorder('write')
  const { resolved, watch } = watcher()
  const { bench, result } = await waiting({ tools: [tool], hooks: [watch] })
  bench.session.cancel()
  await result
  await settle()
  const [seen] = resolved
  const end = bench.events.find(({ type }) => type === 'permission-end')
  expect(resolved).toHaveLength(1)
  const nobody = { kind: 'nobody', because: 'withdrawn' }
  expect(seen).toMatchObject({ decision: { type: 'deny' }, by: nobody })
  const { id: questionId, decision, by } = seen ?? {}
  expect(end).toMatchObject({ questionId, decision, by })
})

test('a question that nobody could be asked ends for hooks, too', async () => {
  const { tool } = recorder('write')
  const { resolved, watch } = watcher()
  const approvals = { ask: () => Promise.reject(new Error('offline')) }
  const hooks = [guardAsk, watch]
  await runTurn({ calls, tools: [tool], approvals, hooks })
  const by = { kind: 'nobody', because: 'withdrawn' }
  expect(resolved).toMatchObject([{ by }])
})

test('a hook that must not fail and does at permission.resolved takes back no answer', async () => {
  const { tool, ran } = recorder('write')
  const broken = defineHook({
    name: 'broken',
    on: permissionResolved,
    onFailure: 'required',
    run: () => {
      throw new Error('out of order')
    },
  })
  const { approvals } = answering({ type: 'allow' })
  const hooks = [guardAsk, broken]
  const { events } = await runTurn({ calls, tools: [tool], approvals, hooks })
  const ends = events.filter(({ type }) => type === 'permission-end')
  const by = { kind: 'person', name: 'ann' }
  expect(ends).toMatchObject([{ decision: { type: 'allow' }, by }])
  expect(ran).toEqual([])
})

test('what is said while a person is asked reaches the model in the next step', async () => {
  const { tool } = recorder('write')
  const { bench, answer, result } = await waiting({ tools: [tool] })
  const steered = bench.session.steer('Hurry.')
  answer({ type: 'allow' })
  await result
  expect(await steered).toEqual({ type: 'taken' })
  const [asked, told] = bench.model.requests.map(({ messages }) =>
    JSON.stringify(messages),
  )
  expect(asked).not.toContain('Hurry.')
  expect(told).toContain('Hurry.')
})

test('the wall-time limit pauses while a person is asked, and goes on afterwards', async () => {
  const begun = defer()
  const { tool, ran } = recorder('write', {
    execute: (_args, { signal }) =>
      new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => reject(new Error('aborted')))
        begun.resolve()
      }),
  })
  const limits = { maxWallMs: 1_000 }
  const { bench, answer, result } = await waiting({ tools: [tool], limits })
  await bench.clock.advance(60_000)
  await settle()
  answer({ type: 'allow' })
  await begun.promise
  expect(ran).toEqual([{ x: 1 }])
  await bench.clock.advance(1_001)
  expect(await result).toMatchObject({ status: 'limited' })
})

test('T19 a question is about a frozen call: who is asked cannot change what runs', async () => {
  const { tool, ran } = recorder('write')
  const approvals = createMemoryApprovals({
    onQuestion: ({ question }) => {
      const { id, call } = question
      expect(() => Object.assign(call.args, { x: 99 })).toThrow(TypeError)
      approvals.answer(id, { type: 'allow' }, 'ann')
    },
  })
  const hooks = [guardAsk]
  await runTurn({ calls, tools: [tool], approvals, hooks })
  expect(ran).toEqual([{ x: 1 }])
})

test('arguments that nobody changed, and that fit no longer once a person has agreed, are said to be just that', async () => {
  let isStrict = false
  const fickle = {
    '~standard': {
      version: 1 as const,
      vendor: 'test',
      validate: (value: unknown) =>
        isStrict ? { issues: [{ message: 'x is taken' }] } : { value },
    },
  }
  const { tool, ran } = recorder('write', {
    input: fickle,
    jsonSchema: { type: 'object' },
  })
  const approvals = createMemoryApprovals({
    onQuestion: ({ question }) => {
      isStrict = true
      approvals.answer(question.id, { type: 'allow' }, 'ann')
    },
  })
  const options = { calls, tools: [tool], approvals, policy: askWrites }
  const bench = await runTurn(options)
  expect(ran).toEqual([])
  expect(told(bench, 'c1')).toMatch(
    /^The arguments no longer fit the tool: .*x is taken/,
  )
})
