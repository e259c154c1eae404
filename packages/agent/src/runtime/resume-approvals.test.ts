import { defineHook, type Hook, proceed, reject } from 'hookline'
import {
  type PermissionDecision,
  type PermissionQuestion,
  permissionResolved,
  toolGuard,
  toolPostBatch,
  toolPostCall,
  toolPreCall,
} from 'hookline/lifecycle'
import { expect, test } from 'vitest'
import {
  type ApprovalAnswer,
  type ApprovalsPort,
  defineTool,
  type JournalEntry,
  type Model,
  type Session,
} from '../index.ts'
import {
  askingModel,
  entriesIn,
  type LifeOptions,
  live,
  notedTool,
  notingStore,
  storeAfter,
} from './fixtures/crashes.ts'
import { expectPaired } from './fixtures/paired.ts'

/** People who outlive the process: questions and answers by their ids. */
function people() {
  const asked: PermissionQuestion[] = []
  const waiting = new Map<string, (answer: ApprovalAnswer) => void>()
  const answers = new Map<string, ApprovalAnswer>()
  const approvals: ApprovalsPort = {
    isDurable: true,
    ask(question, { signal }) {
      asked.push(question)
      const known = answers.get(question.id)
      if (known !== undefined) return Promise.resolve(known)
      return new Promise((resolve, reject) => {
        waiting.set(question.id, resolve)
        const stop = () => reject(new Error('Nobody waits.'))
        signal.addEventListener('abort', stop)
      })
    },
  }
  const answer = (id: string, decision: PermissionDecision) => {
    const given = { decision, by: 'ann' }
    answers.set(id, given)
    waiting.get(id)?.(given)
  }
  // Whoever waited is gone with its process.
  const stop = () => waiting.clear()
  return { approvals, asked, answer, stop }
}

const allow: PermissionDecision = { type: 'allow' }
const policy = { rules: [{ tool: 'risky', decision: 'ask' }] } as const

function guardNoting(judged: string[], name = 'guard'): Hook {
  return defineHook({
    name,
    on: toolGuard,
    run: ({ id }) => {
      judged.push(id)
      return proceed
    },
  })
}

/** A process that stops while it waits for an answer about its one call. */
async function stopWhileWaiting(with_: Partial<LifeOptions> = {}) {
  const writes: string[] = []
  const ran: string[] = []
  const { approvals, asked, answer, stop } = people()
  const common = {
    model: askingModel(['risky']),
    tools: [notedTool('risky', ran)],
    policy,
    approvals,
    ...with_,
  }
  const first = await live({ ...common, store: notingStore(writes) })
  const turn = first.send('Go.')
  await expect.poll(() => asked.length).toBe(1)
  const next = async (changed: Partial<LifeOptions> = {}) => {
    stop()
    const store = await storeAfter(writes)
    const life = { ...common, name: 'second', store, ...changed }
    return { session: await live(life), store }
  }
  return { first, turn, writes, ran, asked, answer, next }
}

test('F146 a question that people were asked is asked again under its id, and answered once', async () => {
  const { ran, asked, answer, next } = await stopWhileWaiting()
  const { session } = await next()
  expect(session.interrupted?.questions).toMatchObject([{ id: asked[0]?.id }])
  const { result } = session.resume()
  await expect.poll(() => asked.length).toBe(2)
  expect(asked[1]).toEqual(asked[0])
  answer(asked[0]?.id ?? '', allow)
  expect((await result).status).toBe('succeeded')
  expect(ran).toEqual(['risky'])
  expectPaired(session.messages)
})

test('F186 an answer that came while nobody ran counts when the turn goes on', async () => {
  const { ran, asked, answer, next } = await stopWhileWaiting()
  const { session } = await next()
  answer(asked[0]?.id ?? '', { type: 'deny', reason: 'Too late at night.' })
  const { text } = await session.resume().result
  expect(text).toContain('Too late at night.')
  expect(ran).toEqual([])
})

test('a question that is left for another process has no end, neither for hooks nor for whoever watches', async () => {
  const ends: string[] = []
  const watch = defineHook({
    name: 'watch',
    on: permissionResolved,
    run: ({ by }) => {
      ends.push(`hook ${JSON.stringify(by)}`)
      return proceed
    },
  })
  const { first, asked, answer, next } = await stopWhileWaiting({
    hooks: [watch],
  })
  const listening = noteEnds(first, ends)
  await first.detach()
  await listening
  expect(ends).toEqual([])
  const { session } = await next()
  answer(asked[0]?.id ?? '', allow)
  await session.resume().result
  expect(ends).toEqual(['hook {"kind":"person","name":"ann"}'])
})

