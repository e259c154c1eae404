import { defineHook, type Hook, proceed, reject } from 'hookline'
import {
  type AgentScope,
  llmPostCall,
  llmPreCall,
  type ModelErrorCode,
  turnPostTurn,
} from 'hookline/lifecycle'
import { holderOf, modelKey } from '../shared/circuits/circuits.ts'
import { type Breaker, counting, type WatchedCall } from './breaker.ts'

/** Refuses calls of models that rest, and counts how the others end. */
export function watchModels(
  breaker: Breaker,
  codes: readonly ModelErrorCode[],
): readonly Hook[] {
  const gate = defineHook({
    name: `${breaker.name}:models`,
    on: llmPreCall,
    handler: { version: '1' },
    // Late: what it judges has to be the model that will be called.
    priority: 200,
    async run({ request }, { scope, state }) {
      const call = callOf(request.model, scope)
      const refusal = await breaker.refusalOf(state, call)
      return refusal === undefined ? proceed : reject(refusal)
    },
  })
  const count = defineHook({
    ...counting,
    name: `${breaker.name}:model-ends`,
    on: llmPostCall,
    holdBack: 'none',
    async run(input, { scope, state, contribute }) {
      const isFailure =
        input.type === 'error' && codes.includes(input.error.code)
      const end = { ...callOf(input.request.model, scope), isFailure }
      for (const told of await breaker.noteCall(state, end)) contribute(told)
      return proceed
    },
  })
  /** Refused by another hook, or cancelled: no end of a call says so. */
  const release = defineHook({
    name: `${breaker.name}:turns`,
    on: turnPostTurn,
    handler: { version: '1' },
    async run(_, { scope: { turnId = '' }, state }) {
      const isOver = (holder: string) => holder.startsWith(`${turnId}:`)
      await breaker.letOthersTry(state, isOver)
      return proceed
    },
  })
  return [gate, count, release]
}

function callOf(model: string, scope: AgentScope): WatchedCall {
  const holder = holderOf(scope)
  return { kind: 'model', name: model, key: modelKey(model), holder }
}
