import { setImmediate } from 'node:timers/promises'
import {
  ask,
  type Clock,
  defineCell,
  defineHook,
  proceed,
  systemClock,
} from 'hookline'
import {
  permissionRequest,
  type SafetyClass,
  toolGuard,
} from 'hookline/lifecycle'
import { createFakeClock, type FakeClock } from 'hookline/testing'
import { beforeAll, expect, test } from 'vitest'
import {
  createAgent,
  createMemoryApprovals,
  createPolicy,
  createRuntime,
  definePlugin,
  defineTool,
} from '../../index.ts'
import { type Script, scriptedModel } from '../../testing/index.ts'
import { createDeadEnd, playCrash } from '../fixtures/crash.ts'
import { playLives } from '../fixtures/lives.ts'
import { callsOf, echoTool, play } from '../fixtures/play.ts'
import { playTeam } from '../fixtures/team.ts'
import {
  activeMs,
  beginTurn,
  beginWait,
  type Clocks,
  endTurnClock,
  endWait,
  noClocks,
} from './clocks.ts'
import { type TimeoutBudgetOptions, timeoutBudget } from './timeout-budget.ts'

/** A tool that takes as long as it is told. */
function slowTool(
  clock: FakeClock,
  name = 'work',
  safety: SafetyClass = 'read_only',
) {
  return defineTool({
    ...{ name, description: 'Takes its time.', safety },
    input: { type: 'object' },
    async execute({ ms }) {
      const { promise, resolve } = Promise.withResolvers<void>()
      clock.after(Number(ms), resolve)
      await promise
      return 'Done.'
    },
  })
}

function openAgent(options: TimeoutBudgetOptions, script: Script) {
  const clock = createFakeClock()
  const model = scriptedModel(script, { clock })
  const agent = createAgent({
    ...{ model, clock, plugins: [timeoutBudget(options)] },
    tools: [slowTool(clock), slowTool(clock, 'ask_user')],
  })
  return { agent, clock, model }
}

const say = { text: 'Done.' }

/** What waits for no timer, also where something is loaded, happens first. */
async function settle(clock: FakeClock) {
  for (let round = 0; round < 10; round++) {
    await setImmediate()
    await clock.settle()
  }
}

/** Lets time pass in small steps until something is done. */
async function until<T>(done: Promise<T>, clock: FakeClock, step = 10) {
  let isDone = false
  const end = () => {
    isDone = true
  }
  done.then(end, end)
  await settle(clock)
  while (!isDone) {
    await clock.advance(step)
    await settle(clock)
  }
  return await done
}

beforeAll(async () => {
  // What a first call of a tool loads takes real time.
  await play([callsOf('look', {}), say], { tools: [echoTool('look')] })
})

test('a turn ends when its time is over', async () => {
  const script = [callsOf('work', { ms: 60 }), callsOf('work', { ms: 60 }), say]
  const { agent, clock, model } = openAgent({ turnMs: 100 }, script)
  const turn = agent.run('Go.')
  const { reason } = await until(turn.result, clock)
  expect(reason).toBe('The turn has worked for 100 ms, which is its limit.')
  expect(model.requests).toHaveLength(2)
  await until(agent.close(), clock)
})

test('a tool is cut off when the time of the turn is over', async () => {
  const script = [callsOf('work', { ms: 5000 }), say]
  const { agent, clock } = openAgent({ turnMs: 100 }, script)
  const turn = agent.run('Go.')
  expect((await until(turn.result, clock)).reason).toContain(
    'The turn has worked',
  )
  await until(agent.close(), clock)
})

test('a step has its own time', async () => {
  const script = [
    callsOf('work', { ms: 60 }),
    callsOf('work', { ms: 60 }),
    callsOf('work', { ms: 200 }),
    say,
  ]
  const { agent, clock, model } = openAgent({ stepMs: 100 }, script)
  const turn = agent.run('Go.')
  expect((await until(turn.result, clock)).reason).toContain(
    'The step has worked',
  )
  expect(model.requests).toHaveLength(3)
  await until(agent.close(), clock)
})

