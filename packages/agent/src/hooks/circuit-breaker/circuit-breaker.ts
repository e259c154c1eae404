import { defineHook, proceed, reject, type State } from 'hookline'
import {
  llmPostCall,
  llmPreCall,
  notice,
  type ToolPostCallInput,
  toolGuard,
  toolPostCall,
  turnPostTurn,
} from 'hookline/lifecycle'
import { defineHooks } from '../../define-hooks.ts'
import {
  type CircuitRules,
  enter,
  mayPass,
  noteEnd,
  openFor,
} from '../shared/circuits/circuit.ts'
import {
  changedAt,
  circuitAt,
  circuitsCell,
  holderOf,
  holdersIn,
  modelKey,
  releasedIn,
} from '../shared/circuits/circuits.ts'
import {
  type CircuitBreakerOptions,
  circuitBreakerShape,
  defaultCodes,
  defaultErrors,
} from './options.ts'

/** Who asks about what. */
interface Asked {
  readonly key: string
  readonly holder: string
}

/** Has nobody wait for a model or a tool that keeps failing. */
export const circuitBreaker = defineHooks<CircuitBreakerOptions>({
  name: 'circuit-breaker',
  description: 'Does not call a model or a tool that keeps failing.',
  options: circuitBreakerShape,
  create(given, { name, clock }) {
    const { models = true, tools = [], codes = defaultCodes } = given
    const { errors = defaultErrors } = given
    const rules: CircuitRules = {
      windowMs: given.windowMs ?? 60_000,
      minCalls: given.minCalls ?? 5,
      share: given.share ?? 0.5,
      openMs: given.openMs ?? 30_000,
    }
    const cell = circuitsCell(name)
    const wall = () => clock.wallAt(clock.now())

    /** How long a call has to stay away; undefined where it may be made. */
    const ask = async (state: State, { key, holder }: Asked) => {
      const call = { holder, now: wall() }
      let circuit = circuitAt(await state.get(cell), key)
      if (circuit?.openUntil === undefined) return undefined
      if (mayPass(circuit, call)) {
        const all = await state.update(cell, (before) =>
          changedAt(before, key, (one) => enter(one, call)),
        )
        circuit = circuitAt(all, key)
        // Another one may have been quicker.
        if (mayPass(circuit, call)) return undefined
      }
      return openFor(circuit, call.now)
    }
    /** Whether it has opened with this end of a call. */
    const note = async (state: State, { key, holder }: Asked, bad: boolean) => {
      const end = { holder, now: wall(), isFailure: bad }
      const all = await state.update(cell, (before) =>
        changedAt(before, key, (one) => noteEnd(one, end, rules)),
      )
      return circuitAt(all, key)?.openUntil === end.now + rules.openMs
    }

    /** A call that was to try was not made, or nobody heard how it ended. */
    const letOthersTry = async (
      state: State,
      isOver: (holder: string) => boolean,
    ) => {
      if (!holdersIn(await state.get(cell)).some(isOver)) return
      await state.update(cell, (before) => releasedIn(before, isOver))
    }

    const gateModels = defineHook({
      name: `${name}:models`,
      on: llmPreCall,
      handler: { version: '1' },
      // Late: what it judges has to be the model that will be called.
      priority: 200,
      async run({ request: { model } }, { scope, state }) {
        const asked = { key: modelKey(model), holder: holderOf(scope) }
        const left = await ask(state, asked)
        return left === undefined ? proceed : reject(why('model', model, left))
      },
    })
    const noteModels = defineHook({
      ...counting,
      name: `${name}:model-ends`,
      on: llmPostCall,
      holdBack: 'none',
      async run(input, { scope, state, contribute }) {
        const { model } = input.request
        const asked = { key: modelKey(model), holder: holderOf(scope) }
        const isBad = input.type === 'error' && codes.includes(input.error.code)
        if (await note(state, asked, isBad)) {
          contribute(told('model', model, rules))
        }
        return proceed
      },
    })
    const watched = new Set(tools)
    const gateTools = defineHook({
      name: `${name}:tools`,
      on: toolGuard,
      handler: { version: '1' },
      match: ({ tool }) => watched.has(tool),
      async run({ id, tool }, { scope, state }) {
        const holder = `${scope.turnId}:${id}`
        const left = await ask(state, { key: `tool:${tool}`, holder })
        return left === undefined ? proceed : reject(why('tool', tool, left))
      },
    })
    const noteTools = defineHook({
      ...counting,
      name: `${name}:tool-ends`,
      on: toolPostCall,
      match: ({ call }) => watched.has(call.tool),
      async run(input, { scope, state, contribute }) {
        const { id, tool } = input.call
        const asked = { key: `tool:${tool}`, holder: `${scope.turnId}:${id}` }
        if (!hasRun(input)) {
          await letOthersTry(state, (holder) => holder === asked.holder)
          return proceed
        }
        const { result } = input
        const isBad = result.isError && errors.includes(result.error)
        if (await note(state, asked, isBad)) {
          contribute(told('tool', tool, rules))
        }
        return proceed
      },
    })
    /** Refused by another hook, or cancelled: no end of a call says so. */
    const endTurns = defineHook({
      name: `${name}:turns`,
      on: turnPostTurn,
      handler: { version: '1' },
      async run(_, { scope: { turnId = '' }, state }) {
        await letOthersTry(state, (holder) => holder.startsWith(`${turnId}:`))
        return proceed
      },
    })
    return [
      ...(models ? [gateModels, noteModels, endTurns] : []),
      ...(tools.length > 0 ? [gateTools, noteTools] : []),
    ]
  },
})

/** They only count: first of all, and nothing depends on them. */
const counting = {
  handler: { version: '1' },
  priority: 900,
  beforeWrites: true,
  onFailure: 'open',
  capabilities: ['notice'],
} as const

/** Whether the tool itself had a say in how the call has ended. */
function hasRun({ status, result }: ToolPostCallInput): boolean {
  if (status === 'executed' || status === 'unknown_outcome') return true
  return result.isError && result.error === 'timeout'
}

function why(kind: string, name: string, leftMs: number): string {
  const when =
    leftMs > 0
      ? `in ${Math.ceil(leftMs / 1_000)} s`
      : 'by another call right now'
  return `The ${kind} "${name}" has failed too often; it is tried again ${when}.`
}

function told(kind: string, name: string, { openMs }: CircuitRules) {
  const message = `The ${kind} "${name}" has failed too often and rests for ${Math.ceil(openMs / 1_000)} s.`
  return notice({ level: 'warning', message })
}
