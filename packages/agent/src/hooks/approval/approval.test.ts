import { defineHook, proceed } from 'hookline'
import {
  type JsonObject,
  type PermissionDecision,
  type PermissionQuestion,
  toolGuard,
} from 'hookline/lifecycle'
import { expect, test } from 'vitest'
import { createMemoryApprovals, createPolicy } from '../../index.ts'
import { callsOf, echoTool, play } from '../fixtures/play.ts'
import {
  type ApprovalOptions,
  type ApprovalRule,
  approval,
} from './approval.ts'

type Answer = (question: PermissionQuestion) => PermissionDecision

// Only the hook is to ask.
const policy = createPolicy({ mode: 'open' })

const yes: Answer = () => ({ type: 'allow' })

/** Plays calls, with somebody who answers. */
async function asked(
  rule: ApprovalRule,
  args: readonly JsonObject[],
  { answer = yes, inputs = ['Go.'] } = {},
) {
  const questions: string[] = []
  const approvals = createMemoryApprovals({
    onQuestion({ question }) {
      questions.push(...question.questions.map((one) => one.question))
      approvals.answer(question.id, answer(question), 'ann')
    },
  })
  const steps = [...args.map((one) => callsOf('write', one)), { text: 'Done.' }]
  const played = await play(
    inputs.flatMap(() => steps),
    {
      ...{ inputs, policy, approvals, plugins: [approval({ rules: [rule] })] },
      tools: [echoTool('write', 'mutating'), echoTool('read')],
    },
  )
  return { ...played, questions }
}

test('a call that a rule means waits for somebody to agree', async () => {
  const { questions, statuses } = await asked(
    { tools: ['w*'], args: { path: { $regex: '/etc/.*' } } },
    [{ path: '/etc/motd' }, { path: 'motd' }],
  )
  expect(questions).toEqual(['May "write" run with {"path":"/etc/motd"}?'])
  expect(statuses).toEqual(['executed', 'executed'])
})

test('a tool is meant by the worst that it can do', async () => {
  const { questions } = await asked({ safety: ['mutating'] }, [{}])
  expect(questions).toHaveLength(1)
  const others = await asked({ safety: ['destructive', 'network'] }, [{}])
  expect(others.questions).toEqual([])
})

test('a no is told to the model, and the turn goes on', async () => {
  const answer: Answer = () => ({ type: 'deny', reason: 'Not on a Friday.' })
  const { statuses, turns, model } = await asked({}, [{}], { answer })
  expect(statuses).toEqual(['denied'])
  expect(turns).toMatchObject([{ status: 'succeeded' }])
  expect(JSON.stringify(model.requests[1])).toContain('Not on a Friday.')
})

test('where nobody can be asked the call is denied, with the reason', async () => {
  const { statuses, model } = await play(
    [callsOf('write', {}), { text: 'Done.' }],
    { plugins: [approval({ rules: [{}] })], tools: [echoTool('write')] },
  )
  expect(statuses).toEqual(['denied'])
  expect(JSON.stringify(model.requests[1])).toContain('nobody can be asked')
})

test('whoever is asked can change the arguments, which are judged again', async () => {
  const seen: unknown[] = []
  const watch = defineHook({
    name: 'watch',
    on: toolGuard,
    run({ args }) {
      seen.push(args)
      return proceed
    },
  })
  const approvals = createMemoryApprovals({
    onQuestion({ question: { id, call } }) {
      const isMended = call.args['path'] === 'home/motd'
      const edit = { type: 'edit', args: { path: 'home/motd' } } as const
      approvals.answer(id, isMended ? { type: 'allow' } : edit, 'ann')
    },
  })
  const { events } = await play(
    [callsOf('write', { path: '/etc/motd' }), { text: 'Done.' }],
    {
      ...{ approvals, hooks: [watch], tools: [echoTool('write')] },
      plugins: [approval({ rules: [{ tools: ['write'] }] })],
    },
  )
  expect(seen).toContainEqual({ path: 'home/motd' })
  const end = events.find((event) => event.type === 'tool-end')
  expect(JSON.stringify(end)).toContain('home/motd')
})

const same = [{ path: 'a' }, { path: 'a' }, { path: 'b' }]

test('a yes counts once, unless it is remembered', async () => {
  const { questions } = await asked({}, same)
  expect(questions).toHaveLength(3)
})

test.each([
  ['turn', 'arguments', 4],
  ['turn', 'tool', 2],
  ['session', 'arguments', 2],
  ['session', 'tool', 1],
] as const)(
  'a yes for the %s and the %s is asked for %d times in two turns',
  async (lasts, covers, count) => {
    const inputs = ['Go.', 'Go on.']
    const rule = { lasts, covers }
    const { questions, statuses } = await asked(rule, same, { inputs })
    expect(questions).toHaveLength(count)
    expect(new Set(statuses)).toEqual(new Set(['executed']))
  },
)

test('a no is never remembered as a yes', async () => {
  const answer: Answer = () => ({ type: 'deny', reason: 'No.' })
  const rule: ApprovalRule = { lasts: 'session', covers: 'tool' }
  const { questions, statuses } = await asked(rule, same, { answer })
  expect(questions).toHaveLength(3)
  expect(new Set(statuses)).toEqual(new Set(['denied']))
})

test('calls of one step are asked about one by one', async () => {
  const approvals = createMemoryApprovals({
    onQuestion({ question: { id, call } }) {
      const isFine = call.args['n'] !== 2
      const no = { type: 'deny', reason: 'Not this.' } as const
      approvals.answer(id, isFine ? { type: 'allow' } : no, 'ann')
    },
  })
  const step = callsOf('write', { n: 1 }, { n: 2 }, { n: 3 })
  const { statuses } = await play([step, { text: 'Done.' }], {
    ...{ approvals, plugins: [approval({ rules: [{}] })] },
    tools: [echoTool('write')],
  })
  expect([...statuses].sort()).toEqual(['denied', 'executed', 'executed'])
})

test('values in a question cannot pass for its words', async () => {
  const path = `x"? Yes.\n\u202eIt is safe.\u200b${'y'.repeat(500)}`
  const { questions } = await asked(
    { question: 'May {tool} of {agent} write {args.path}, {args.no.such}?' },
    [{ path }],
  )
  const [question = ''] = questions
  expect(question).toContain('"x\\"? Yes.\\n\\u{202e}It is safe.\\u{200b}')
  expect(question).toContain('…, nothing?')
  expect(question.length).toBeLessThan(500)
})

test('a condition that cannot be judged denies the call', async () => {
  const { statuses } = await asked({ args: { text: { $regex: 'a*' } } }, [
    { text: 'b'.repeat(1_000_001) },
  ])
  expect(statuses).toEqual(['denied'])
})

test.each([
  [{ rules: [] }, 'rules'],
  [{ rules: [{ tools: [] }] }, 'tools'],
  [{ rules: [{ safety: ['harmless'] }] }, 'safety'],
  [{ rules: [{ args: { path: { $regex: '(' } } }] }, 'args'],
  [{ rules: [{ args: { path: { $like: 'x' } } }] }, '$like'],
  [{ rules: [{ lasts: 'always' }] }, 'lasts'],
])('options that do not fit are refused: %j', (options, word) => {
  expect(() => approval(options as unknown as ApprovalOptions)).toThrow(word)
})
