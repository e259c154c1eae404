import {
  compileCondition,
  defineCell,
  defineHook,
  endTurn,
  proceed,
  reject,
  type State,
} from 'hookline'
import {
  type AgentScope,
  llmPreCall,
  permissionRequest,
  permissionResolved,
  restriction,
  toolGuard,
  toolPostBatch,
  toolPostCall,
  toolPreCall,
  turnPostTurn,
  turnPreTurn,
} from 'hookline/lifecycle'
import {
  defineHooks,
  described,
  list,
  number,
  object,
  text,
} from '../../define-hooks.ts'
import {
  activeMs,
  beginTurn,
  beginWait,
  type Clocks,
  endAllWaits,
  endTurnClock,
  endWait,
  endWaitsOf,
  noClocks,
  waitOf,
} from './clocks.ts'

export interface TimeoutBudgetOptions {
  /** How long a turn may work, with its sub-agents. */
  readonly turnMs?: number
  /** How long one step may work. */
  readonly stepMs?: number
  /** How long all turns of a session may work, added up. */
  readonly sessionMs?: number
  /** Tools in which people are waited for; default: `ask_user`. */
  readonly peopleTools?: readonly string[]
}

const ms = number({ isWhole: true, min: 1, max: 30 * 86_400_000 })

const options = object<TimeoutBudgetOptions>(
  {
    turnMs: described(ms, 'How long a turn may work, with its sub-agents.'),
    stepMs: described(
      ms,
      'How long one step, a call of the model and its tools, may work.',
    ),
    sessionMs: described(
      ms,
      'How long all turns of a session may work, added up.',
    ),
    peopleTools: described(
      list(text({ maxLength: 128 }), { max: 100 }),
      'Names or patterns of tools in which people are waited for; default: ask_user.',
    ),
  },
  [],
)

interface StepClock {
  readonly step: number
  /** How long the turn had worked when it began. */
  readonly beganMs: number
}