test('a session adds up its turns, and not the time between them', async () => {
  const one = [callsOf('work', { ms: 60 }), say]
  const { agent, clock } = openAgent({ sessionMs: 100 }, [...one, ...one, say])
  const runTurn = () => until(agent.run('Go.').result, clock)
  expect((await runTurn()).text).toBe('Done.')
  await clock.advance(10_000)
  expect((await runTurn()).reason).toContain('The session has worked')
  expect((await runTurn()).status).toBe('rejected')
  await until(agent.close(), clock)
})

test('waiting for a person who asks back does not count', async () => {
  const script = [callsOf('ask_user', { ms: 100_000 }), say]
  const { agent, clock } = openAgent({ turnMs: 1000 }, script)
  const turn = agent.run('Go.')
  expect((await until(turn.result, clock, 1000)).text).toBe('Done.')
  await until(agent.close(), clock)
})

test('waiting for an approval does not count', async () => {
  const clock = createFakeClock()
  const approvals = createMemoryApprovals()
  const script = [callsOf('work', { ms: 50 }), say]
  const agent = createAgent({
    ...{ model: scriptedModel(script, { clock }), clock, approvals },
    policy: createPolicy({ mode: 'ask-writes' }),
    plugins: [timeoutBudget({ turnMs: 100 })],
    tools: [slowTool(clock, 'work', 'mutating')],
  })
  const turn = agent.run('Go.')
  await settle(clock)
  const [asked] = approvals.pending()
  await clock.advance(1_000_000)
  approvals.answer(asked?.question.id ?? '', { type: 'allow' }, 'ann')
  expect((await until(turn.result, clock)).text).toBe('Done.')
  await until(agent.close(), clock)
})

test('a question that nobody can answer any more stops no clock', async () => {
  const clock = createFakeClock()
  const models = new Map([
    [
      'main',
      scriptedModel(
        [callsOf('share', {}), callsOf('work', { ms: 5000 }), say],
        {
          clock,
        },
      ),
    ],
    ['child', scriptedModel([callsOf('write', { ms: 1 }), say], { clock })],
  ])
  const share = defineTool({
    ...{ name: 'share', description: 'Has another work.', safety: 'read_only' },
    input: { type: 'object' },
    async execute(_, context) {
      const agent = { name: 'child', model: 'child', instructions: '' }
      const done = context.delegate({ agent, task: 'Do it.' })
      const { promise: isEnough, resolve } = Promise.withResolvers<void>()
      clock.after(100, resolve)
      await isEnough
      // It ends, and with it whatever works for it, and is asked there.
      void done.catch(() => {})
      return 'Enough.'
    },
  })
  let asked = 0
  const onQuestion = () => void asked++
  const runtime = createRuntime({
    ...{ clock, approvals: createMemoryApprovals({ onQuestion }) },
    policy: createPolicy({ mode: 'ask-writes' }),
    plugins: [timeoutBudget({ turnMs: 1000 })],
    tools: [
      ...[share, slowTool(clock)],
      slowTool(clock, 'write', 'destructive'),
    ],
    models: { resolve: (name) => models.get(name) ?? scriptedModel([]) },
  })
  await runtime.register({ name: 'main', model: 'main', instructions: '' })
  const session = await runtime.openSession({ agent: 'main' })
  const turn = session.send('Go.')
  const { reason } = await until(turn.result, clock, 50)
  expect(asked).toBe(1)
  expect(reason).toContain('The turn has worked for 1000 ms')
  await until(runtime.close(), clock)
})