async function noteEnds(session: Session, ends: string[]): Promise<void> {
  for await (const event of session.subscribe()) {
    if (event.type === 'permission-end')
      ends.push(`event ${JSON.stringify(event.by)}`)
  }
}

test('a call that is left for another process reaches tool.post_call there, once', async () => {
  const told: string[] = []
  const note = defineHook({
    name: 'note',
    on: toolPostCall,
    run: ({ status }) => {
      told.push(status)
      return proceed
    },
  })
  const noteBatch = defineHook({
    name: 'note-batch',
    on: toolPostBatch,
    run: ({ results }) => {
      told.push(...results.map(({ status }) => `batch ${status}`))
      return proceed
    },
  })
  const hooks = [note, noteBatch]
  const { first, asked, answer, next } = await stopWhileWaiting({ hooks })
  await first.detach()
  expect(told).toEqual([])
  const { session } = await next()
  answer(asked[0]?.id ?? '', allow)
  await session.resume().result
  expect(told).toEqual(['executed', 'batch executed'])
})

const rejecting = { run: () => reject('No more.') }
const noMore = {
  'tool.guard': defineHook({ name: 'new', on: toolGuard, ...rejecting }),
  'tool.pre_call': defineHook({ name: 'new', on: toolPreCall, ...rejecting }),
}

test.each(Object.entries(noMore))(
  'T50 gates judge again after an answer, as they are then, at %s',
  async (_, hook) => {
    const { ran, asked, answer, next } = await stopWhileWaiting()
    const { session } = await next({ hooks: [hook] })
    answer(asked[0]?.id ?? '', allow)
    const { text } = await session.resume().result
    expect(text).toContain('No more.')
    expect(ran).toEqual([])
  },
)

test('a call that has to have a gate has one after an answer, too', async () => {
  const gate = defineHook({
    name: 'gate',
    on: toolPreCall,
    run: () => proceed,
  })
  const gated = { ...policy, gated: ['risky'] }
  const common = { policy: gated, hooks: [gate] }
  const { ran, asked, answer, next } = await stopWhileWaiting(common)
  const { session } = await next()
  answer(asked[0]?.id ?? '', allow)
  expect((await session.resume().result).status).toBe('succeeded')
  expect(ran).toEqual(['risky'])
})

test('F184 a call whose tool has changed meanwhile is asked about afresh', async () => {
  const { asked, answer, next } = await stopWhileWaiting()
  const other = defineTool({
    name: 'risky',
    description: 'Does something else now.',
    input: { type: 'object' },
    safety: 'mutating',
    execute: () => 'other',
  })
  const { session } = await next({ tools: [other] })
  answer(asked[0]?.id ?? '', allow)
  const { result } = session.resume()
  await expect.poll(() => asked.length).toBe(2)
  expect(asked[1]?.id).not.toBe(asked[0]?.id)
  expect(asked[1]?.call.seal).not.toBe(asked[0]?.call.seal)
  answer(asked[1]?.id ?? '', { type: 'deny', reason: 'No.' })
  await result
})

test('I5 T52 a call that was edited in the store is not the call that was judged', async () => {
  const { writes, ran, asked, next } = await stopWhileWaiting()
  const at = writes.findIndex((written) => written.includes('call-wait'))
  writes[at] = (writes[at] ?? '').replaceAll('"args":{}', '"args":{"x":99}')
  const alarms: string[] = []
  const onAlarm = (code: string) => alarms.push(code)
  const { session } = await next({ onAlarm })
  const { result } = session.resume()
  await expect.poll(() => asked.length).toBe(2)
  expect(alarms).toEqual(['broken-seal'])
  expect(asked[1]?.id).not.toBe(asked[0]?.id)
  session.cancel()
  await result
  expect(ran).toEqual([])
})

test('a session that is let go of while people are asked goes on later', async () => {
  const { first, turn, writes, ran, asked, answer, next } =
    await stopWhileWaiting()
  const before = [...writes]
  await first.detach()
  expect(await turn.result).toMatchObject({
    status: 'cancelled',
    reason: 'The turn is suspended until its session is opened again.',
  })
  expect(writes).toEqual(before)
  const { session } = await next()
  answer(asked[0]?.id ?? '', allow)
  expect((await session.resume().result).status).toBe('succeeded')
  expect(ran).toEqual(['risky'])
})