/** Time limits that people who are asked do not use up. */
export const timeoutBudget = defineHooks({
  name: 'timeout-budget',
  description:
    'How long a turn, a step and a session may work; waiting for people does not count.',
  options,
  create(given, { name, clock }) {
    const { turnMs = Infinity, stepMs = Infinity } = given
    const { sessionMs = Infinity, peopleTools = ['ask_user'] } = given
    const isOfPeople =
      peopleTools.length === 0 ? () => false : compileCondition(peopleTools)
    const clocks = defineCell<Clocks>(name, {
      initial: () => noClocks,
      scope: 'tree',
    })
    const steps = defineCell<StepClock>(`${name}:step`, {
      initial: () => ({ step: 0, beganMs: 0 }),
      scope: 'turn',
    })
    const wallNow = () => clock.wallAt(clock.now())

    /** What is left of each, the least first. */
    const leftNow = async (state: State, { step = 0 }: AgentScope) => {
      const { clock: running, pastMs } = await state.get(clocks)
      const active = running === null ? 0 : activeMs(running, wallNow())
      const began = stepMs === Infinity ? undefined : await state.get(steps)
      const inStep = began?.step === step ? active - began.beganMs : 0
      const all = [
        { of: 'turn', limit: turnMs, left: turnMs - active },
        { of: 'step', limit: stepMs, left: stepMs - inStep },
        { of: 'session', limit: sessionMs, left: sessionMs - pastMs - active },
      ]
      return all.reduce((least, one) => (one.left < least.left ? one : least))
    }
    const waitBegins = ({ turnId = '' }: AgentScope, id: string) => {
      const now = wallNow()
      return (before: Clocks) => beginWait(before, waitOf(turnId, id), now)
    }
    const waitEnds = ({ turnId = '' }: AgentScope, id: string) => {
      const now = wallNow()
      return (before: Clocks) => endWait(before, waitOf(turnId, id), now)
    }
    /**
     * A turn that calls its model has all its answers. What is still waited
     * for then, a process that died has left.
     */
    const endStaleWaits = async (state: State, scope: AgentScope) => {
      const { clock: running } = await state.get(clocks)
      const isOwn = running?.turn === scope.turnId && scope.origin !== 'hook'
      if (!isOwn || running?.waits.length === 0) return
      const now = wallNow()
      await state.update(clocks, (before) => endAllWaits(before, now))
    }
    const over = ({ of, limit }: { of: string; limit: number }) =>
      `The ${of} has worked for ${limit} ms, which is its limit.`

    const begin = defineHook({
      name: `${name}:begin`,
      on: turnPreTurn,
      handler: { version: '1' },
      async run(_, { state, scope }) {
        const { turnId = '', parents } = scope
        const now = wallNow()
        const { pastMs } = await state.update(clocks, (before) => {
          // What a sub-agent does is part of the turn that it works for.
          const isOwn = parents === undefined || before.clock === null
          return isOwn ? beginTurn(before, turnId, now) : before
        })
        if (pastMs < sessionMs) return proceed
        return reject(over({ of: 'session', limit: sessionMs }))
      },
    })
    const beforeModel = defineHook({
      name: `${name}:model`,
      on: llmPreCall,
      handler: { version: '1' },
      priority: 900,
      // What is said to the model makes no difference here.
      beforeWrites: true,
      async run(_, { state, scope }) {
        const { step = 0 } = scope
        await endStaleWaits(state, scope)
        if (stepMs !== Infinity) {
          const { clock: running } = await state.get(clocks)
          const beganMs = running === null ? 0 : activeMs(running, wallNow())
          await state.update(steps, (before) =>
            before.step === step ? before : { step, beganMs },
          )
        }
        const least = await leftNow(state, scope)
        return least.left > 0 ? proceed : endTurn(over(least))
      },
    })
    const narrow = defineHook({
      name: `${name}:tool`,
      on: toolPreCall,
      handler: { version: '1' },
      capabilities: [restriction.kind],
      beforeWrites: true,
      async run({ tool, grant }, { state, scope, contribute }) {
        const least = await leftNow(state, scope)
        if (least.left <= 0) return reject(over(least))
        // A tool ends when the time does; one that waits for people need not.
        const timeoutMs = Math.ceil(least.left)
        const isLess = timeoutMs < (grant.timeoutMs ?? Infinity)
        if (isLess && timeoutMs < maxTimerMs && !isOfPeople(tool)) {
          contribute(restriction({ timeoutMs }))
        }
        return proceed
      },
    })
    const afterStep = defineHook({
      name: `${name}:batch`,
      on: toolPostBatch,
      handler: { version: '1' },
      async run(_, { state, scope }) {
        const least = await leftNow(state, scope)
        return least.left > 0 ? proceed : endTurn(over(least))
      },
    })
    const asked = defineHook({
      name: `${name}:asked`,
      on: permissionRequest,
      handler: { version: '1' },
      async run({ id }, { state, scope }) {
        await state.update(clocks, waitBegins(scope, id))
        return proceed
      },
    })
    const answered = defineHook({
      name: `${name}:answered`,
      on: permissionResolved,
      handler: { version: '1' },
      async run({ id }, { state, scope }) {
        await state.update(clocks, waitEnds(scope, id))
        return proceed
      },
    })
    const calls = defineHook({
      name: `${name}:people`,
      on: toolGuard,
      handler: { version: '1' },
      match: ({ tool }) => isOfPeople(tool),
      async run({ id }, { state, scope }) {
        await state.update(clocks, waitBegins(scope, id))
        return proceed
      },
    })
    const called = defineHook({
      name: `${name}:people-end`,
      on: toolPostCall,
      handler: { version: '1' },
      // The first one here: whoever withholds the result does not skip it.
      priority: 1_000_000,
      beforeWrites: true,
      onFailure: 'open',
      match: ({ call }) => isOfPeople(call.tool),
      async run({ call }, { state, scope }) {
        await state.update(clocks, waitEnds(scope, call.id))
        return proceed
      },
    })
    const end = defineHook({
      name: `${name}:end`,
      on: turnPostTurn,
      handler: { version: '1' },
      async run(_, { state, scope }) {
        const { turnId = '' } = scope
        const now = wallNow()
        await state.update(clocks, (before) =>
          endTurnClock(endWaitsOf(before, turnId, now), turnId, now),
        )
        return proceed
      },
    })
    return [
      ...[begin, beforeModel, narrow, afterStep, asked, answered, end],
      ...(peopleTools.length === 0 ? [] : [calls, called]),
    ]
  },
})

// What a timer can wait for.
const maxTimerMs = 2 ** 31