test('several who are waited for are waited for once', () => {
  let clocks: Clocks = beginTurn(noClocks, 't', 0)
  clocks = beginWait(clocks, 'a', 10)
  clocks = beginWait(clocks, 'b', 20)
  clocks = beginWait(clocks, 'b', 25)
  clocks = endWait(clocks, 'a', 30)
  clocks = endWait(clocks, 'x', 35)
  clocks = endWait(clocks, 'b', 40)
  expect(clocks.clock && activeMs(clocks.clock, 50)).toBe(20)
  expect(endTurnClock(clocks, 'other', 50)).toEqual(clocks)
  expect(endTurnClock(clocks, 't', 50)).toEqual({ clock: null, pastMs: 20 })
  expect(endWait(noClocks, 'a', 1)).toBe(noClocks)
})

test.each([
  [{ turnMs: 0 }, 'turnMs'],
  [{ turn: 1 }, 'turnMs'],
  [{ peopleTools: 'ask_user' }, 'peopleTools'],
])('options that do not fit are refused: %j', (options, word) => {
  expect(() => timeoutBudget(options as TimeoutBudgetOptions)).toThrow(word)
})

/** A clock of people that is put forward a minute with each call of a model. */
function leapingClock() {
  let leptMs = 0
  const clock: Clock = {
    now: () => systemClock.now(),
    wallAt: (now) => systemClock.wallAt(now) + leptMs,
    after: (ms, callback) => systemClock.after(ms, callback),
  }
  const script: Script = () => {
    leptMs += 60_000
    return say
  }
  return { clock, script }
}

test('sub-agents work in the time of the turn that they work for', async () => {
  const { clock, script } = leapingClock()
  const plugins = [timeoutBudget({ turnMs: 100_000 })]
  const { turn } = await playTeam(script, { tasks: 3, plugins, clock })
  expect(turn.reason).toBe(
    'The turn has worked for 100000 ms, which is its limit.',
  )
})

test('what a session has worked is known in the next process', async () => {
  const { clock, script } = leapingClock()
  const plugins = [timeoutBudget({ sessionMs: 50_000 })]
  const life = { script, plugins, clock }
  const results = await playLives([life, life])
  expect(results.map(({ status }) => status)).toEqual([
    ...['succeeded', 'rejected'],
  ])
})

test('a question that was open when a process died stops the clock until it is answered', async () => {
  const { clock, script: leap } = leapingClock()
  const at = createDeadEnd()
  const careful = definePlugin({
    name: 'careful',
    hooks: [
      defineHook({
        ...{ name: 'careful:ask', on: toolGuard, priority: 1 },
        run: () => ask('May it?'),
      }),
      defineHook({
        ...{ name: 'careful:asked', on: permissionRequest, priority: 1000 },
        async run() {
          // It was let go when the first process was dead.
          await at.hang()
          return proceed
        },
      }),
    ],
  })
  const life = {
    ...{ clock, tools: [echoTool('look')] },
    plugins: [timeoutBudget({ turnMs: 1e9 }), careful],
  }
  const cell = defineCell('timeout-budget', {
    ...{ initial: (): Clocks => noClocks, scope: 'tree' },
  })
  let kept: Clocks = noClocks
  const { status } = await playCrash({
    first: { ...life, script: [callsOf('look', {})] },
    at,
    second: {
      ...{ ...life, script: leap },
      meet({ approvals }) {
        approvals.onAsked(({ id, shownHash }) => {
          const allow = { type: 'allow', shownHash } as const
          void approvals.answer(id, allow, { kind: 'user', id: 'ann' })
        })
      },
      async look({ state }) {
        kept = await state.at({ tree: 's' }).get(cell)
      },
    },
  })
  expect(status).toBe('succeeded')
  expect(kept.clock).toBeNull()
  expect(kept.pastMs).toBeGreaterThanOrEqual(60_000)
})

test('where the state is away, no turn begins', async () => {
  const away = () => Promise.reject(new Error('Away.'))
  const state = { at: () => ({ get: away, update: away }), end: () => {} }
  const plugins = [timeoutBudget({ turnMs: 1000 })]
  const { turns } = await play([say], { plugins, state })
  expect(turns).toMatchObject([{ status: 'rejected' }])
})