test('a session that is closed while people are asked is over', async () => {
  const { first, turn, writes } = await stopWhileWaiting()
  await first.close()
  expect((await turn.result).status).toBe('cancelled')
  expect(entriesIn(writes).slice(-2)).toEqual(['turn-end', 'session-end'])
})

/** A process that stops while a call runs that may run again. */
async function stopWhileRunning() {
  const writes: string[] = []
  const judged: string[] = []
  const common = { model: askingModel(['again']) }
  const hang = defineTool({
    name: 'again',
    description: 'Notes that it ran.',
    input: { type: 'object' },
    safety: 'read_only',
    idempotent: true,
    execute: () => new Promise(() => {}),
  })
  const first = await live({
    ...common,
    tools: [hang],
    hooks: [guardNoting(judged)],
    store: notingStore(writes),
  })
  void first.send('Go.').result
  await expect.poll(() => entriesIn(writes)).toContain('seal call-again')
  return { writes, judged, common }
}

test('after a crash a verdict that was written down for the same call and table is reused', async () => {
  const { writes, judged, common } = await stopWhileRunning()
  const ran: string[] = []
  const session = await live({
    ...common,
    name: 'second',
    tools: [notedTool('again', ran, true)],
    hooks: [guardNoting(judged)],
    store: await storeAfter(writes),
  })
  await session.resume().result
  expect(ran).toEqual(['again'])
  expect(judged).toEqual(['call-again'])
})

test('after a crash guards judge again where the table is another one', async () => {
  const { writes, judged, common } = await stopWhileRunning()
  const ran: string[] = []
  const session = await live({
    ...common,
    name: 'second',
    tools: [notedTool('again', ran, true)],
    hooks: [guardNoting(judged), guardNoting(judged, 'another')],
    store: await storeAfter(writes),
  })
  await session.resume().result
  expect(ran).toEqual(['again'])
  expect(judged).toEqual(['call-again', 'call-again', 'call-again'])
})

test.each(Object.entries(noMore))(
  'after a crash what may run again does not where a new gate rejects it, at %s',
  async (_, hook) => {
    const { writes, judged, common } = await stopWhileRunning()
    const ran: string[] = []
    const session = await live({
      ...common,
      name: 'second',
      tools: [notedTool('again', ran, true)],
      hooks: [guardNoting(judged), hook],
      store: await storeAfter(writes),
    })
    const { text } = await session.resume().result
    expect(text).toContain('No more.')
    expect(ran).toEqual([])
  },
)

test('what was injected into a step is shown again after a crash, and the system prompt, too', async () => {
  const { writes, common } = await stopWhileRunning()
  const seen: string[] = []
  const inner = common.model
  const session = await live({
    ...common,
    name: 'second',
    tools: [notedTool('again', [], true)],
    store: await storeAfter(writes),
    model: {
      ...inner,
      generate(request, options) {
        seen.push(...request.messages.map(({ role }) => role))
        return inner.generate(request, options)
      },
    },
  })
  await session.resume().result
  expect(seen).toEqual(['system', 'user', 'assistant', 'tool'])
  const entries = writes.flatMap((one): JournalEntry[] => JSON.parse(one))
  const step = entries.find((entry) => entry.type === 'step-open')
  expect(step?.progress.system?.content).toEqual([
    { type: 'text', text: 'Be brief.' },
  ])
})

test('F146 what is asked after a step of nothing but denials is asked again under its id', async () => {
  const model: Model = {
    abilities: { tools: true, images: true, files: true, reasoning: true },
    generate({ messages }) {
      const usage = { inputTokens: 1, outputTokens: 1 }
      const count = messages.filter(({ role }) => role === 'tool').length
      const call = { type: 'tool_call' as const, tool: 'risky', args: {} }
      if (count < 2) {
        const content = [{ ...call, id: `call-${count}` }]
        return { content, stopReason: 'tool_calls', usage }
      }
      const content = [{ type: 'text' as const, text: 'Done.' }]
      return { content, stopReason: 'end_turn', usage }
    },
  }
  const { ran, asked, answer, next } = await stopWhileWaiting({ model })
  answer(asked[0]?.id ?? '', { type: 'deny', reason: 'Not so.' })
  await expect.poll(() => asked.length).toBe(2)
  const { session } = await next()
  expect(session.interrupted?.questions).toMatchObject([{ id: asked[1]?.id }])
  const { result } = session.resume()
  await expect.poll(() => asked.length).toBe(3)
  expect(asked[2]).toEqual(asked[1])
  answer(asked[1]?.id ?? '', allow)
  expect((await result).status).toBe('succeeded')
  expect(ran).toEqual(['risky'])
  expectPaired(session.messages)
})
